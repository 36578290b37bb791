"""The endpoints of the partner interface: pull orders and products, push orders."""
