# `make help` lists what there is. ARGS="..." passes options on, for example: make run ARGS="--port 9000"
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help run test test-full check format messages bench eval model model-server eval-model crash soak mutants gallery lighthouse picture doctor lock sbom

BIN := .venv/bin
ARGS ?=
# What a site that strangers reach is started with; the key is drawn anew, and nothing answers at the address.
DEPLOYED = DATABASE_URL=postgres://app@localhost/plumbline PLUMBLINE_HTTPS=yes ALLOWED_HOSTS=plumbline.example \
	SECRET_KEY=$$(head -c 48 /dev/urandom | base64 -w 0)
# Files that hold what bandit's checks in pyproject.toml are about: it needs 20 s for all of them.
BANDIT_LOOKS_AT = 'torch\.load|from_pretrained|load_dataset|hf_hub_download|snapshot_download'
export UV_PYTHON_DOWNLOADS := never
# Processes are started by the dozen: each would compile all it imports where nothing may be kept.
unexport PYTHONDONTWRITEBYTECODE

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: .venv/.installed ## Install what is missing and start everything; prints the address
	@.ci/install print
	@exec $(BIN)/python manage.py up $(ARGS)

# All workers collect in one order, a different one each time. Each begins with its share of the tests in one piece and
# takes over from who is late: what is made once for a module is made twice for few modules.
test: .venv/.installed ## Run the tests, of heavy suites a part
	@.ci/install tools
	@PYTHONHASHSEED=$$RANDOM exec $(BIN)/pytest -q -n auto --maxprocesses 8 --dist worksteal $(ARGS)

test-full: export PLUMBLINE_TEST_FULL := 1
test-full: test ## Run all tests, heavy suites as a whole (hours); ARGS="tests/crash"

# One process may as well do this while `make check` needs one core: otherwise all workers wait for it, or do it.
.PHONY: ready
ready: .venv/.installed
	@.ci/install tools
	@$(BIN)/pytest -q -n 0 -k test_fresh_databases >/dev/null # which makes the cluster, after all tests were compiled

check: .venv/.installed ## Check style, types, imports, templates, migrations, settings, secrets and packages
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --diff --quiet . | head -40; echo 'make format mends this.'; exit 1; }
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@find templates -name '*.html' -print0 | xargs -0 -r $(BIN)/djade --check --target-version 5.2
	@$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	@env $(DEPLOYED) $(BIN)/python manage.py check --deploy --fail-level WARNING
	@git grep -lE $(BANDIT_LOOKS_AT) -- '*.py' ':!tests' | xargs -r $(BIN)/bandit -q -c pyproject.toml
	@$(BIN)/python .ci/secrets
	@$(BIN)/python .ci/audit
	@$(BIN)/python .ci/budgets

sbom: .venv/.installed ## List every package with its version, licence and hashes in build/sbom.json (CycloneDX)
	@mkdir -p build
	@$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml -o build/sbom.json
	@echo 'build/sbom.json'

format: .venv/.installed ## Format the code and the templates
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format --quiet .
	@find templates -name '*.html' -print0 | xargs -0 -r $(BIN)/djade --target-version 5.2

messages: .venv/.installed ## Bring new strings into the translations, and say which are not translated yet
	@exec $(BIN)/python .ci/messages $(ARGS)

eval: .venv/.installed ## Ask the questions of a gold file; with a model also in one call: ARGS="--library DIR --baseline"
	@exec $(BIN)/python manage.py evaluate report $(ARGS)

model: ## Put a small language model and llama.cpp's server into build/model, and say how to use them (half a minute)
	@.ci/install model
	@exec build/model/bin/python .ci/model --settings $(ARGS)

model-server: model ## Serve that model on this machine until Ctrl-C; ARGS="--port 8151 --context 8192 --threads 1"
	@exec build/model/bin/python .ci/model $(ARGS)

eval-model: .venv/.installed ## Ask the model's server for reports, a table, a brief and a tool loop; ARGS="--questions FILE 20"
	@exec env PLUMBLINE_DATA=$${PLUMBLINE_DATA:-build/eval-model} $(BIN)/python manage.py evaluate model $(ARGS)

bench: .venv/.installed ## Measure speed and memory, and how they grow; writes build/bench.json (15 minutes)
	@exec $(BIN)/python manage.py bench $(ARGS)

crash: .venv/.installed ## Kill processes during runs and check that nothing is lost; ARGS=--record writes down the figures (minutes)
	@exec env PLUMBLINE_TEST_FULL=1 $(BIN)/pytest -v -s tests/crash tests/engine/test_machine.py tests/budgets/test_storm.py $(ARGS)

soak: .venv/.installed ## Let a fresh site work for 8 hours; fails where it grows or something gets stuck; ARGS="--minutes 25"
	@.ci/install print
	@exec env PLUMBLINE_PROVIDERS=none $(BIN)/python manage.py soak $(ARGS)

mutants: .venv/.installed ## Change the code of citations and lifecycle in small ways; count what no test notices (minutes)
	@$(BIN)/python .ci/mutants citations $(ARGS)
	@$(BIN)/python .ci/mutants research/engine --processes 1 $(ARGS)

gallery: .venv/.installed ## Check every state of every page in a browser; keeps pictures in build/gallery (minutes)
	@.ci/install browser
	@.ci/install node
	@exec env PLUMBLINE_TEST_FULL=1 PLUMBLINE_SCREENSHOTS=build/gallery $(BIN)/pytest -v tests/gallery $(ARGS)

lighthouse: .venv/.installed ## Measure four pages of a site of its own with Lighthouse (minutes)
	@.ci/install browser
	@.ci/install node
	@exec $(BIN)/python manage.py lighthouse $(ARGS)

picture: .venv/.installed ## Draw the states of a run anew in docs/lifecycle.md
	@exec $(BIN)/python manage.py lifecycle_picture --write

doctor: .venv/.installed ## Say what is missing on this machine and how to get it
	@exec $(BIN)/python manage.py doctor

lock: .venv/.installed ## Choose package versions anew and write requirements.lock
	@uv=$$(command -v uv || echo .boot/bin/uv); \
	$$uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-header -q -o requirements.lock --upgrade

.venv/.installed: requirements.lock .ci/install
	@.ci/install python
