package main

import (
	"bytes"
	"encoding/json"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestVersion reads both formats of the version.
func TestVersion(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run([]string{"version"}, strings.NewReader(""), &out, &errs); status != exitOK {
		t.Fatalf("status %d: %s", status, &errs)
	}
	form := regexp.MustCompile(`^quatuor \S+\ncommit \S+(, modified)?\n` + regexp.QuoteMeta(runtime.Version()) +
		`, SQLite 3\.\d+\.\d+ in (C|Go), \w+/\w+\n$`)
	if !form.MatchString(out.String()) {
		t.Errorf("version prints %q", &out)
	}
	text := out.String()
	out.Reset()
	if status := run([]string{"version", "--json"}, strings.NewReader(""), &out, &errs); status != exitOK {
		t.Fatalf("status %d: %s", status, &errs)
	}
	var b map[string]any
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"version", "commit", "go", "sqlite", "sqlite_library", "platform"} {
		if said, _ := b[name].(string); said == "" || !strings.Contains(text, said) {
			t.Errorf("%s is %q in JSON, and the text is %q", name, said, text)
		}
	}
}
