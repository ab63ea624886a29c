"""What the encodings of KIP-625 would save: the document's own example, and messages of a corpus."""
