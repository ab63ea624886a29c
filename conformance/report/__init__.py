"""Texts of findings, counts and reports, on a terminal, in files and on a site, and the meaning of each byte."""
