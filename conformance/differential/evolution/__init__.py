"""Changes of definitions tried with bytes: what `specs diff` says of them, held against values written and read."""
