"""Orders: what one is, the rules by which it adds up, how it comes in and where it is kept."""
