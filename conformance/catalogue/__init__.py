"""The rules, the requirements that they cover, and examples of them."""
