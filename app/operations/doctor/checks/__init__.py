"""The checks: each a judgement of facts, without input or output of its own."""
