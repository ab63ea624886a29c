"""The adapters that come with the suite: one module or package for each implementation."""
