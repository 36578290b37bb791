"""Maps for agents: what there is, and when to use it."""
