"""Results as files: JSON Lines, found cases, JUnit's XML, SARIF, Markdown and badges."""
