package desk_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/sentence"
)

// TestAnEveningInOtherLanguages fills a tournament with what makes the domain speak: a draft that breaks rules,
// forbidden pairs, byes, forfeits, corrections, reasons and refused forms. No page in French or German has a word
// marked as English.
func TestAnEveningInOtherLanguages(t *testing.T) {
	d := newRounds(t, 7)
	d.olga.PostForm(d.to("forbidden"), url.Values{"first": {"Player A"}, "second": {"Player B"}}).
		Want(t, http.StatusSeeOther)
	d.draw(t, 1)
	d.publish(t)
	refused := d.eachLanguage(t, "results missing",
		refusedForm{"results/1/1", url.Values{"result": {"2-0"}}, ""},
		refusedForm{"results/1/1", url.Values{"result": {"1-0"}, "adjudicated": {"1"}}, ""},
		refusedForm{"results/1/1", url.Values{"result": {"1-0"}, "reason": {"a\u202eb"}}, ""},
		refusedForm{"round/pair", url.Values{"round": {"2"}}, ""},
		refusedForm{"results/1/list", url.Values{"list": {"Anna;Bert"}}, ""},
		refusedForm{"results/1/list", url.Values{"list": {"1;"}, "do": {"enter"}}, ""},
		refusedForm{"results/1/list", url.Values{"list": {"1,1-0"}, "do": {"enter"}, "seen-1": {"x"}}, ""},
		refusedForm{"results/1/list", url.Values{"list": {"77,1-0"}, "do": {"enter"}}, ""},
	)
	missing := sentence.New("round %d is not complete: board %d has no result", 1, 1)
	for _, in := range apitest.Languages()[1:] {
		if text := apitest.SentenceIn(t, in, missing); !strings.Contains(refused[in.Language()], text) {
			t.Errorf("no refusal in %s says %q", in.Language(), text)
		}
	}
	for board, tag := range d.tags(t, 1) {
		result := "1-0"
		if board == "1" {
			result = "+--"
		}
		d.olga.PostForm(d.to("results/1/"+board), url.Values{"seen": {tag}, "result": {result}}).Want(t, http.StatusSeeOther)
	}
	d.draw(t, 2)
	names := d.named(t)
	for _, pair := range [][2]string{{"Player A", "Player B"}, {"Player C", "Player D"}} { // the first are not to meet
		swap := []string{names[pair[1]]}
		for _, p := range d.stored(t, 2).List("pairings") {
			if seats := fmt.Sprint(p.(map[string]any)["seats"]); strings.Contains(seats, names[pair[0]]) {
				swap = append(swap, strings.Trim(strings.ReplaceAll(seats, names[pair[0]], ""), "[] "))
			}
		}
		d.olga.PostForm(d.to("round/edit"), url.Values{"act": {"swap"}, "seat": swap, "seen": {d.seen(t, "round")}}).
			Want(t, http.StatusSeeOther)
		draft := d.eachLanguage(t, "draft "+pair[0],
			refusedForm{"round/edit", url.Values{"act": {"swap"}}, "round"},
			refusedForm{"round/edit", url.Values{"act": {"bye"}, "bye": {"XXX"}}, "round"},
			refusedForm{
				"settings", url.Values{
					"sent": {"1"}, "name": {""}, "rounds": {"x"}, "tie_breaks": {"XX, BH/Q, BH, BH"},
					"no_show": {"-1"},
				}, "",
			},
			refusedForm{"forbidden", url.Values{"first": {"Nobody"}, "second": {"Player B"}}, ""},
			refusedForm{"add", url.Values{"names": {"\x01, 9999\n"}}, ""},
		)
		for _, in := range apitest.Languages()[1:] {
			if _, warning, _ := strings.Cut(apitest.SentenceIn(t, in, sentence.New("%s are not to meet", "|")),
				"|"); !strings.Contains(draft[in.Language()], warning) {
				t.Errorf("the draft in %s does not warn of two who are not to meet", in.Language())
			}
		}
	}
	d.olga.PostForm(d.to("round/publish"), url.Values{"seen": {d.seen(t, "round")}}).Want(t, http.StatusSeeOther)
	read := d.eachLanguage(t, "published")
	for _, in := range apitest.Languages()[1:] {
		had, _, _ := strings.Cut(apitest.SentenceIn(t, in, sentence.New("The system had %s.", "|")), "|")
		for _, text := range []string{apitest.SentenceIn(t, in, sentence.New("Set by the arbiter.")), had + "Player"} {
			if !strings.Contains(read[in.Language()], text) {
				t.Errorf("no page in %s says %q", in.Language(), text)
			}
		}
	}
}

// named returns the ids of the entries by their names.
func (d *rounds) named(t *testing.T) map[string]string {
	t.Helper()
	ids := map[string]string{}
	list := d.olga.Get("/tournaments/"+d.id+"/entries").Want(t, http.StatusOK)
	for i := range list.List("items") {
		ids[list.Text("items", i, "name")] = list.Text("items", i, "id")
	}
	return ids
}

// refusedForm is a form of the desk that is refused; tab is the tab with its hidden field "seen".
type refusedForm struct {
	path   string
	fields url.Values
	tab    string
}

// eachLanguage looks at the pages of the tournament in French and German, sends forms that are refused, and returns all
// that was read in each language.
func (d *rounds) eachLanguage(t *testing.T, when string, forms ...refusedForm) (read map[string]string) {
	t.Helper()
	read = map[string]string{}
	at, desk := "//tournaments/"+d.id, "//tournaments/"+d.id+"/desk"
	pages := []string{
		at, at + "/prizes", desk, desk + "?tab=entries", desk + "?tab=round", desk + "?tab=results", desk + "?tab=arbiter",
		desk + "?tab=settings",
	}
	for round := range len(d.olga.Get("/tournaments/" + d.id + "/rounds").List("items")) {
		pages = append(pages, fmt.Sprintf("%s/rounds/%d/explain", at, round+1), fmt.Sprintf("%s?round=%d", at, round+1))
	}
	for _, language := range []string{"fr", "de"} {
		reader := apitest.Header{"Accept-Language", language}
		for _, page := range pages {
			a := d.olga.Get(page, reader)
			d.inTheirLanguage(t, language, when+": "+page, a.Want(t, http.StatusOK))
			read[language] += a.Page()
		}
		for _, form := range forms {
			if form.tab != "" {
				form.fields.Set("seen", d.seen(t, form.tab))
			} else if strings.HasPrefix(form.path, "results/") {
				form.fields.Set("seen", d.tags(t, 1)["1"])
			}
			a := d.olga.PostForm(d.to(form.path), form.fields, reader)
			if a.Status < 400 || a.Status >= 500 || !strings.Contains(a.Page(), `role="alert"`) {
				t.Errorf("%s: %s in %s is not refused on a page: %d", when, form.path, language, a.Status)
			}
			d.inTheirLanguage(t, language, when+": "+form.path, a)
			read[language] += a.Page()
		}
	}
	return read
}

// inTheirLanguage finds parts of a page that are marked as English.
func (d *rounds) inTheirLanguage(t *testing.T, language, where string, a *apitest.Answer) {
	t.Helper()
	html := string(a.Raw)
	if !strings.Contains(html, `<html lang="`+language+`"`) {
		t.Errorf("%s: the page is not in %s: %.200s", where, language, html)
	}
	for i := range len(html) {
		if strings.HasPrefix(html[i:], ` lang="en"`) {
			t.Errorf("%s in %s is English: %.160s", where, language, html[max(0, i-20):])
		}
	}
}
