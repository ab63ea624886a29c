"""The wire types, one file for each family: start with `message`, which puts them together."""
