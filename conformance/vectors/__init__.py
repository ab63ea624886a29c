"""Golden vectors of bytes, values and verdicts for codecs of any language, as JSON files.

Takes the definitions of all releases; gives the files of `vectors/`, their check, and a codec's results on them.
`enumeration` makes the vectors, `tree` writes and reads the files, `verification` checks them and runs them.
"""
