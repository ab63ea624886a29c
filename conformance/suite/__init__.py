"""The suite under pytest, with its plugin, options, items, and parallel runs."""
