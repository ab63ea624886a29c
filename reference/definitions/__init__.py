"""What a definition file says: its model, how the text is read, and the rules that it keeps."""
