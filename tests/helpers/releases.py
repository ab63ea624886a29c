"""The releases that tests take where any release would do: a test about facts of one release names it."""

from conformance.vectors.enumeration.pairs import base_release
from reference import newest_release, releases

NEWEST = newest_release()
BASE = base_release()
"""The release whose golden vectors are whole."""
OLDEST = releases()[0]
