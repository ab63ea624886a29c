"""Golden vectors: bytes, values and verdicts for codecs of any language, enumerated, written to files, and checked."""
