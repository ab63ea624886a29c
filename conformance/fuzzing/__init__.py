"""Random search within a time budget, over all pairs in turn: `kafka-conformance nightly`.

rotation.py keeps whose turn it is, one_slice.py runs the suite's random tests on a few pairs in a process of their own,
night.py does so until the budget is spent, summary.py says what came of it.
"""
