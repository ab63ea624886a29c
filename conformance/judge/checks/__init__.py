"""The kinds of cases, with their requests to a codec and the judgement of its answers."""
