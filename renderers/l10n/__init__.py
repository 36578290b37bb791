"""Localization: dates, prices, words and text direction of the interface."""
