"""How fast things are: codecs on sound values, the oracle on any bytes, hostile bytes through the child process."""
