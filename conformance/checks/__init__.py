"""From a case and what an implementation did with it to violations, each blamed on a rule."""
