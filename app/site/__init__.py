"""The public site: pages in every form at one address, their twins, and the maps to them."""
