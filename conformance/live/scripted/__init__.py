"""A broker made of the reference alone: it answers every request that a release defines, and keeps nothing on disk."""
