"""Snapshot → search: what readers type finds what authors wrote."""
