"""The suite under pytest, with its plugin, options, items, and parallel runs.

Takes the options of pytest. Gives items with a pass or a failure, and the report of the run.
"""
