"""Exit with 0 while the server of this container is well, and with 1 while it is not."""

import os
import sys
from urllib.error import URLError
from urllib.request import urlopen

TIMEOUT_S = 3.0
port, prefix = os.environ.get("KIBITZ_PORT", "8000"), os.environ.get("KIBITZ_PATH_PREFIX", "")

try:
    with urlopen(f"http://127.0.0.1:{port}{prefix}/health", timeout=TIMEOUT_S) as answer:
        sys.exit(answer.read() != b'{"status":"ok"}')
except (URLError, OSError) as error:
    sys.exit(f"not well: {error}")
