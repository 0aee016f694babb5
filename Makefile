PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.installed
EXTRAS ?= dev

.PHONY: demo test check format speed clean

demo: $(READY)   ## play a whole game on the simulated table
	$(BIN)/umpire demo $(ARGS)

test: check      ## format, types and every test
	$(BIN)/pytest -n 2 $(ARGS)

speed: $(READY)  ## what the work costs, as ratios measured in one run
	$(BIN)/python tests/speed.py

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build dist

# Debian's Python comes without ensurepip, so the environment is made without pip and filled by the pip outside it.
$(READY): pyproject.toml
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check -e '.[$(EXTRAS)]'
	touch $@
