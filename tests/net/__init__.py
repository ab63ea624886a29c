"""The net of a redesign: what the deterministic checks find in every implementation, kept in a file, and two compared.

    python -m tests.net keep build/net-before.txt
    python -m tests.net compare build/net-before.txt build/net-after.txt

The file has a line for each rule that a case breaks, for each cause and what follows from it, and for each count of the
report. It is kept outside of git: it is made from the commit that stands before a change.
"""
