package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestSheetsToBePrintedAnew: the desk and the sheets say so once pairings or starting numbers have changed since this
// browser opened them, and only to those who run the tournament.
func TestSheetsToBePrintedAnew(t *testing.T) {
	d := newRounds(t, 6)
	d.draw(t, 1)
	d.publish(t)
	var kept header
	desk, again := textOf(t, languages()[0], "desk.reprint"), textOf(t, languages()[0], "print.anew")
	english := header{"Accept-Language", "en"}
	const name = "printed-"
	open := func(kind string) *answer {
		t.Helper()
		a := d.olga.get("//tournaments/"+d.id+"/print/"+kind, english, kept).want(t, http.StatusOK)
		for _, c := range (&http.Response{Header: a.header}).Cookies() {
			if c.Name == name+d.id && c.HttpOnly {
				kept = header{"Cookie", c.Name + "=" + c.Value}
			}
		}
		return a
	}
	atDesk := func() *answer {
		t.Helper()
		return d.olga.get(d.tab("results"), english, kept).want(t, http.StatusOK)
	}
	swap := func() {
		t.Helper()
		now := d.stored(t, 1)
		d.olga.form(d.to("round/edit"), url.Values{
			"act": {"swap"}, "seen": {d.seen(t, "round")},
			"seat": {now.text("pairings", 0, "seats", 0), now.text("pairings", 1, "seats", 0)},
		}).want(t, http.StatusSeeOther)
	}
	atDesk().lacks(t, desk)
	open("pairings").lacks(t, again)
	if kept.value == "" {
		t.Fatal("the browser keeps nothing")
	}
	atDesk().lacks(t, desk)
	d.result(d.olga, 1, 3, url.Values{"result": {"1-0"}, "seen": {d.tags(t, 1)["3"]}}).want(t, http.StatusOK)
	atDesk().lacks(t, desk)
	swap()
	atDesk().says(t, desk, "/print/pairings")
	open("names").says(t, again)
	atDesk().lacks(t, desk)
	open("pairings").lacks(t, again)
	d.olga.post("/tournaments/"+d.id+"/entries", map[string]any{"name": "Late", "rating": 2500}).want(t, http.StatusCreated)
	atDesk().says(t, desk) // all numbers are others

	sheet := d.s.anonymous().get("//tournaments/"+d.id+"/print/pairings", kept).want(t, http.StatusOK).lacks(t, again)
	if got := sheet.header.Get("Set-Cookie"); strings.Contains(got, name) {
		t.Errorf("a reader's browser keeps %s", got)
	}
}
