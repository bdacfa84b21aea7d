# The commands of every day. `make check` is what a change must pass.

LINT   = go tool -modfile=cmd/tools.mod golangci-lint
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT  ?= $(shell git rev-parse HEAD 2>/dev/null)
STAMP  = $(if $(VERSION),-X quatuor/cmd/quatuor/app.release=$(VERSION)) $(if $(COMMIT),-X quatuor/cmd/quatuor/app.commit=$(COMMIT))
TAGS   = sqlite_omit_load_extension,osusergo,netgo,timetzdata
STATIC = -tags $(TAGS) -trimpath -ldflags '-s -w -linkmode external -extldflags -static $(STAMP)'
OUT    = quatuor
DIST   = dist

# The platforms of a release, and the compilers for the C in them (Debian: gcc-aarch64-linux-gnu, gcc-mingw-w64-x86-64).
CC_linux_amd64   = x86_64-linux-gnu-gcc
CC_linux_arm64   = aarch64-linux-gnu-gcc
CC_windows_amd64 = x86_64-w64-mingw32-gcc
RELEASED = $(DIST)/quatuor-linux-amd64 $(DIST)/quatuor-linux-arm64 $(DIST)/quatuor-windows-amd64.exe

.PHONY: run quick test race check check-all lint format generate build static release bench browser screenshots clean

run: build ## a server with a demonstration tournament
	./quatuor demo

quick: ## the tests of every few minutes
	go test -short ./...

test: ## the tests, as the README says
	go test ./...

race: ## the tests, with the race detector
	bash .ci/run race_all

check: ## what a change must pass
	bash .ci/run

check-all: ## everything that CI checks
	bash .ci/run all

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

release: ## what is published: a program for each platform, and their checksums; see docs/releasing.md
	rm -rf $(DIST)
	$(MAKE) --no-print-directory $(RELEASED)
	cd $(DIST) && sha256sum quatuor-* >SHA256SUMS && cat SHA256SUMS

$(DIST)/quatuor-%:
	$(eval os = $(word 1,$(subst -, ,$*)))
	$(eval arch = $(basename $(word 2,$(subst -, ,$*))))
	CGO_ENABLED=1 GOOS=$(os) GOARCH=$(arch) CC=$(CC_$(os)_$(arch)) go build $(STATIC) -o $@ ./cmd/quatuor

bench: ## benchmarks; compare two runs with benchstat
	go test -run '^$$' -bench . -benchmem ./...

browser: ## the pages, in a real browser
	bash .ci/run tools browser_all

screenshots: build ## the pictures in docs, from a demonstration evening
	cd .ci && npm ci --no-progress && QUATUOR_BINARY=$(CURDIR)/quatuor node browser/screenshots.js

clean:
	rm -rf quatuor $(DIST)
	rm -rf .ci/node_modules
