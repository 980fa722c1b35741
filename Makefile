SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# -count=1: some tests run the go command or a client, whose inputs the test cache does not see.
# -shuffle: no test may need another to have run before it.
GOTEST := go test -count=1 -shuffle=on -timeout=10m

GOLANGCI_VERSION ?= v2.15.0
FUZZTIME   ?= 10s
MUTANTS    ?= 1
BENCH      ?=
MICRO      ?= .
CLIENT     := internal/conformance
PEERS      := internal/bench
SEED       ?= 1
SEQUENCES  ?= 1000000
PROGRAMS   ?= 50000
EXPLORE    ?= 20m
SOAK       ?= 30m

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 20

.PHONY: test
test: ## the test command: every check below down to client-test, with the time of each
	@MAKE='$(MAKE)' scripts/test.sh

.PHONY: check-tools
check-tools: ## say which tools are missing: Go, a C compiler, Node.js, npm
	@scripts/check-tools.sh

.PHONY: fmt-check
fmt-check: ## fail when gofmt would change a file
	@gofmt="$$(go env GOROOT)/bin/gofmt"; \
	bad=$$(find . \( -name .git -o -name node_modules \) -prune -o -name '*.go' -exec "$$gofmt" -l {} +); \
	if [ -n "$$bad" ]; then echo "gofmt would change:"; echo "$$bad"; exit 1; fi

.PHONY: vet
vet: ## go vet in all three builds
	go vet ./...
	go vet -tags aguidebug ./...
	go vet -tags aguinoverify ./...

.PHONY: check-generated
check-generated: ## fail when a generated file is out of date
	@MAKE='$(MAKE)' scripts/check-generated.sh

.PHONY: rename-check
rename-check: ## rename a copy of the module, and build and test the copy
	@MAKE='$(MAKE)' scripts/rename-check.sh

.PHONY: test-default
test-default: ## all tests
	$(GOTEST) ./...

.PHONY: test-debug
test-debug: ## all tests, violations panic
	$(GOTEST) -tags aguidebug ./...

.PHONY: test-noverify
test-noverify: ## all tests, the emitter does not verify
	$(GOTEST) -tags aguinoverify ./...

.PHONY: race
race: ## all tests under the race detector
	CGO_ENABLED=1 $(GOTEST) -race ./...

.PHONY: client-test
client-test: ## the official client runs the example agent and judges random runs, under Node.js
	cd $(CLIENT) && npm ci --no-audit --no-fund
	$(GOTEST) -tags conformance ./$(CLIENT)/...

.PHONY: conformance
conformance: ## the long run against the official client, over an hour: SEED, SEQUENCES, PROGRAMS, EXPLORE
	cd $(CLIENT) && npm ci --no-audit --no-fund
	go test -count=1 -timeout=4h -v -tags conformance -run '^Test(CaseFile|Schema|Members|Programs|Verdicts|EveryState|StateText)' \
		./$(CLIENT) -seed $(SEED) -sequences $(SEQUENCES) -programs $(PROGRAMS) -explore $(EXPLORE)

.PHONY: soak
soak: ## the fault campaign under the race detector for SOAK (30m), with SEED, and 2,000 idle streams
	CGO_ENABLED=1 go test -race -count=1 -timeout=3h -v -run '^TestCampaign$$' ./internal/faults -faults.time $(SOAK) -faults.seed $(SEED)
	go test -count=1 -v -run '^TestIdleStreams$$' ./internal/faults -faults.idle 2000

.PHONY: lint
lint: ## golangci-lint; not part of test: the first run builds the linter, which takes minutes
	go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION) run ./...

.PHONY: mutation
mutation: ## what the tests of verify would miss, into docs/mutation.md; MUTANTS (1) at a time, ten minutes
	go run ./internal/mutation -p $(MUTANTS)

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (10s) each
	@go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | while read -r pkg; do \
		{ go test -list '^Fuzz' "$$pkg" | grep '^Fuzz' || true; } | while read -r name; do \
			echo "== $$pkg $$name"; \
			go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) "$$pkg"; \
		done; \
	done

.PHONY: bench
bench: ## measure beside peers, into docs/benchmarks.md, and check the goals: about eight minutes; BENCH='-run content' for a part
	cd $(CLIENT) && npm ci --no-audit --no-fund
	cd $(PEERS) && go run . $(if $(BENCH),$(BENCH),-write ../../docs/benchmarks.md)

.PHONY: bench-record
bench-record: ## make bench, and put its ratios on record for later runs to compare with
	cd $(CLIENT) && npm ci --no-audit --no-fund
	cd $(PEERS) && go run . -write ../../docs/benchmarks.md -record ratios.json

.PHONY: bench-test
bench-test: ## the benchmarks beside peers work: each row small, its output compared
	cd $(PEERS) && go vet ./...
	cd $(PEERS) && $(GOTEST) ./...

.PHONY: microbench
microbench: ## the benchmarks of the packages whose name matches MICRO
	go test -run '^$$' -bench '$(MICRO)' -benchmem ./...

.PHONY: generate
generate: ## write the generated files anew
	go generate ./...

.PHONY: rename
rename: ## give the module another path: make rename MODULE=example.com/agui
	@scripts/rename.sh "$${MODULE:-}"

.PHONY: clean
clean: ## remove what building and testing left
	rm -rf bin $(CLIENT)/node_modules
	find . -name .git -prune -o -type f \( -name '*.test' -o -name '*.prof' \) -exec rm -f {} +
	go clean -testcache
