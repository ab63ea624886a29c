"""A broker made of the reference alone, which answers every request of a release and keeps nothing on disk."""
