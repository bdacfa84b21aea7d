package pages

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestStaticFilesAreCompressed asks for every file with and without compression.
func TestStaticFilesAreCompressed(t *testing.T) {
	w := newTown(t)
	get := func(path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", accept)
		answer := httptest.NewRecorder()
		w.echo.ServeHTTP(answer, r)
		return answer
	}
	for name, file := range w.pages.assets {
		address := w.pages.assets.address(name)
		plain, short := get(address, "br, gzip;q=0"), get(address, "br, gzip")
		if plain.Header().Get("Content-Encoding") != "" || !bytes.Equal(plain.Body.Bytes(), file.content) {
			t.Errorf("%s: %v", name, plain.Header())
		}
		if short.Header().Get("ETag") != plain.Header().Get("ETag") || short.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %v", name, short.Header())
		}
		if file.gzipped == nil {
			continue
		}
		reader, err := gzip.NewReader(short.Body)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, err := io.ReadAll(reader); err != nil || !bytes.Equal(text, file.content) {
			t.Errorf("%s comes otherwise when it is compressed: %v", name, err)
		}
	}
}

// TestModulesNameEachOtherByAddress sees that a browser need not ask whether a module has changed.
func TestModulesNameEachOtherByAddress(t *testing.T) {
	w := newTown(t)
	for _, pair := range [][2]string{{"live.js", "merge.js"}, {"merge.js", "idiomorph.js"}, {"worker.js", "switchboard.js"}, {"exchange.js", "worker.js"}} {
		if used := w.pages.assets.address(pair[1]); !strings.Contains(string(w.pages.assets[pair[0]].content), strings.TrimPrefix(used, "/static/")) {
			t.Errorf("%s does not name %s", pair[0], used)
		}
	}
	if policy := w.get("/static/worker.js", "").Header().Get("Content-Security-Policy"); policy != workerPolicy {
		t.Errorf("a worker may %q", policy)
	}
}
