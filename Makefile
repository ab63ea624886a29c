# The commands of a checkout. Everything is installed into .venv, with the exact versions of constraints.txt, and the checksums of
# .ci/requirements; `make locks` renews these.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2
IMPL ?= conformance.adapters.kio
MINUTES ?= 10
LONG := browser or go or java or node or rust or slow or spark
CASES ?= 25
ANSWER_MINUTES ?= 5
DOCS_TESTS := tests/ci tests/docs tests/specs tests/suite/test_readme.py tests/suite/test_documented_commands.py \
	tests/suite/test_project_files.py tests/codec/bridge/test_readme.py tests/report/explain/test_readme.py tests/reference/test_pages.py
REQUIREMENTS := .ci/requirements
NPM_PACKAGES := conformance/adapters/harnesses/javascript tests/programs/clients/javascript tests/programs/kaitai vectors/consumers/javascript
CRATES := conformance/adapters/harnesses/rust vectors/consumers/rust
GO_MODULES := conformance/adapters/harnesses/go tests/programs/servers/go tests/programs/clients/go
KAFKA := https://github.com/apache/kafka
RUN := $(BIN)/python -m tests.ci

# The choice of names in a variable of make, as an option: `make foreign FOREIGN=franz_go`. One that is given and empty
# fails; without the variable, the loop takes all.
chosen = $(if $(filter undefined,$(origin $(2))),,--$(1) "$($(2))")
releases = $(call chosen,release,RELEASES)

export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
# Otherwise each of the many processes compiles all modules again, and each worker of pytest rewrites all tests.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help foreign harnesses lint-go lint-javascript lint-rust servers servers-test clients clients-test sessions site browser readme-check release vectors vectors-check vectors-archive conformance implementations known-failures test test-docs test-rest test-all durations coverage lint format check-declared check-reference check-releases trunk prove prove-definitions prove-evolution history one-fault mutants mutate definition-mutants second-faults single-faults apache-kafka apache-kafka-records nightly consumers locks bench bench-harnesses docs docs-links clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## */  make \1\t/' | expand -t 24

conformance: $(VENV)/.adapters ## Test kio, a third-party codec, against Kafka's newest release
	$(BIN)/kafka-conformance run --impl=conformance.adapters.kio -n $(WORKERS) \
		--known-failures=conformance/adapters/kio/known_failures.toml

implementations: $(VENV)/.adapters ## Test every implementation that has an adapter here: against older releases without generated values
	$(RUN) codecs python $(call chosen,name,PYTHON_CODECS) $(releases) -n $(WORKERS)

foreign: $(VENV)/.adapters ## Test the codecs of other languages on every release, without generated values
	$(RUN) codecs foreign $(call chosen,name,FOREIGN) $(releases) -n $(WORKERS)

readme-check: ## Compare the run that README.md shows with the one of `make implementations`
	$(BIN)/python -m tests.helpers.readme

known-failures: $(VENV)/.adapters ## Rewrite the known_failures.toml of each adapter, for every release; explain what is new
	$(RUN) known-failures $(call chosen,name,PYTHON_CODECS) $(releases) -n $(WORKERS)

test: $(VENV)/.dev ## Run the tests that every change must pass, without those that take Java, Spark, other languages or minutes
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not ($(LONG) or nightly)"

test-docs: $(VENV)/.dev ## Run the tests about pages: a part of `make test`, for a change of pages alone
	$(BIN)/python -m pytest -n $(WORKERS) -m "not ($(LONG) or nightly)" $(DOCS_TESTS)

test-rest: $(VENV)/.dev ## Run the other tests of a change: those that take Java, Spark, Go, Rust, Node, Chromium or seconds
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "($(LONG)) and not nightly"

test-all: $(VENV)/.dev ## Run all tests, those of the night included
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup

durations: $(VENV)/.dev ## Run every step of a change, and write what each step and each file of tests takes: tests/durations.toml
	$(RUN) durations

coverage: $(VENV)/.dev ## Run all tests and measure the coverage of lines and branches; fail below the floor
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadgroup
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

lint: $(VENV)/.dev ## Run ruff, its formatter, mypy --strict, and the checks of layers, of the one engine and of words
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.helpers.engine_lint
	$(BIN)/python -m tests.helpers.word_lint
	@$(MAKE) --no-print-directory lint-go lint-javascript lint-rust

lint-go:
	@if command -v go >/dev/null || [ -n "$$CI" ]; then set -e; for module in $(GO_MODULES); do (cd $$module && go vet ./... && \
		{ unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "gofmt: $$unformatted" >&2; exit 1; }; }); done; \
	else echo "skipped: vet and gofmt of the programs in Go, which need Go"; fi

lint-javascript:
	@if command -v node >/dev/null || [ -n "$$CI" ]; then \
		find conformance/adapters/harnesses/javascript tests/programs -name '*.mjs' -not -path '*/node_modules/*' -print0 | xargs -0 -n 1 node --check; \
	else echo "skipped: the syntax check of the programs in JavaScript, which needs Node"; fi

lint-rust:
	@if command -v cargo >/dev/null || [ -n "$$CI" ]; then $(BIN)/python -m tests.helpers.rust_lint; \
	else echo "skipped: rustfmt and clippy of the Rust harness, which need Rust"; fi

format: $(VENV)/.dev ## Run ruff's formatter and its automatic fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check-releases: $(VENV)/.adapters ## Import every published release of Apache Kafka, and run a part of the suite on the reference against each
	$(RUN) published-releases -n $(WORKERS)

# What is refused is in build/trunk-issue.md, as the text of an issue. Bodies are proven with the newest generator.
trunk: $(VENV)/.adapters ## Check, compare and prove the definitions of Apache Kafka's trunk, or of a checkout: make trunk TRUNK=~/kafka
	@mkdir -p build; rm -f build/trunk-issue.md; set -e; folder="$(TRUNK)"; if [ -z "$$folder" ]; then folder=build/trunk; rm -rf $$folder; \
		git clone -q --depth 1 --filter=blob:none --sparse $(KAFKA) $$folder; \
		git -C $$folder sparse-checkout set --no-cone '**/src/main/resources/**/*.json' /gradle.properties; fi; \
	$(BIN)/kafka-conformance specs trunk "$$folder" --issue build/trunk-issue.md; \
	$(BIN)/kafka-conformance run --impl=conformance.adapters.reference --release="$$folder" --smoke -q -n $(WORKERS); \
	$(BIN)/kafka-conformance prove --release="$$folder" --values=5 --no-edges

check-reference: $(VENV)/.adapters ## Run the suite on the reference, for every release and proposal: no findings
	$(RUN) codecs reference $(releases) -n $(WORKERS)

vectors: $(VENV)/.adapters ## Write vectors/ from the definitions
	$(BIN)/kafka-conformance vectors build --in-process -n $(WORKERS)

vectors-check: $(VENV)/.adapters ## Verify vectors/: hashes, schemas, flags, ids, every verdict, and that a rebuild is equal
	$(BIN)/kafka-conformance vectors check -n $(WORKERS)

vectors-archive: $(VENV)/.adapters ## Write build/vectors-RELEASE.tar.gz for each release, and the SHA-256 of each beside it
	$(BIN)/kafka-conformance vectors archive

prove: $(VENV)/.dev ## Compare the reference with Apache Kafka, run from the jars of every release
	$(RUN) prove $(releases) $(call chosen,records,RECORDS)

release: $(VENV)/.dev ## Import a release of Apache Kafka and run everything on it: make release RELEASE=4.3.1
	$(BIN)/kafka-conformance release $(RELEASE) -n $(WORKERS)

history: $(VENV)/.adapters ## Compare the definitions of six releases, each with each later one; the older ones are downloaded
	$(BIN)/kafka-conformance specs history

prove-definitions: $(VENV)/.adapters ## Compare the rules about definitions with Apache Kafka's own generator
	$(BIN)/kafka-conformance specs prove

prove-evolution: $(VENV)/.adapters ## Try what `specs diff` says of 20,000 drawn changes of definitions with bytes
	$(BIN)/kafka-conformance specs prove-evolution -n $(WORKERS)

check-declared: $(VENV)/.dev ## Compare the protocol declared in construct with the wire types: vectors, values, definitions, records, frames
	$(BIN)/python -m tests.reference.declared $(AREAS)

one-fault: $(VENV)/.dev ## Ask of each kind of invalid input whether a reader with that one fault accepts it whole
	$(BIN)/python -m tests.mutants.one_fault

mutants: $(VENV)/.dev ## Run the whole suite on every faulty codec, about two hours; build/mutants.md has the table
	$(BIN)/python -m tests.mutants -n $(WORKERS)

mutate: $(VENV)/.dev ## Run the suite on copies of the reference with one thing changed: make mutate FILE=reference/wire/tags.py LINE=109
	$(BIN)/python -m tests.mutants.automatic -n $(WORKERS) $(if $(FILE),--file $(FILE)) $(if $(LINE),--line $(LINE)) \
		$(if $(UPDATE),--update)

definition-mutants: $(VENV)/.dev ## Run the vectors on codecs with one property of one field changed; PROVE=1: what is equivalent; SUITE=covering: the suite; NAMES=500: what it says
	$(BIN)/python -m tests.mutants.definitions -n $(WORKERS) $(if $(UPDATE),--update) $(if $(PROVE),--prove) \
		$(if $(SUITE),--suite $(SUITE)) $(if $(NAMES),--names $(NAMES))

second-faults: $(VENV)/.dev ## Try faults of readers in codecs that also refuse some valid values: which cases still show them
	$(BIN)/python -m tests.mutants.second_faults -n $(WORKERS)

single-faults: $(VENV)/.dev ## Try codecs with one step done wrong: does suite or vector show it; SAMPLE=50: some; UPDATE=1: the known misses
	$(BIN)/python -m tests.mutants.single_faults -n $(WORKERS) $(if $(FAMILY),--family $(FAMILY)) \
		$(if $(SAMPLE),--sample $(SAMPLE)) $(if $(UPDATE),--update)

apache-kafka: $(VENV)/.adapters ## Run the suite on Apache Kafka itself, from the jars of every release
	$(RUN) codecs apache-kafka $(releases) -n $(WORKERS)

apache-kafka-records: $(VENV)/.dev ## Run the suite on the records of Apache Kafka's consumer and broker, of every release
	$(RUN) codecs apache-kafka-records $(releases) -n $(WORKERS)

harnesses: $(VENV)/.adapters ## Build every harness that has its toolchain here; in CI, all of them
	$(RUN) harnesses

servers: $(VENV)/.adapters ## Fetch, build, start, ask, stop and test every server that has its toolchain here; in CI, all of them
	$(BIN)/python -m tests.programs.servers --all
	@$(MAKE) --no-print-directory servers-test

servers-test: $(VENV)/.adapters
	$(RUN) servers $(call chosen,name,SERVERS) -n $(WORKERS)

clients: $(VENV)/.adapters ## Fetch, build and run every client likewise, against Apache Kafka, and test each
	$(BIN)/python -m tests.programs.clients --all
	@$(MAKE) --no-print-directory clients-test

clients-test: $(VENV)/.adapters
	$(RUN) clients $(call chosen,name,CLIENTS) --cases $(CASES) --minutes $(ANSWER_MINUTES) -n $(WORKERS)

sessions: $(VENV)/.adapters ## Judge the recorded session of each client again
	$(RUN) sessions $(call chosen,name,SESSIONS)

site: $(VENV)/.adapters ## Test every codec and server that can be run here, and write build/site; of reports that are there: make site REPORTS=build/reports
	$(RUN) site $(if $(REPORTS),--reports $(REPORTS)) $(if $(DOCS_URL),--docs $(DOCS_URL)) $(releases) -n $(WORKERS)

# Warnings are errors, and so is a link inside of it that leads nowhere.
docs: $(VENV)/.docs ## Write the documentation: build/docs; with a site of reports below it: make docs MATRIX=build/site
	$(BIN)/python -m docs._ext build/docs $(if $(MATRIX),--matrix $(MATRIX))

docs-links: $(VENV)/.docs ## Ask each address outside of the documentation whether it is there
	$(BIN)/python -m docs._ext build/docs-links --links

browser: ## Install Chromium from the system's packages for the tests of the site, unless it is there
	@for name in chromium chromium-browser google-chrome; do if command -v $$name; then exit 0; fi; done; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium fonts-dejavu-core; \
	else echo "install Chromium, as by: sudo apt-get install chromium" >&2; exit 1; fi

nightly: $(VENV)/.adapters ## Run the random search: make nightly IMPL=conformance.adapters.kio MINUTES=10 KNOWN=known_failures.toml
	$(BIN)/kafka-conformance nightly --impl=$(IMPL) --minutes=$(MINUTES) -n $(WORKERS) \
		$(if $(STATE),--state=$(STATE)) $(if $(KNOWN),--known-failures=$(KNOWN))

consumers: $(VENV)/.adapters ## Run the example consumers of vectors/; a missing language is named
	$(RUN) consumers

COMPILE := uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --constraint constraints.txt \
	--no-emit-index-url --no-annotate --no-header pyproject.toml
ADAPTERS := --extra adapters --extra packets --group build
DOCS := $(ADAPTERS) --group docs
DEV := --extra adapters --extra connect --extra definitions --extra local --extra packets --extra spark --group dev

locks: $(VENV)/.adapters ## Write the checksums of all packages anew, and choose those of JavaScript and Rust (uv, npm and cargo)
	$(COMPILE) $(ADAPTERS) --output-file $(REQUIREMENTS)/adapters.txt
	$(COMPILE) $(DOCS) --output-file $(REQUIREMENTS)/docs.txt
	$(COMPILE) $(DEV) --output-file $(REQUIREMENTS)/dev.txt
	@set -e; for folder in $(NPM_PACKAGES); do (cd $$folder && rm -f package-lock.json && npm install --package-lock-only \
		--omit-lockfile-registry-resolved --ignore-scripts --no-audit --no-fund --silent); done
	@set -e; for folder in $(CRATES); do $(BIN)/python -m conformance.adapters.harnesses crates --renew $$folder; done

bench: $(VENV)/.adapters ## Measure the speed of the reference and of kio, on values and on hostile bytes
	$(BIN)/kafka-conformance bench
	$(BIN)/kafka-conformance bench hostile --impl=$(IMPL)

bench-harnesses: $(VENV)/.adapters ## Measure operations per second through each harness that has its toolchain here
	$(RUN) bench-harnesses $(call chosen,name,FOREIGN)

clean: ## Remove .venv and everything else that was built here
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache vectors/consumers/*/target

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed; $(PYTHON) is not. Name one: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.adapters: $(VENV)/.python pyproject.toml $(REQUIREMENTS)/adapters.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(REQUIREMENTS)/adapters.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.docs: $(VENV)/.adapters $(REQUIREMENTS)/docs.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(REQUIREMENTS)/docs.txt
	@touch $@

$(VENV)/.dev: $(VENV)/.adapters $(REQUIREMENTS)/dev.txt
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $(REQUIREMENTS)/dev.txt
	@touch $@
