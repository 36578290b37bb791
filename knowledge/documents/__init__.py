"""Documents: files of the content folder, parsed one by one."""
