"""The sites in `docs/examples/`, which are no vendors of ERP."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
CLINIC, LOGISTICS, UNIVERSITY = (EXAMPLES / name for name in ("clinic", "logistics", "university"))
SITES = (CLINIC, LOGISTICS, UNIVERSITY)
