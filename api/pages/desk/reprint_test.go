package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
)

// TestSheetsToBePrintedAnew: the desk and the sheets warn the staff of the tournament, and no other reader, once
// pairings or starting numbers have changed since this browser opened them.
func TestSheetsToBePrintedAnew(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	d.publish(t)
	var kept apitest.Header
	desk, again := apitest.TextOf(t, apitest.Languages()[0], "desk.reprint"),
		apitest.TextOf(t, apitest.Languages()[0], "print.anew")
	english := apitest.Header{"Accept-Language", "en"}
	const name = "printed-"
	open := func(kind string) *apitest.Answer {
		t.Helper()
		a := d.olga.Get("//tournaments/"+d.id+"/print/"+kind, english, kept).Want(t, http.StatusOK)
		for _, c := range (&http.Response{Header: a.Header}).Cookies() {
			if c.Name == name+d.id && c.HttpOnly {
				kept = apitest.Header{"Cookie", c.Name + "=" + c.Value}
			}
		}
		return a
	}
	atDesk := func() *apitest.Answer {
		t.Helper()
		return d.olga.Get(d.tab("results"), english, kept).Want(t, http.StatusOK)
	}
	swap := func() {
		t.Helper()
		now := d.stored(t, 1)
		d.olga.PostForm(d.to("round/edit"), url.Values{
			"act": {"swap"}, "seen": {d.seen(t, "round")},
			"seat": {now.Text("pairings", 0, "seats", 0), now.Text("pairings", 1, "seats", 0)},
		}).Want(t, http.StatusSeeOther)
	}
	atDesk().Lacks(t, desk)
	open("pairings").Lacks(t, again)
	if kept[1] == "" {
		t.Fatal("the browser keeps nothing")
	}
	atDesk().Lacks(t, desk)
	d.result(d.olga, 1, 3, url.Values{"result": {"1-0"}, "seen": {d.tags(t, 1)["3"]}}).Want(t, http.StatusOK)
	atDesk().Lacks(t, desk)
	swap()
	atDesk().Says(t, desk, "/print/pairings")
	open("names").Says(t, again)
	atDesk().Lacks(t, desk)
	open("pairings").Lacks(t, again)
	d.olga.Post("/tournaments/"+d.id+"/entries", map[string]any{"name": "Late", "rating": 2500}).
		Want(t, http.StatusCreated)
	atDesk().Says(t, desk) // all numbers are others

	sheet := d.s.Anonymous().Get("//tournaments/"+d.id+"/print/pairings", kept).Want(t, http.StatusOK).Lacks(t, again)
	if got := sheet.Header.Get("Set-Cookie"); strings.Contains(got, name) {
		t.Errorf("a reader's browser keeps %s", got)
	}
}
