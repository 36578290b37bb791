"""Partners: who may pull and push orders, and what that works with."""
