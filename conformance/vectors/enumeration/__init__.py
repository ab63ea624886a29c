"""The set of golden vectors, enumerated from the definitions without files, time or chance."""
