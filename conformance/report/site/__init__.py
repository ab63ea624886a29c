"""Static pages of reports, readable without a network, a server or a script."""
