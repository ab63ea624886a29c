"""Captured packets, pcap and pcapng: TCP streams are put together, and cut into the frames of a capture."""
