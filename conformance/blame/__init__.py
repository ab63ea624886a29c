"""Which rule a departure breaks."""
