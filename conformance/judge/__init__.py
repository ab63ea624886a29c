"""The judge of a codec: cases are asked and judged, and what breaks a rule becomes a finding.

Takes a session with a codec; gives events. `case.py` has cases and events, `engine.py` runs them, `checks` has the
kinds of cases, `blame` names the broken rule, `findings` has causes and known failures.
"""
