"""Results as files of JSON Lines, found cases, JUnit's XML, SARIF, Markdown and badges."""
