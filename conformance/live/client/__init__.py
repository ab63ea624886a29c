"""Running a client program against a broker of ours: what it says is judged, and what it is told is chosen."""
