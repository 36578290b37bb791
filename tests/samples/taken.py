"""The guides whose samples are steps of one task, which a test of its own follows."""

ELSEWHERE = {
    ("docs/branding.md", "sh"): "tests/live/test_branding.py",
    ("docs/your-own-site.md", "sh"): "tests/live/test_your_own_site.py",
    ("docs/partner.md", "sh"): "tests/live/test_partner_guide.py",
    ("docs/partner.md", "python"): "tests/live/test_partner_guide.py",
    ("docs/cdn.md", "sh"): "tests/live/test_cdn.py",
    ("docs/mcp.md", "json"): "tests/app/mcp/test_tools_guide.py",
}
