package problem

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
)

var update = flag.Bool("update", false, "write testdata/documents.jsonl anew")

// TestDocumentsAreAsTheyWere compares the documents of all errors in the table, and of other statuses, with the golden
// file.
func TestDocumentsAreAsTheyWere(t *testing.T) {
	const file = "testdata/documents.jsonl"
	var got strings.Builder
	show := func(err error) {
		p := Of(err, "/path", "request-1")
		header := http.Header{}
		SetHeaders(header, err, p.Status)
		text, fault := json.Marshal(p)
		if fault != nil {
			t.Fatal(fault)
		}
		fmt.Fprintf(&got, "%s %v\n", text, header)
	}
	for _, k := range kinds {
		show(fmt.Errorf("which one: %w", k.is))
	}
	for status := http.StatusBadRequest; status < 600; status++ {
		if http.StatusText(status) != "" {
			show(echo.NewHTTPError(status))
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	was, is := strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")
	if len(was) != len(is) {
		t.Errorf("%d lines, want %d", len(is), len(was))
	}
	for i := range min(len(was), len(is)) {
		if was[i] != is[i] {
			t.Errorf("line %d is\n%s\nand was\n%s", i+1, is[i], was[i])
		}
	}
}
