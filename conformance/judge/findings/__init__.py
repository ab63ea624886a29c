"""What was found: violations, counts, known failures, found cases, and the report."""
