"""The suite as pytest runs it: the plugin, its options, the items, and several runs side by side.

Takes the options of pytest; gives items that pass or fail, and the report of the run.
"""
