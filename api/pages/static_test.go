package pages

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/pages/static"
)

// TestStaticFilesAreCompressed requests every file with and without compression.
func TestStaticFilesAreCompressed(t *testing.T) {
	w := newTown(t)
	for name := range static.Paths {
		address := w.pages.Assets.Address(name)
		plain, short := w.sent(address, "br, gzip;q=0"), w.sent(address, "br, gzip")
		if plain.Code != http.StatusOK || plain.Header().Get("Content-Encoding") != "" || plain.Body.Len() == 0 {
			t.Errorf("%s: %v", name, plain.Header())
		}
		if short.Header().Get("ETag") != plain.Header().Get("ETag") || short.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", name, short.Header())
		}
		if short.Header().Get("Content-Encoding") == "" {
			continue // it would be no shorter
		}
		reader, err := gzip.NewReader(short.Body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, err := io.ReadAll(reader); err != nil || !bytes.Equal(text, plain.Body.Bytes()) {
			t.Errorf("%s comes otherwise when it is compressed: %v", name, err)
		}
	}
}

// TestModulesNameEachOtherByAddress checks that a browser need not revalidate modules.
func TestModulesNameEachOtherByAddress(t *testing.T) {
	w := newTown(t)
	for _, pair := range [][2]string{
		{"live.js", "merge.js"},
		{"merge.js", "idiomorph.js"},
		{"worker.js", "switchboard.js"},
		{"exchange.js", "worker.js"},
	} {
		used := w.pages.Assets.Address(pair[1])
		if !strings.Contains(w.page("/static/"+pair[0], ""), strings.TrimPrefix(used, "/static/")) {
			t.Errorf("%s does not name %s", pair[0], used)
		}
	}
	policy := w.get("/static/worker.js", "").Header().Get("Content-Security-Policy")
	if policy != "default-src 'none'; script-src 'self'; connect-src 'self'" {
		t.Errorf("a worker may %q", policy)
	}
}
