"""The blocks of the guides that the tests of samples leave to others."""

ELSEWHERE = {
    ("docs/branding.md", "sh"): (10, "tests/live/test_branding.py"),
    ("docs/start.md", "sh"): (11, "tests/live/test_start.py"),
    ("docs/coming-from.md", "sh"): (6, "tests/live/test_coming_from.py"),
    ("docs/coming-from.md", "python"): (1, "tests/live/test_coming_from.py"),
    ("docs/partner.md", "sh"): (1, "tests/live/test_partner_guide.py"),
    ("docs/partner.md", "python"): (3, "tests/live/test_partner_guide.py"),
    ("docs/cdn.md", "sh"): (1, "tests/live/test_cdn.py"),
    ("docs/mcp.md", "json"): (10, "tests/app/features/mcp/test_tools_guide.py"),
}
"""Steps of one task: how many there are, and the test that runs each of them."""
