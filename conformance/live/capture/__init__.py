"""Judging frames as they went over a connection: what they are by the definitions, and where they depart from them."""
