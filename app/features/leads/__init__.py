"""Leads: the only public write; validates, stores, selects, exports and expires enquiries."""
