package pages

import (
	"html"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"quatuor/api/pages/reference"
	"quatuor/api/problem"
)

// TestEveryProblemIsExplained checks that every type of problem has texts in every language, and a page that shows
// them.
func TestEveryProblemIsExplained(t *testing.T) {
	w := newTown(t)
	types := problem.Types()
	if len(types) < 70 {
		t.Errorf("only %d types", len(types))
	}
	for _, in := range w.pages.Texts.All() {
		list := w.in(in.Tag.String(), "/problems").Body.String()
		for _, kind := range types {
			body, err := reference.ExplainProblem(in, kind)
			if err != nil || body.Title == "" || body.Means == "" || body.Do == "" {
				t.Errorf("%v, %s: %+v, %v", in.Tag, kind.Slug, body, err)
			}
			if !strings.Contains(list, `href="/problems/`+kind.Slug+`"`) {
				t.Errorf("%v: the list lacks %s", in.Tag, kind.Slug)
			}
			page := html.UnescapeString(w.in(in.Tag.String(), "/problems/"+kind.Slug).Body.String())
			for _, text := range []string{"<h1>" + body.Title, body.Means, body.Do, strconv.Itoa(kind.Status)} {
				if !strings.Contains(page, text) {
					t.Errorf("%v: the page of %s lacks %q", in.Tag, kind.Slug, text)
				}
			}
		}
	}
	if w.in("en", "/problems/nothing").Code != http.StatusNotFound {
		t.Error("a type that is not there has a page")
	}
}
