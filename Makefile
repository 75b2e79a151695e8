# The commands to learn. `make` alone explains them.

BIND ?= 127.0.0.1:8080
DATA ?= ./data
T ?=
P ?= tests
export BIND DATA ARGS

.DEFAULT_GOAL := help
.PHONY: help run demo dev test test-one check fmt bench bench-engine release pages watchers chaos mutants leaks test-long fuzz deny schema image

help: ## this text
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  make test-one T=floor:: runs the end-to-end tests with this in their name, T=deck P=engine unit tests of that package;"
	@echo "  make run takes BIND=$(BIND) DATA=$(DATA) ARGS='…' (more arguments of \`houserules serve\`);"
	@echo "  with DATABASE_URL set it uses that Postgres and needs none of its own."

run: ## install what is missing, build, start the server with a Postgres of its own
	@scripts/run

demo: ## the same with a café to look around in, under DATA=./demo (it says how to sign in)
	@DATA=$(or $(filter-out ./data,$(DATA)),./demo) scripts/demo

dev: ## a server for while you write: CSS, scripts and texts come from disk, and change with a reload of the page
	@scripts/dev

test: ## everything, from nothing: format, lints, laws, scenarios, documents, end to end, browser
	@scripts/test all

test-one: ## some tests by name, with what they need built before (T=floor::, or T=deck P=engine)
	@scripts/test one "$(P)" $(T)

check: ## the quick part, for while you write: format, lints, unit tests, scenarios
	@scripts/test quick

fmt: ## put the code into its format
	@cargo fmt --all

bench: ## moves per second over HTTP beside pgbench with the same statements (about 4 minutes)
	@scripts/bench

bench-engine: ## how fast the rules alone are: moves and matches per second, for each game
	@cargo bench --locked -p engine --bench speed

release: ## a program guided by a profile, which spends less on each move (up to an hour; it says where it is)
	@scripts/release

pages: ## statements, time and bytes of every page with the demo's data (ARGS=million: with a million matches more)
	@scripts/pages $(ARGS)

watchers: ## 5,000 streams of one match and 2,000 of fifty: how soon each hears of a move, and what it takes of the server
	@cargo build --quiet --release --locked -p api --bin houserules
	@scripts/watchers

chaos: ## kill and freeze servers and Postgres, fill the disk, set the clock, all under load: CHAOS_KILLS=40 faults lose nothing
	@scripts/chaos

mutants: ## change one rule at a time, and list the changes that no test notices (about half an hour)
	@scripts/mutants $(ARGS)

leaks: ## leak one secret at a time, and list the leaks that no law notices (about ten minutes)
	@scripts/mutants leaks $(ARGS)

test-long: ## all tests, the long ones too, and the laws over many more matches (hours on two cores)
	@scripts/test long

fuzz: ## feed the engine arbitrary options, moves, saved states and tournaments (FUZZ_SECONDS=60 each; installs cargo-fuzz)
	@scripts/fuzz

deny: ## licences, advisories and sources of every dependency (installs cargo-deny, which takes minutes)
	@scripts/need cargo-deny
	@cargo deny --locked check

schema: ## write docs/openapi.json, the API's document, as the code says it now
	@scripts/schema

image: ## the container image, where there is a container engine
	@docker build --tag house-rules .
