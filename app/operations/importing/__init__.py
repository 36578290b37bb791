"""Import of the sources of other site generators into a new content folder."""
