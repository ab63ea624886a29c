"""An adapter, driven: loading, checking its members, calling it, and what came of a call."""
