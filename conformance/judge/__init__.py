"""The judge of a codec.

It sends cases to a codec, judges the answers, and groups broken rules into findings. It takes a session with a codec
and gives events. `case.py` has cases and events, `engine.py` runs them, `checks` has the kinds of cases, `blame` names
the broken rule, `findings` has causes and known failures.
"""
