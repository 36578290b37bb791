"""Changes: what became published, changed, moved or gone, as followers of the site read it."""
