package pages

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"quatuor/api/pages/message"
)

// TestEveryTemplateCanBeMade makes the sets of all pages in all languages, as their first readers do.
func TestEveryTemplateCanBeMade(t *testing.T) {
	p := newTown(t).pages
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, printer := range p.texts.All() {
		for _, name := range names {
			page := strings.TrimSuffix(path.Base(name), ".html")
			set := p.languages[printer.Tag].of(page)
			if set == nil || set.Lookup("main") == nil && page != "layout" {
				t.Errorf("%s in %v has no main part", page, printer.Tag)
			}
		}
	}
	if len(p.languages) != len(message.Languages) || p.languages[p.texts.All()[0].Tag].of("nothing") != nil {
		t.Error("a page that is not there has a set")
	}
}
