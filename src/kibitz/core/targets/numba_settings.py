"""Numba with our settings: this alone imports it for the processor.

Compiled code is kept between runs. Numba looks only at the file a function is in, while a function
holds whatever it calls from other files; so the folder it is kept in is named after all of them.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import Any

import numba
from numba import njit

from kibitz.core.targets.sources import build_folder

__all__ = ["njit"]

settings: Any = numba.config
if not os.environ.get("NUMBA_CACHE_DIR"):
    of_numba = sha256(f"{numba.__version__} {settings.BOUNDSCHECK}".encode()).hexdigest()[:8]
    settings.CACHE_DIR = str(build_folder() / of_numba)
