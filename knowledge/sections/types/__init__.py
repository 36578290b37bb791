"""The declarations of section types: a module for each, or for a few that are alike."""
