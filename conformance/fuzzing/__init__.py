"""Random search within a time budget, over all pairs in turn: `kafka-conformance nightly`.

rotation.py keeps the order in which pairs are searched, batch.py runs the suite's random tests on a few pairs in a
process of their own, nightly_run.py does so until the budget is spent, summary.py adds up the results.
"""
