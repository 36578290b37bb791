"""The audience: who reads what, counted by day without anything personal."""
