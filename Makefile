# The commands of every day. `make check` is what a change must pass.

TOOL   = go tool -modfile=cmd/tools.mod
LINT   = $(TOOL) golangci-lint
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT  ?= $(shell git rev-parse HEAD 2>/dev/null)
STAMP  = $(if $(VERSION),-X quatuor/cmd/quatuor/app.release=$(VERSION)) $(if $(COMMIT),-X quatuor/cmd/quatuor/app.commit=$(COMMIT))
TAGS   = sqlite_omit_load_extension,osusergo,netgo,timetzdata
PURE   = -tags $(TAGS) -trimpath -buildvcs=false -ldflags '-s -w $(STAMP)'
STATIC = -tags $(TAGS) -trimpath -buildvcs=false -ldflags '-s -w -linkmode external -extldflags -static $(STAMP)'
OUT    = quatuor
DIST   = dist

# A release. C is compiled for the platforms that have a compiler here (Debian: gcc-aarch64-linux-gnu,
# gcc-mingw-w64-x86-64); the others get SQLite in Go.
CC_linux_amd64   = x86_64-linux-gnu-gcc
CC_linux_arm64   = aarch64-linux-gnu-gcc
CC_windows_amd64 = x86_64-w64-mingw32-gcc
PROGRAMS = $(addprefix $(DIST)/quatuor-,linux-amd64 linux-arm64 windows-amd64.exe macos-amd64 macos-arm64)
PACKAGES = $(foreach arch,amd64 arm64,$(DIST)/quatuor-linux-$(arch).deb $(DIST)/quatuor-linux-$(arch).rpm)
IMAGE    = $(DIST)/quatuor-image.tar
FILES    = $(DIST)/files
PACKAGING = cmd/quatuor/packaging
# What is not tagged has a version before every release.
PACKAGE_VERSION = $(if $(filter v%,$(VERSION)),$(VERSION),v0.0.0-$(or $(VERSION),unknown))
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
BUILDAH = buildah --root $(abspath $(DIST))/containers --runroot $(abspath $(DIST))/containers/run --storage-driver vfs

.PHONY: run quick test race check check-all lint format generate build static release vulncheck outdated exactness bench browser screenshots clean

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

release: ## what is published, in dist: programs, packages, image, licences, SBOMs, checksums; see docs/releasing.md
	rm -rf $(DIST)
	$(MAKE) --no-print-directory $(PROGRAMS) $(PACKAGES) $(PROGRAMS:=.cdx.json) $(IMAGE)
	rm -rf $(FILES)
	cd $(DIST) && sha256sum LICENSES.txt quatuor-* >SHA256SUMS && cat SHA256SUMS

$(PROGRAMS): $(DIST)/quatuor-%:
	$(eval os = $(word 1,$(subst -, ,$*)))
	$(eval arch = $(basename $(word 2,$(subst -, ,$*))))
	$(eval compiler = $(CC_$(os)_$(arch)))
	CGO_ENABLED=$(if $(compiler),1 CC=$(compiler),0) GOOS=$(os:macos=darwin) GOARCH=$(arch) \
		go build $(if $(compiler),$(STATIC),$(PURE)) -o $@ ./cmd/quatuor

$(DIST)/quatuor-%.cdx.json: $(DIST)/quatuor-%
	$(TOOL) cyclonedx-gomod bin -json -std -noserial -notimestamp -version $(PACKAGE_VERSION) -output $@ $<

$(DIST)/LICENSES.txt: $(PROGRAMS)
	$(PACKAGING)/licenses.sh $(PROGRAMS) >$@

$(FILES): # what packages install beside the program
	mkdir -p $(FILES)/data
	go run -ldflags '$(STAMP)' ./cmd/quatuor manual $(FILES)
	gzip -9nf $(FILES)/quatuor.1
	sed 's|/usr/local/bin|/usr/bin|' docs/quatuor.service >$(FILES)/quatuor.service
	cp /etc/ssl/certs/ca-certificates.crt $(FILES)

define package
$(DIST)/quatuor-linux-%.$(1): $(DIST)/quatuor-linux-% $(DIST)/LICENSES.txt | $(FILES)
	ARCH=$$* DIST=$(DIST) FILES=$(FILES) PACKAGE_VERSION=$(PACKAGE_VERSION) \
		$(TOOL) nfpm package --config $(PACKAGING)/nfpm.yaml --packager $(1) --target $$@
endef
$(foreach form,deb rpm,$(eval $(call package,$(form))))

$(IMAGE): $(DIST)/quatuor-linux-amd64 $(DIST)/quatuor-linux-arm64 $(DIST)/LICENSES.txt | $(FILES)
	$(BUILDAH) build --isolation chroot --platform linux/amd64,linux/arm64 --timestamp $(SOURCE_DATE_EPOCH) \
		--manifest quatuor:$(VERSION) --file $(PACKAGING)/Containerfile $(DIST)
	$(BUILDAH) manifest push --all quatuor:$(VERSION) oci-archive:$@
	rm -rf $(DIST)/containers

vulncheck: ## known vulnerabilities in what the program calls
	$(TOOL) govulncheck ./...

outdated: ## newer versions of modules that are imported, and of the developers' tools
	go list -m -u -f '{{with .Update}}{{$$.Path}} {{$$.Version}}, newest {{.Version}}{{end}}' $$(go list -m -f '{{if not (or .Main .Indirect)}}{{.Path}}{{end}}' all)
	go list -modfile=cmd/tools.mod -m -u -f '{{with .Update}}{{$$.Path}} {{$$.Version}}, newest {{.Version}}{{end}}' $$(go list -modfile=cmd/tools.mod -f '{{.Module.Path}}' tool)

exactness: ## the comparisons of docs/exactness.md; BBP=the program bbpPairings, if you have it
	go test ./tournament/pairing/swiss -run 'KnownRounds|LargeFields|Unpairable' -v
	go test ./tournament/standings -run 'KnownTables|PublishedExercise' -v
	go test ./tournament/trf/check -timeout 0 -v -args -check.clean=10000 -check.faults=2000
	QUATUOR_LONG=hours go test ./tournament/pairing/tables -run 'KnownAnswersAgree|PlantedFaults' -v
	go test ./tournament/trf -run Spoilt -v
	go test ./cmd/quatuor/dutch -timeout 0 -run 'AsBbp|FaultsOfBbp' -v -args -bbp=$(abspath $(BBP)) -exact.first=1000 -exact.count=1500
	go test ./cmd/quatuor/dutch -timeout 0 -run TournamentsOfBbp -v -args -bbp=$(abspath $(BBP)) -exact.first=1 -exact.count=50000
	go test ./cmd/quatuor/dutch -timeout 0 -run BbpPairingsFinds -v -args -bbp=$(abspath $(BBP)) -exact.first=200000 -exact.count=50000

bench: ## benchmarks; compare two runs with benchstat
	go test -run '^$$' -bench . -benchmem ./...

browser: ## the pages, in a real browser
	bash .ci/run tools browser_all

screenshots: build ## the pictures in docs, from a demonstration evening
	cd .ci && npm ci --no-progress && QUATUOR_BINARY=$(CURDIR)/quatuor node browser/screenshots.js

clean:
	rm -rf quatuor $(DIST)
	rm -rf .ci/node_modules
