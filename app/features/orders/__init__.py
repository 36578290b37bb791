"""Orders: the model, validation of amounts, import, and storage."""
