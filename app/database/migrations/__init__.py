"""The way from one schema to the next, one module a step."""
