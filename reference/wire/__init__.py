"""The wire types, one file for each family. `message` puts them together, so start there."""
