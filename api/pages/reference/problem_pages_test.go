package reference_test

import (
	"html"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/pages/reference"
	"quatuor/api/problem"
)

// TestEveryProblemIsExplained checks that every type of problem has texts in every language, and a page that shows
// them.
func TestEveryProblemIsExplained(t *testing.T) {
	f := apitest.NewFixture(t)
	types := problem.Types()
	if len(types) < 70 {
		t.Errorf("only %d types", len(types))
	}
	for _, in := range apitest.Languages() {
		list := string(f.Get("/problems", "", apitest.InLanguage(in)).Raw)
		for _, kind := range types {
			body, err := reference.ExplainProblem(in, kind)
			if err != nil || body.Title == "" || body.Means == "" || body.Do == "" {
				t.Errorf("%v, %s: %+v, %v", in.Tag, kind.Slug, body, err)
			}
			if !strings.Contains(list, `href="/problems/`+kind.Slug+`"`) {
				t.Errorf("%v: the list lacks %s", in.Tag, kind.Slug)
			}
			page := html.UnescapeString(string(f.Get("/problems/"+kind.Slug, "", apitest.InLanguage(in)).Raw))
			for _, text := range []string{"<h1>" + body.Title, body.Means, body.Do, strconv.Itoa(kind.Status)} {
				if !strings.Contains(page, text) {
					t.Errorf("%v: the page of %s lacks %q", in.Tag, kind.Slug, text)
				}
			}
		}
	}
	f.Get("/problems/nothing", "").Want(t, http.StatusNotFound)
}
