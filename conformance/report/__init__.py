"""What is shown: results on a terminal, in files and on a site, and the meaning of bytes.

Takes findings and counts, or the lines of a report; gives texts. `terminal` has the summary of a run, `files` the
report and its other formats, `site` static pages, `explain` what each byte is.
"""
