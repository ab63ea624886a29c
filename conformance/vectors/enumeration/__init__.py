"""Which golden vectors there are: systematic enumeration from the definitions, without files, time or chance."""
