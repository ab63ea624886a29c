"""How golden vectors lie in files: the tree of folders, its documents, their text, and the history of ids."""
