package api_test

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"quatuor/api"
	"quatuor/api/apitest"
	"quatuor/api/pages"
	"quatuor/tournament"
)

// addresses are pages of every kind in the test's club, with text that each must and must not contain.
var addresses = []struct {
	path, as  string
	has, lack []string
}{
	{
		path: "/",
		has: []string{
			"Tournaments now", "Tuesday Evening Quixo", "Games in play", "Winter Quits", "Latest results", "1 of 4 results in",
		},
		lack: []string{"Surprise Open"},
	},
	{path: "/tournaments", has: []string{"Autumn Cup", "Winter Quits"}, lack: []string{"Surprise Open"}},
	{
		path: "/tournaments/tuesday",
		has: []string{
			"Round 3 of 7", ">after 1 of 4 results of round 3</small>",
			`data-live="/tournaments/tuesday/live?tab=round&amp;version=13"`, "in play", `href="/tournaments/tuesday/players/1"`,
		},
	},
	{
		path: "/tournaments/tuesday?round=1",
		has:  []string{"Round 1 of 7", ">after round 1</small>"}, lack: []string{"data-live", "in play"},
	},
	{path: "/tournaments/autumn", has: []string{"has the bye", "Standings", "finished"}, lack: []string{"after round"}},
	{
		path: "/tournaments/winter",
		has:  []string{"<h2>Players</h2>", "10 min, then 5 × 30 s", "Swiss system", "3 entries", `data-n="3"`},
		lack: []string{"Standings", "Crosstable"},
	},
	{path: "/tournaments/secret", as: "p8", has: []string{"Surprise Open", "No entries yet", "no clock"}},
	{
		path: "/tournaments/autumn/crosstable",
		has: []string{
			">after round 5</small>", `class="self"`, `href="/tournaments/autumn/players/2"`, `href="/games/autumn-1-`,
		},
	},
	{path: "/tournaments/winter/crosstable", has: []string{"No round has been played yet"}},
	{path: "/tournaments/ladder/crosstable", has: []string{"R1", "R2", "<sup>1</sup>", "bye", "*"}},
	{path: "/tournaments/ladder", as: "p8", has: []string{"only organisers see this round", "does not play"}},
	{path: "/tournaments/ladder", has: []string{"Round 2 of 3", "&#43; : −"}, lack: []string{"only the organisers"}},
	{path: "/tournaments/ladder", has: []string{"adjourned", "Friday at 8"}, lack: []string{"corrected", "Warnings"}},
	{path: "/tournaments/ladder?tab=info", has: []string{`href="/tournaments/ladder/history"`}},
	{path: "/tournaments/ladder?round=1", has: []string{"corrected"}},
	{path: "/tournaments/ladder?round=1", as: "p8", lack: []string{"Warnings"}},
	{
		path: "/tournaments/ladder", as: "p8",
		has: []string{"Before this round is published", "have played each other in round 1", "(C.04.3 C1)"},
	},
	{
		path: "/tournaments/winter", as: "p8",
		has: []string{"Before the start", "3 entries cannot play 5 rounds; from 1 to 3 are possible"},
	},
	{path: "/tournaments/winter", lack: []string{"Before the start", "History"}},
	{
		path: "/tournaments/ladder/history",
		has:  []string{"written down wrongly", "<del>0 – 1</del>", "an arbiter"},
		lack: []string{"login-of", "drawn up", "brothers", "deleted", "Ladder was"},
	},
	{
		path: "/tournaments/ladder/history", as: "p8",
		has:  []string{"Round 3: draft", "they are brothers", "login-of-p8", "Sofja Kowalewskaja registered"},
		lack: []string{"an open seat"},
	},
	{path: "/tournaments/winter/history", has: []string{"Nothing has happened yet"}},
	{path: "/tournaments/tables", has: []string{"Table", "Seats in order", "2nd", "4th"}},
	{
		path: "/tournaments/tuesday/rounds/2/explain",
		has:  []string{"Why round 2", "row 2 of the Berger table for 8", "The table gives × Cross to number", `id="b4"`},
	},
	{path: "/tournaments/ladder/rounds/2/explain", has: []string{"was not kept", "set by the arbiter"}},
	{
		path: "/tournaments/tuesday/standings/3",
		has:  []string{"SB:", "Sonneborn-Berger (C.07, 9.1)", "after 1 of 4 results of round 3", `id="c3"`, "Tied so far"},
	},
	{path: "/tournaments/ladder/standings/5?round=1", has: []string{"Number of wins", "after round 1"}},
	{
		path: "/tournaments/tuesday",
		has: []string{
			`<abbr title="Sonneborn-Berger (C.07, 9.1)">SB</abbr>`,
			`href="/tournaments/tuesday/standings/1#c2"`, "Why these pairings?",
		},
	},
	{path: "/tournaments/tuesday?round=1", has: []string{`/standings/1?round=1#c1"`}},
	{
		path: "/tournaments/tuesday/prizes",
		has: []string{
			"if the tournament ended after 1 of 4 results of round 3", "<strong>300</strong>", "a cup",
			"Hort system", "aged 18 or less", "Nobody has won", "goes to the next",
		},
	},
	{path: "/tournaments/autumn", lack: []string{"Prizes"}},
	{
		path: "/tournaments/tuesday?tab=crosstable",
		has: []string{
			">after 1 of 4 results of round 3</small>",
			`data-live="/tournaments/tuesday/live?tab=crosstable&amp;version=13"`,
			`href="/tournaments/tuesday/players/1"`, `href="/games/tuesday-1-1"`,
		},
	},
	{
		path: "/tournaments/tuesday?tab=standings&round=1",
		has:  []string{">after round 1</small>"}, lack: []string{"data-live", "Round 1 of 7"},
	},
	{
		path: "/tournaments/tuesday?tab=players",
		has:  []string{"<h2>Players</h2>", "Les Quatre Coins", `href="/tournaments/tuesday/players/8"`},
	},
	{
		path: "/tournaments/tuesday?tab=games",
		has:  []string{"In play", `data-live="/tournaments/tuesday?tab=games&amp;version=`, `href="/games/tuesday-3-2"`},
	},
	{path: "/tournaments/tuesday?tab=info", has: []string{"Report file (TRF)", "Sonneborn-Berger", "Rated"}},
	{path: "/tournaments/tuesday?find=lovelace", has: []string{`class="me" data-n="1`, "Marked: Ada Lovelace"}},
	{
		path: "/tournaments/tuesday?tab=standings&find=emilie",
		has:  []string{`<tr class="me" data-n="3"`, "Marked: Émilie du Châtelet"},
		lack: []string{`<tr class="me" data-n="1"`},
	},
	{
		path: "/tournaments/tuesday?tab=standings", as: "p4",
		has: []string{`<tr class="me" data-n="4"`}, lack: []string{`<tr class="me" data-n="1"`},
	},
	{path: "/tournaments/tuesday?tab=standings&find=", as: "p4", lack: []string{`class="me"`}},
	{path: "/tournaments/tuesday?find=%3Cb%3E", has: []string{"No entry “&lt;b&gt;”"}, lack: []string{`class="me"`}},
	{
		path: "/tournaments/tuesday/players/1",
		has: []string{
			"Now: round 3, board", "Round by round", "× Cross", "Tie-breaks",
			`href="/tournaments/tuesday/standings/1#c2"`, "Performance", `href="/players/p1"`,
		},
	},
	{
		path: "/tournaments/autumn/players/1",
		has:  []string{"has the bye", `href="/games/autumn-`, "Rating change"}, lack: []string{"Now:", "data-live"},
	},
	{path: "/tournaments/winter/players/2", has: []string{"Charles Babbage", "No round has been published yet"}},
	{path: "/tournaments/ladder/players/1", has: []string{"Friday at 8"}},
	{path: "/tournaments/tables/players/1", has: []string{"Round by round"}, lack: []string{">First<"}},
	{
		path: "/tournaments/tuesday/wall",
		has: []string{
			"Round 3 of 7", "Round clock", `data-part="boards"`, "Standings", "1 of 4 results in",
			`data-live="/tournaments/tuesday/wall?version=`,
		},
		lack: []string{"<nav", "Log in"},
	},
	{path: "/tournaments/winter/wall", has: []string{"No round has been published yet"}},
	{
		path: "/tournaments/ladder/wall", as: "p8",
		has: []string{"Round 2 of 3"}, lack: []string{"Round 3", "only the organisers"},
	},
	{
		path: "/wall",
		has:  []string{"Tuesday Evening Quixo", "1 of 4 results in", "Winter Quits", "Latest results"},
		lack: []string{"Surprise Open", "<nav"},
	},
	{
		path: "/tournaments/tuesday/print/pairings",
		has:  []string{"Pairings by board · Round 3 of 7", "print.css"}, lack: []string{"<nav", "<script"},
	},
	{path: "/tournaments/tuesday/print/pairings?round=1", has: []string{"Round 1 of 7"}},
	{
		path: "/tournaments/tuesday/print/names",
		has:  []string{"Pairings by name", `<th scope="row">Ada Lovelace</th>`, "× Cross", "○ Circle"},
	},
	{path: "/tournaments/autumn/print/names", has: []string{"has the bye"}},
	{
		path: "/tournaments/tuesday/print/standings",
		has:  []string{"Standings · after 1 of 4 results of round 3", "SB: Sonneborn-Berger"},
	},
	{path: "/tournaments/autumn/print/crosstable", has: []string{"Crosstable · after round 5", `class="self"`}},
	{path: "/tournaments/winter/print/entries", has: []string{"Entries · 3 entries", "Tuesday Club"}},
	{path: "/tournaments/winter/print/checkin", has: []string{"Check-in list", `<span class="tick">`, "Remarks"}},
	{path: "/tournaments/tuesday/print/prizes", has: []string{"Hort system", "<strong>300</strong>"}},
	{
		path: "/tournaments/autumn/prizes",
		has:  []string{"<h1>", "This tournament has no prizes."}, lack: []string{"Who has equal points", "desk?tab=prizes"},
	},
	{path: "/tournaments/autumn/print/prizes", has: []string{"This tournament has no prizes."}},
	{path: "/tournaments/tables/print/pairings", has: []string{"Seats in order"}},
	{
		path: "/embed/tournaments/tuesday",
		has:  []string{"Round 3 of 7", "Standings after 1 of 4 results of round 3", `<base target="_blank">`},
		lack: []string{"<form", "<nav", "Log in"},
	},
	{
		path: "/tournaments/tuesday",
		has:  []string{`property="og:image" content="http://example.com/tournaments/tuesday/picture.png"`},
	},
	{path: "/tournaments/secret", as: "p8", lack: []string{"og:"}},
	{path: "/games", has: []string{"Qui’win", "in play", "resignation"}},
	{path: "/games?status=running", has: []string{"in play"}, lack: []string{"resignation"}},
	{path: "/games?status=finished", has: []string{"resignation"}, lack: []string{"in play"}},
	{
		path: "/games/left",
		has: []string{
			"Charles Babbage won.", "Ada Lovelace resigned.", "offered a draw", "declined the draw", "1 min, then 3 × 10 s",
		},
		lack: []string{"data-live"},
	},
	{path: "/games/tuesday-3-2", has: []string{"is to move", "data-live", "round 3, board 2", "data-clock", "Rank 5:"}},
	{path: "/games/quixo-teams", has: []string{"&amp;", "for seat"}},
	{path: "/games/quits-duel", has: []string{"of 3 out, goal e5"}},
	{path: "/games/quits-four", has: []string{"of 1 out"}},
	{path: "/games/quivive-melee-over", has: []string{"won.", "1st <strong>", "5th <strong>"}},
	{path: "/games/quivive-duel", has: []string{"with a pawn of side 1"}},
	{
		path: "/games/quiwin-duel",
		has:  []string{"Both choose in secret", "Commitment to the shuffle", "tiles in hand"}, lack: []string{"Hand of seat"},
	},
	{path: "/games/quiwin-duel", as: "p6", has: []string{"Hand of seat 1"}, lack: []string{"Hand of seat 2"}},
	{path: "/games/quiwin-duel-over", has: []string{"Seed of the shuffle", "rating 1500 →"}},
	{path: "/games/broken", has: []string{"The game was broken off", "wrong players"}},
	{path: "/games/waiting", has: []string{"has not started yet", "no clock"}},
	{path: "/players", has: []string{"Maria-Magdalena", "Les Quatre Coins"}},
	{path: "/players?name=erd", has: []string{"Paul Erdős"}, lack: []string{"Ada Lovelace"}},
	{path: "/players?name=%3Cb%3E", has: []string{"&lt;b&gt;"}, lack: []string{"<b>"}},
	{path: "/players/p1", has: []string{"Quixo, blitz", `class="c-line"`, "Every change in a table", "in the list"}},
	{
		path: "/players/p1?list=quixo-blitz",
		has: []string{
			">Rated games<", ">Highest<", "Most frequent opponents", `href="/tournaments/tuesday/players/1"`,
		},
		lack: []string{"Surprise Open"},
	},
	{path: "/players/p1", as: "p2", has: []string{"Your rating: &#43;", "if you lose."}},
	{
		path: "/players/p1/ratings/quixo-blitz",
		has:  []string{"the changes of these games add up to", "K times the points scored", "Rated by: elo-club."},
		lack: []string{"Your rating"},
	},
	{path: "/players/p1/ratings/quixo-blitz?before=1", has: []string{"Why"}},
	{path: "/players/new", has: []string{"No rated games yet", "No games yet"}},
	{path: "/ratings", has: []string{`href="/ratings/quixo-blitz"`, "Qui’win, blitz"}},
	{path: "/ratings/quixo-blitz", has: []string{"Quixo, blitz", "Ada Lovelace"}},
	{
		path: "/rules",
		has:  []string{"Rules of the games", `href="/rules/quivive?lang=en"`, "Qui’win", "Take a cube from the border"},
	},
	{
		path: "/rules?lang=fr",
		has:  []string{"Règles des jeux", `href="/rules/quivive?lang=fr"`, "Prenez un cube du bord"},
		lack: []string{"Take a cube"},
	},
	{
		path: "/rules/quixo",
		has:  []string{`id="teams"`, "<code>c1-c5&gt;3</code>", `id="quixo-push-t"`, "belongs to its author"},
	},
	{
		path: "/rules/quits?lang=fr",
		has:  []string{`lang="fr"`, "<strong>La glissade.</strong>", "les cercles en tirets", "b-slid"},
	},
	{path: "/rules/quivive", has: []string{"<ol>", "b-taken", "<code>stuck=kept</code>"}},
	{path: "/rules/quiwin", has: []string{"b-tier", "<code>2:give-4</code>"}},
	{path: "/login?next=/games", has: []string{`value="/games"`, "Password"}},
}

// TestReading runs the tests that change nothing, on the same service.
func TestReading(t *testing.T) {
	f := apitest.NewFurnished(t)
	for name, test := range map[string]func(t *testing.T, f *apitest.Fixture){
		"EachLanguageIsRenderedByItself": testEachLanguageIsRenderedByItself,
		"MissingPages":                   testMissingPages,
		"ModulesNameEachOtherByAddress":  testModulesNameEachOtherByAddress,
		"Pages":                          testPages,
		"PagesSpeakTheReadersLanguage":   testPagesSpeakTheReadersLanguage,
		"StaticFiles":                    testStaticFiles,
		"StaticFilesAreCompressed":       testStaticFilesAreCompressed,
		"StreamsSpeakTheReadersLanguage": testStreamsSpeakTheReadersLanguage,
	} {
		t.Run(name, func(t *testing.T) {
			f.T = t
			test(t, f)
		})
	}
}

// testPages looks at every address in English and, as the public, in every language.
func testPages(t *testing.T, f *apitest.Fixture) {
	for i, a := range addresses {
		t.Run(a.path+" "+a.as, func(t *testing.T) {
			html := string(f.Get(a.path, a.as).Want(t, http.StatusOK).Has(t, a.has...).Lacks(t, a.lack...).Raw)
			apitest.WellFormed(t, html)
			apitest.Harmless(t, html)
			if a.as != "" || strings.Contains(a.path, "login") {
				return
			}
			others := apitest.Languages()[1:]
			if os.Getenv("QUATUOR_LONG") == "" { // they take turns
				others = others[i%len(others):][:1]
			}
			for _, in := range others { // no text is missing, or shown as its name
				f.Get(a.path, "", apitest.InLanguage(in)).Want(t, http.StatusOK).
					Lacks(t, ">tie_breaks.", ">history.", ">knockout.", ">prizes.", ">tournament.", ">feed.")
			}
		})
	}
}

// TestTheCardNamesTheTable: where a tournament is played at tables, a player is sent to a table.
func TestTheCardNamesTheTable(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Change("tables", func(tables *tournament.Tournament) {
		tables.Rounds = append(tables.Rounds, tournament.Round{
			Number: 2, Status: tournament.Published,
			Pairings: []tournament.Pairing{{Board: 1, Seats: tables.Rounds[0].Pairings[0].Seats}},
		})
	})
	f.Get("/tournaments/tables/players/1", "").Want(t, http.StatusOK).Has(t, "Now: round 2, table 1")
}

func testMissingPages(t *testing.T, f *apitest.Fixture) {
	for _, path := range []string{
		"/games/none", "/players/none", "/tournaments/none", "/tournaments/secret", "/tournaments/secret/crosstable",
		"/tournaments/secret/live", "/tournaments/tuesday?round=4",
		"/tournaments/tuesday?round=x", "/tournaments/tuesday?round=0",
		"/tournaments/tuesday/rounds/4/explain",
		"/tournaments/tuesday/rounds/x/explain", "/tournaments/ladder/rounds/3/explain",
		"/tournaments/secret/rounds/1/explain", "/tournaments/tables/rounds/2/explain", "/tournaments/tuesday/standings/9",
		"/tournaments/tuesday/standings/0", "/tournaments/tuesday/players/0",
		"/tournaments/tuesday/players/9", "/tournaments/tuesday/players/x",
		"/tournaments/secret/players/1", "/tournaments/secret/wall",
		"/tournaments/secret/print/entries", "/embed/tournaments/secret",
		"/tournaments/secret.ics", "/tournaments/secret.atom",
		"/tournaments/secret/picture.png", "/tournaments/none.ics", "/tournaments/none/wall",
		"/tournaments/winter/print/pairings", "/tournaments/tuesday/print/bracket",
		"/tournaments/ladder/print/pairings?round=3", "/tournaments/tuesday?tab=desk",
		"/tournaments/tuesday/live?tab=desk", "/tournaments/tuesday/standings/1?round=4", "/tournaments/winter/standings/1",
		"/tournaments/secret/prizes", "/tournaments/secret/standings/1", "/tournaments/ladder?round=3",
		"/tournaments/secret/history", "/tournaments/ladder/history?to=0", "/tournaments/ladder/history?to=99",
		"/tournaments/ladder/history?to=x", "/games/none/live", "/games?status=lost", "/ratings/chess-blitz", "/players/p1?list=chess-blitz",
		"/players/p1/ratings/chess-blitz", "/players/p1/ratings/quixo-blitz?before=x", "/static/none.css", "/rules/chess",
	} {
		answer := f.Get(path, "p1").Want(t, http.StatusNotFound).Has(t, "This page does not exist")
		apitest.WellFormed(t, string(answer.Raw))
	}
}

// failing are the pages with two that fail.
type failing struct{ *pages.Pages }

func (p failing) Mount(e *echo.Echo) {
	p.Pages.Mount(e)
	e.GET("/broken", p.Guarded(func(echo.Context) error { return errors.New("the secret cause") }))
	e.GET("/busy", p.Guarded(func(echo.Context) error { return echo.ErrTooManyRequests }))
}

func TestErrorsTellNothing(t *testing.T) {
	f := apitest.NewFixture(t, func(c *apitest.Config) {
		c.Edit = func(served *api.Config) { served.Pages = failing{served.Pages.(*pages.Pages)} }
	})
	f.Get("/broken", "").Want(t, http.StatusInternalServerError).Lacks(t, "secret cause")
	f.Get("/busy", "").Want(t, http.StatusTooManyRequests).Has(t, "Too many requests")
}

func TestHeaders(t *testing.T) {
	f := apitest.NewFurnished(t)
	answer := f.Get("/tournaments", "")
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	if answer.Header.Get("Cache-Control") != "no-cache" ||
		f.Get("/tournaments", "p1").Header.Get("Cache-Control") != "private, no-cache" {
		t.Error("a page for somebody may be kept for all, or the other way round")
	}
	tag := strings.TrimPrefix(answer.Header.Get("ETag"), "W/")
	for given, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, `"x"`: 200, "": 200} {
		again := f.Get("/tournaments", "", apitest.Header{"If-None-Match", given})
		if again.Status != want || want == 304 && len(again.Raw) > 0 {
			t.Errorf("If-None-Match %s: %d, want %d", given, again.Status, want)
		}
	}
	f.Change("autumn", func(autumn *tournament.Tournament) { autumn.Name = "Spring Cup" })
	if strings.HasSuffix(f.Get("/tournaments", "").Header.Get("ETag"), tag) {
		t.Error("the page changed and its tag did not")
	}
}

func testStaticFiles(t *testing.T, f *apitest.Fixture) {
	page := f.Page("/", "")
	for _, name := range []string{"page.css", "icon.svg", "live.js", "time.js"} {
		address := f.Pages.Assets.Address(name)
		if !strings.Contains(page, `"`+address+`"`) {
			t.Errorf("the page does not link %s", address)
		}
		if kept := f.Get(address, "").Want(t, http.StatusOK).
			Header.Get("Cache-Control"); !strings.Contains(kept, "immutable") {
			t.Errorf("%s: %s", address, kept)
		}
		outdated := f.Get("/static/"+name+"?v=old", "")
		if strings.Contains(outdated.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s may be kept for ever under an old name", name)
		}
	}
}
