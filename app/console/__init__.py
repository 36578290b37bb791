"""Console: what commands share, such as tables, reports and types of options."""
