"""The content model: files → documents → snapshot → resources.

This is the lowest package: it imports no other package of the project and does not use HTTP.
"""
