"""The content store: editions, how they are read from the folder, and when they are replaced."""
