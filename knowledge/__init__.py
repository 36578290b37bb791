"""Files → documents → snapshot → resources: what is published, for whom, and when.

The lowest package: it imports nothing else of this project and knows no HTTP.
"""
