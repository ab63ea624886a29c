"""Programs behind a port: servers, clients, and the traffic between them.

Takes an address, a command, or a file of traffic; gives the same events and findings as for a codec. `server` and
`client` test one side, `scripted` is the broker that clients meet, `capture` records and judges frames.
"""
