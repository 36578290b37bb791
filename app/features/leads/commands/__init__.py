"""`majlis leads`."""
