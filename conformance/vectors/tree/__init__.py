"""The files of golden vectors: the tree of folders, its documents, their text, and the history of ids."""
