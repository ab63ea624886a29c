"""Values of messages: their defaults, their comparison, their JSON form."""
