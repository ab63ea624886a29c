"""Black boxes: servers and clients behind a port, and the traffic between them."""
