"""Tests that need the real servers are left out, with a reason, where those are not installed."""

from __future__ import annotations

import pytest

from support.cluster.servers import missing

NEEDED = pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()} (make servers)")
