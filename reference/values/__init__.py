"""Values of messages, with their defaults, their comparison and their JSON form."""
