"""The site: static pages of reports, which need no network, no server and no script to be read."""
