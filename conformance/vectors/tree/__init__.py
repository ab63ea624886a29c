"""The files of golden vectors, with the tree of folders, its documents, their text, and the history of ids."""
