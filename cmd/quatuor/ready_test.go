package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestReadyCommand checks a ready service, a service that is not ready, another program, and nothing.
func TestReadyCommand(t *testing.T) {
	answer := func(status int, body string) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/readyz" {
				t.Errorf("%s was asked", r.URL.Path)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, c := range []struct {
		server string
		status int
		output string
	}{
		{answer(http.StatusOK, `{"status":"ok","version":"v1.2.3"}`), exitOK, "ready: v1.2.3\n"},
		{answer(http.StatusServiceUnavailable, `{"status":503,"detail":"all games stand still"}`), exitFailure, "not ready: all games stand still\n"},
		{answer(http.StatusOK, `<html>`) + "/", exitFailure, "is no quatuor"},
		{gone.URL, exitFailure, "not ready: it does not answer"},
	} {
		var out, errs bytes.Buffer
		status := run([]string{"ready", "--server", c.server}, strings.NewReader(""), &out, &errs)
		if output := out.String() + errs.String(); status != c.status || !strings.Contains(output, c.output) {
			t.Errorf("%d %q, want %d %q", status, output, c.status, c.output)
		}
	}
}
