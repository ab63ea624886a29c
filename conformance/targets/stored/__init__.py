"""Messages in their stored forms."""
