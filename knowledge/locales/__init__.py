"""Locales: countries, languages and layers, and what CLDR knows of them."""
