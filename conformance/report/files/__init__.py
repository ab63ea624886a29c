"""What reports become besides a site: JUnit's XML, SARIF, Markdown and badges. Pure functions of the facts of runs."""
