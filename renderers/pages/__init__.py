"""How the page types look: one module for each that differs from a page of one document."""
