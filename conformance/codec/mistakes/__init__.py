"""The mistakes of an adapter that show in every value, and answers without them.

A run of valid values comes in, and the mistakes go out, each in a sentence. The answers of the adapter are corrected by
them, so that the library behind it is judged all the same.
"""
