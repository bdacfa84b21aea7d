package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/pages/static"
)

// testStaticFilesAreCompressed requests every file with and without compression.
func testStaticFilesAreCompressed(t *testing.T, f *fixture) {
	for name := range static.Paths {
		address := f.pages.Assets.Address(name)
		plain := f.get(address, "", header{"Accept-Encoding", "br, gzip;q=0"})
		short := f.get(address, "", header{"Accept-Encoding", "br, gzip"})
		if plain.status != http.StatusOK || plain.header.Get("Content-Encoding") != "" || len(plain.raw) == 0 {
			t.Errorf("%s: %v", name, plain.header)
		}
		if short.header.Get("ETag") != plain.header.Get("ETag") || short.header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", name, short.header)
		}
		if short.header.Get("Content-Encoding") == "" {
			continue // it would be no shorter
		}
		reader, err := gzip.NewReader(bytes.NewReader(short.raw))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, err := io.ReadAll(reader); err != nil || !bytes.Equal(text, plain.raw) {
			t.Errorf("%s comes otherwise when it is compressed: %v", name, err)
		}
	}
}

// testModulesNameEachOtherByAddress checks that a browser need not revalidate modules.
func testModulesNameEachOtherByAddress(t *testing.T, f *fixture) {
	for _, pair := range [][2]string{
		{"live.js", "merge.js"},
		{"merge.js", "idiomorph.js"},
		{"worker.js", "switchboard.js"},
		{"exchange.js", "worker.js"},
	} {
		used := f.pages.Assets.Address(pair[1])
		if !strings.Contains(f.page("/static/"+pair[0], ""), strings.TrimPrefix(used, "/static/")) {
			t.Errorf("%s does not name %s", pair[0], used)
		}
	}
	policy := f.get("/static/worker.js", "").header.Get("Content-Security-Policy")
	if policy != "default-src 'none'; script-src 'self'; connect-src 'self'" {
		t.Errorf("a worker may %q", policy)
	}
}
