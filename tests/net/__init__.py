"""The net of a redesign: every case, finding, cause, request and vector as a line, kept before and after a change.

    python -m tests.net keep build/net-before.txt
    python -m tests.net compare build/net-before.txt build/net-after.txt
    python -m tests.net walk

`lines` makes the lines of what the code under change yields, and is the only module that a redesign may change.
"""
