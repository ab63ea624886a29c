"""Results on a terminal, in files and on a site, and the meaning of bytes.

These modules turn findings and counts, or the lines of a report, into texts. `terminal` has the summary of a run,
`files` the report and its other formats, `site` static pages, and `explain` the meaning of each byte.
"""
