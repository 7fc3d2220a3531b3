# One command each, and each sets up what it lacks: make and Python 3.11 or later are enough to start.
#
#   make play        start the server and open the page
#   make test        all tests but the long ones (one file: make test ARGS=tests/test_x.py)
#   make test-long   all tests
#   make test-cluster  the server's tests on PostgreSQL, Redis and several workers, and all that is about them
#   make check       lint, format and types, of Python and of the scripts
#   make bench       measure
#   make bench-server  measure a server over sockets (a short run: make bench-server ARGS=--quick)
#   make bench-start   measure a first start: a fresh clone, empty caches (others: make bench-start ARGS="v0.1.0 HEAD")
#   make wheels      the wheels of all platforms into dist/ (one: make wheels ARGS=pure)
#   make image       the image of Docker, with a match played in it
#   make screens     pictures of the main screens into screens/ (some: make screens ARGS="kahmate --language fi")
#   make docs        build the documentation site into site/, and check every link in it
#   make lock        write the locks anew, keeping versions that still fit (newest: make lock ARGS=--upgrade)
#   make clean       remove .venv, node_modules, caches and builds; your games stay
#
# Another interpreter: make clean, then make play PYTHON=python3.13

PYTHON = python3
VENV = .venv
BIN = $(VENV)/bin
ARGS =

# A set-up step that is done leaves a stamp here, so the next run is quick and a changed lock installs again.
HAS_UV = $(VENV)/.has-uv
HAS_RUNTIME = $(VENV)/.has-runtime
HAS_DEV = $(VENV)/.has-dev
HAS_NODE_MODULES = node_modules/.has-node-modules

# The system's certificates, as some networks bring their own.
UV = $(BIN)/uv --system-certs
INSTALL = $(UV) pip install --quiet --python $(BIN)/python
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-annotate --no-header $(ARGS)
# Node.js is a wheel of the lock.
NPM = NODE_USE_SYSTEM_CA=1 $(BIN)/npm --no-audit --no-fund
APT_INSTALL = export DEBIAN_FRONTEND=noninteractive; apt-get update -qq && apt-get install -y -qq --no-install-recommends

# Whatever environment the caller works in, ours is .venv, and what Python compiled is kept there.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE VIRTUAL_ENV

.DELETE_ON_ERROR:
.PHONY: help play test test-long test-cluster check bench bench-server bench-start wheels image screens docs lock clean library browser servers

help:
	@sed -n 's/^#   //p' Makefile

# The page is up before the bots are compiled: that goes on behind it, with a bar.
play: $(HAS_RUNTIME)
	@$(BIN)/kibitz play $(ARGS)

test: $(HAS_DEV) library browser servers
	$(BIN)/python -m pytest -n 3 --dist worksteal $(ARGS)

test-long: $(HAS_DEV) library browser servers
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "" $(ARGS)

# One test at a time: each has several servers to itself.
test-cluster: $(HAS_DEV) library servers
	KIBITZ_TEST_CLUSTER=1 $(BIN)/python -m pytest -m "" tests/server tests/cluster $(ARGS)

check: $(HAS_DEV) $(HAS_NODE_MODULES)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	MYPYPATH=bench $(BIN)/mypy bench
	MYPYPATH=tools $(BIN)/mypy tools
	$(BIN)/node node_modules/eslint/bin/eslint.js --max-warnings 0
	$(BIN)/node node_modules/typescript/bin/tsc
	$(BIN)/python tools/check/advisories.py

bench: library
	$(BIN)/kibitz bench
	$(BIN)/python bench/run.py $(ARGS)

bench-server: library servers
	$(BIN)/python bench/server.py $(ARGS)

bench-start: $(HAS_UV)
	$(BIN)/python bench/start.py $(ARGS)

wheels: $(HAS_UV) requirements-wheels.txt
	@echo "Installing what builds wheels (200 MB, half a minute)"
	@$(INSTALL) --require-hashes -r requirements-wheels.txt
	$(BIN)/python tools/build_wheels.py $(ARGS)

image: $(HAS_UV)
	docker build --tag kibitz .
	$(BIN)/python tools/try_image.py

screens: $(HAS_DEV) browser
	$(BIN)/python tools/screens.py $(ARGS)

docs: $(HAS_DEV)
	$(BIN)/python tools/http_reference.py docs/reference/http.md
	$(BIN)/python tools/rule_pictures.py docs/rules
	$(BIN)/zensical build --strict --clean

# The locks name versions and hashes, never a host.
lock: $(HAS_DEV)
	echo uv | $(COMPILE) - --output-file requirements-uv.txt
	$(COMPILE) pyproject.toml --extra build --extra host --extra jit --output-file requirements.txt
	$(COMPILE) pyproject.toml --extra host --constraint requirements.txt --output-file requirements-host.txt
	$(COMPILE) pyproject.toml --extra wheels --constraint requirements.txt --output-file requirements-wheels.txt
	$(COMPILE) pyproject.toml --extra dev --constraint requirements.txt --output-file requirements-dev.txt
	$(NPM) $(if $(filter --upgrade,$(ARGS)),update,install) --package-lock-only
	! grep '://' requirements*.txt
	! grep '"resolved"' package-lock.json

clean:
	rm -rf $(VENV) node_modules dist .mypy_cache .pytest_cache .ruff_cache .hypothesis test-results screens site .cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A .venv whose interpreter is gone (upgraded, moved) is made again.
ifneq ($(shell test -x $(BIN)/python && echo yes),yes)
.PHONY: $(HAS_UV)
endif

# Debian keeps ensurepip, which venv needs, in a package of its own.
$(HAS_UV): requirements-uv.txt
	@command -v $(PYTHON) >/dev/null \
		|| { echo "Kibitz needs Python 3.11 or later, and there is no $(PYTHON) here." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"Kibitz needs Python 3.11 or later; $(PYTHON) is " + sys.version.split()[0] + ".")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
		|| { test "$$(id -u)" = 0 && { $(APT_INSTALL) python3-venv; } >/dev/null; } \
		|| { echo "$(PYTHON) cannot make virtual environments: install python3-venv, then run make again." >&2; exit 1; }
	@test -x $(BIN)/python || rm -rf $(VENV)
	@echo "Making a virtual environment in $(VENV) (a few seconds)"
	@$(PYTHON) -m venv $(VENV)
	@echo "Installing the installer, uv (20 MB, a few seconds)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt
	@touch $@

$(HAS_RUNTIME): $(HAS_UV) requirements.txt pyproject.toml
	@echo "Installing the packages that Kibitz needs (110 MB, half a minute on a good line)"
	@$(INSTALL) --require-hashes -r requirements.txt
	@command -v cc >/dev/null || { echo "Installing a linker, Zig (100 MB)"; \
		$(INSTALL) --require-hashes -r requirements-wheels.txt; }
	@echo "Installing Kibitz itself (a few seconds)"
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# One library of all kernels and bots, in the user's cache; there already, unless a kernel has changed.
library: $(HAS_RUNTIME)
	@echo "Compiling the bots, unless that is done (a minute or two)"
	@$(BIN)/kibitz compile

$(HAS_DEV): $(HAS_RUNTIME) requirements-dev.txt
	@echo "Installing what tests and checks need (500 MB, a minute or so)"
	@$(INSTALL) --require-hashes -r requirements-dev.txt
	@touch $@

# What checks the scripts of the pages, which need nothing of it.
$(HAS_NODE_MODULES): $(HAS_DEV) package.json package-lock.json .npmrc
	@echo "Installing what checks the scripts (a few seconds)"
	@$(NPM) ci
	@touch $@

# Chromium with a window and without, from Debian with good fonts for screenshots and the one library that playwright
# lacks on a bare Debian; else a browser that the system has; else playwright's own. Without any, other tests still run.
browser: $(HAS_DEV)
	@{ command -v chromium && command -v chromium-headless-shell; } >/dev/null \
		|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
			&& echo "Installing a browser for the tests" \
			&& { $(APT_INSTALL) chromium chromium-headless-shell fonts-noto-core libatomic1; } >/dev/null; } \
		|| command -v chromium >/dev/null || command -v google-chrome >/dev/null \
		|| $(BIN)/playwright install chromium \
		|| echo "No browser could be installed: the tests that need one will fail." >&2

# Debian's, which the tests start themselves, on data that is thrown away. Without them, the tests that need them
# say so and are left out.
servers:
	@{ ls /usr/lib/postgresql/*/bin/postgres || command -v postgres; } >/dev/null 2>&1 \
		&& { command -v redis-server && PATH="$$PATH:/usr/sbin" command -v nginx && command -v openssl; } >/dev/null \
		|| { echo "Installing PostgreSQL, Redis and nginx for the tests"; \
			test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
			&& { $(APT_INSTALL) postgresql redis-server nginx openssl; } >/dev/null; } \
		|| echo "PostgreSQL, Redis and nginx could not be installed: what needs them is left out." >&2
