"""The text of each type of blocks, in a module of the type's name."""
