# The commands of every day. `make check` is what a change must pass.

LINT   = go tool -modfile=cmd/tools.mod golangci-lint
STATIC = -tags sqlite_omit_load_extension,osusergo,netgo,timetzdata -trimpath -ldflags '-s -w -linkmode external -extldflags -static'
OUT    = quatuor

.PHONY: run test race check lint format generate build static bench browser screenshots clean

run: build ## a server with a demonstration tournament
	./quatuor demo

test: ## the tests, as the README says
	go test ./...

race: ## the tests, with the race detector
	go test -race ./...

check: ## everything that CI checks
	bash .ci/run

lint: ## what the linter finds
	$(LINT) run
	$(LINT) fmt --diff

format: ## gofumpt, in place
	$(LINT) fmt

generate: ## api/gen from openapi.yaml
	go generate ./...

build: ## the program, linked as usual
	go build -o quatuor ./cmd/quatuor

static: ## the program with nothing it needs from the system
	CGO_ENABLED=1 go build $(STATIC) -o $(OUT) ./cmd/quatuor

bench: ## benchmarks; compare two runs with benchstat
	go test -run '^$$' -bench . -benchmem ./...

browser: ## the pages, in a real browser
	bash .ci/run tools browser

screenshots: build ## the pictures in docs, from a demonstration evening
	cd .ci && npm ci --no-progress && QUATUOR_BINARY=$(CURDIR)/quatuor node browser/screenshots.js

clean:
	rm -f quatuor
	rm -rf .ci/node_modules
