package tournaments_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament"
)

// TestTournamentsAreSorted: readers sort the list by state, name and date without scripts, and its pages have each
// tournament once. A draft is in no order; other orders and the cursor of another order are refused.
func TestTournamentsAreSorted(t *testing.T) {
	f := apitest.NewFixture(t)
	states := []tournament.Status{
		tournament.Finished, tournament.Running, tournament.Open, tournament.Archived,
		tournament.Draft,
	}
	for i := range 125 {
		v := &tournament.Tournament{
			ID: fmt.Sprintf("t%03d", i), Name: fmt.Sprintf("%c Cup %d", 'Z'-rune(i%26), i), Variant: "quixo/duel",
			Format: tournament.Swiss, RoundCount: 3, TimeControl: "300", Status: states[i%len(states)], Organiser: "p8",
			CreatedAt: f.Millis() + int64(i), StartsAt: f.Millis() + int64(i*37%125),
		}
		f.Put(v)
	}
	title := regexp.MustCompile(`<a class="title" href="/tournaments/(t\d+)">([^<]+)</a>`)
	next := regexp.MustCompile(`<a href="(\?[^"]*cursor=[^"]+)" rel="next">`)
	read := func(query string) (ids, names []string, pages int) {
		for {
			page := f.Page("/tournaments"+query, "")
			for _, found := range title.FindAllStringSubmatch(page, -1) {
				ids, names = append(ids, found[1]), append(names, found[2])
			}
			pages++
			more := next.FindStringSubmatch(page)
			if more == nil || pages > 9 {
				return ids, names, pages
			}
			query = strings.ReplaceAll(more[1], "&amp;", "&")
		}
	}
	byState, _, _ := read("")
	if same, _, _ := read("?sort=state"); !slices.Equal(same, byState) {
		t.Error("by state is not the order without a choice")
	}
	all := slices.Sorted(slices.Values(byState))
	_, byName, _ := read("?sort=name")
	byDate, _, pages := read("?sort=date")
	named, _, _ := read("?sort=name")
	for order, ids := range map[string][]string{"name": named, "date": byDate} {
		if !slices.Equal(slices.Sorted(slices.Values(ids)), all) || len(ids) != 100 || pages != 2 {
			t.Errorf("by %s there are %d tournaments on %d pages, of %d", order, len(ids), pages, len(all))
		}
	}
	if !slices.IsSortedFunc(byName,
		func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }) {
		t.Errorf("by name: %q", byName)
	}
	if !slices.IsSortedFunc(byDate, func(a, b string) int {
		return int(f.Tournament(b).StartsAt - f.Tournament(a).StartsAt)
	}) {
		t.Errorf("by date: %q", byDate)
	}
	for language, text := range map[string]string{"en": "Sort by", "fr": "Trier par", "de": "Sortieren nach"} {
		if page := f.Page("/tournaments?sort=name", "",
			apitest.Header{"Accept-Language", language}); !strings.Contains(page, text) ||
			!strings.Contains(page, `href="?sort=name" aria-current="true"`) {
			t.Errorf("%s: the page does not say how it is sorted", language)
		}
	}
	cursor := next.FindStringSubmatch(f.Page("/tournaments?sort=name", ""))[1]
	for query, status := range map[string]int{
		"?sort=rating": http.StatusNotFound, "?sort=NAME": http.StatusNotFound, "?sort=name&sort=date": http.StatusBadRequest,
		"?sort=name&cursor=x": http.StatusBadRequest, strings.NewReplacer("sort=name", "sort=date", "&amp;", "&").Replace(cursor): http.StatusBadRequest,
	} {
		if got := f.Get("/tournaments"+query, "").Status; got != status {
			t.Errorf("%s is answered with %d, want %d", query, got, status)
		}
	}
}
