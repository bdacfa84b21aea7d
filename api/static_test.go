package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/pages/static"
)

// testStaticFilesAreCompressed requests every file with and without compression.
func testStaticFilesAreCompressed(t *testing.T, f *apitest.Fixture) {
	for name := range static.Paths {
		address := f.Pages.Assets.Address(name)
		plain := f.Get(address, "", apitest.Header{"Accept-Encoding", "br, gzip;q=0"})
		short := f.Get(address, "", apitest.Header{"Accept-Encoding", "br, gzip"})
		if plain.Status != http.StatusOK || plain.Header.Get("Content-Encoding") != "" || len(plain.Raw) == 0 {
			t.Errorf("%s: %v", name, plain.Header)
		}
		if short.Header.Get("ETag") != plain.Header.Get("ETag") || short.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", name, short.Header)
		}
		if short.Header.Get("Content-Encoding") == "" {
			continue // it would be no shorter
		}
		reader, err := gzip.NewReader(bytes.NewReader(short.Raw))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, err := io.ReadAll(reader); err != nil || !bytes.Equal(text, plain.Raw) {
			t.Errorf("%s comes otherwise when it is compressed: %v", name, err)
		}
	}
}

// testModulesNameEachOtherByAddress checks that a browser need not revalidate modules.
func testModulesNameEachOtherByAddress(t *testing.T, f *apitest.Fixture) {
	for _, pair := range [][2]string{
		{"live.js", "merge.js"},
		{"merge.js", "idiomorph.js"},
		{"worker.js", "switchboard.js"},
		{"exchange.js", "worker.js"},
	} {
		used := f.Pages.Assets.Address(pair[1])
		if !strings.Contains(f.Page("/static/"+pair[0], ""), strings.TrimPrefix(used, "/static/")) {
			t.Errorf("%s does not name %s", pair[0], used)
		}
	}
	policy := f.Get("/static/worker.js", "").Header.Get("Content-Security-Policy")
	if policy != "default-src 'none'; script-src 'self'; connect-src 'self'" {
		t.Errorf("a worker may %q", policy)
	}
}
