"""What is made of the reports of runs: a site, other formats, and what changed between two of them."""
