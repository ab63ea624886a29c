"""The net of a redesign, with every case, finding, cause, request and vector as a line, before and after a change.

    python -m tests.net keep build/net-before.txt
    python -m tests.net compare build/net-before.txt build/net-after.txt
    python -m tests.net walk

`lines` makes the lines from results of the code under change, and is the only module to change in a redesign.
"""
