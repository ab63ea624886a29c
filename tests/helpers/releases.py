"""The releases for tests that need any release.

A test about facts of one release names it.
"""

from conformance.vectors.enumeration.pairs import base_release
from reference import newest_release, releases

NEWEST = newest_release()
BASE = base_release()
"""The release with complete golden vectors."""
OLDEST = releases()[0]
