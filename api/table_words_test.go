package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

var (
	// markup is what a page has beside its words.
	markup = regexp.MustCompile(`<[^>]*>`)
	// readOut are the attributes that are read out, or that scripts take their words from.
	readOut = regexp.MustCompile(` (?:aria-label|data-word-[a-z]+)="([^"]*)"`)
)

// wordsOf returns the words of a piece of a page in lower case, those of its attributes last.
func wordsOf(piece string) string {
	var words strings.Builder
	words.WriteString(markup.ReplaceAllString(piece, " "))
	for _, found := range readOut.FindAllStringSubmatch(piece, -1) {
		words.WriteString(" " + found[1])
	}
	return strings.ToLower(words.String())
}

// TestTablesAreCalledTables: where several sit at a table, the players' first page, the phones' pages, slips, cards,
// calls, the desk, the history and the feed call it a table, in every language; with two at a board they call it a
// board.
func TestTablesAreCalledTables(t *testing.T) {
	s := newService(t, withRealPages)
	olga, ada := s.withRole("olga", account.RoleOrganiser), s.reserved("ada")
	visitors := map[string]*visitor{"olga": s.visits("olga"), "ada": s.visits("ada"), "": s.visitor()}
	for _, event := range []struct {
		settings string
		words    map[string][2]string // the word of each language, and the other one
	}{
		{
			`{"name":"Many","variant":"quivive/melee","format":"table_swiss","rounds":1,"time_control":"300+3","venue":"hall"}`,
			map[string][2]string{"en": {"table", "board"}, "fr": {"table", "plateau"}, "de": {"tisch", "brett"}},
		},
		{
			`{"name":"Two","variant":"quixo/duel","format":"swiss","rounds":1,"tie_breaks":["WIN"],"time_control":"300+3","venue":"hall"}`,
			map[string][2]string{"en": {"board", "table"}, "fr": {"plateau", "table"}, "de": {"brett", "tisch"}},
		},
	} {
		path := "/tournaments/" + olga.post("/tournaments", event.settings).want(t, http.StatusCreated).text("id")
		olga.post(path+"/entries", map[string]any{"player_id": ada.player}).want(t, http.StatusCreated)
		for n := range 3 {
			olga.post(path+"/entries", map[string]any{"name": fmt.Sprint("Guest ", n)}).want(t, http.StatusCreated)
		}
		olga.post(path+"/start", nil).want(t, http.StatusOK)
		round := olga.post(path+"/rounds", nil).want(t, http.StatusCreated)
		codes := codesOf(t, olga.get(path+"/rounds/1/codes"))
		visitors[""].post("/r/"+strings.ReplaceAll(codes[0][0], "-", "")+"/call", "word", "help").want(t, http.StatusSeeOther)
		code := "/r/" + strings.ReplaceAll(codes[0][0], "-", "")
		saysThroughout(t, visitors, event.words, []spot{
			{"/", "ada", `data-part="start-next">`, "</section>"},
			{code, "", "<main", "</main>"},
			{path + "/desk?tab=arbiter", "olga", `data-part="desk-calls"`, "</section>"},
			{path + "/desk/codes", "olga", "<main", "</main>"},
			{path + "/print/slips", "olga", "<main", "</main>"},
			{path + "/print/cards", "olga", "<main", "</main>"},
			{path + "/print/pairings", "ada", "<main", "</main>"},
			{path + "/desk?tab=arbiter", "olga", `data-part="desk-games"`, "</main>"},
			{path + "/desk?tab=round", "olga", `<div data-part="desk-round"`, "</main>"},
			{path + "/desk?tab=results", "olga", `<div class="desk-results"`, "</main>"},
			{path + "/desk?tab=results&board=1", "olga", "#b1", "</main>"},
		})
		for board := range round.list("pairings") {
			end := map[string]any{"result": "1-0"}
			if n := len(round.list("pairings", board, "seats")); n > 2 {
				end = map[string]any{"ranks": []int{1, 2, 3, 4}[:n]}
			}
			olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board+1), end, anyVersion).
				want(t, http.StatusOK)
		}
		again := []string{"seen", "another.state", "result", "0-1"}
		if len(round.list("pairings", 0, "seats")) > 2 {
			again = []string{"seen", "another.state", "rank1", "4", "rank2", "3", "rank3", "2", "rank4", "1"}
		}
		asked := visitors["olga"].post(path+"/desk/results/1/1", again...).want(t, http.StatusConflict)
		says(t, "the question about a result", asked, event.words["en"], spot{part: "desk-ask", end: "</form>"})
		saysThroughout(t, visitors, event.words, []spot{
			{path + "/history", "ada", "<tbody>", "</tbody>"}, {path + ".atom", "", "#result-1", "</entry>"},
		})
		olga.post(path+"/finish", nil).want(t, http.StatusOK)
	}
}

// spot is a piece of a page as a visitor sees it.
type spot struct{ page, who, part, end string }

// saysThroughout demands one word of several pages in each language, and that another is not there.
func saysThroughout(t *testing.T, visitors map[string]*visitor, words map[string][2]string, spots []spot) {
	t.Helper()
	for _, at := range spots {
		for language, word := range words {
			shown := visitors[at.who].get(at.page, header{"Accept-Language", language}).want(t, http.StatusOK)
			says(t, at.page+" in "+language, shown, word, at)
		}
	}
}

// says demands that a piece of a page has the first of two words, and not the second.
func says(t *testing.T, name string, shown *answer, word [2]string, at spot) {
	t.Helper()
	_, part, found := strings.Cut(string(shown.raw), at.part)
	part, _, _ = strings.Cut(at.part+part, at.end)
	if part = wordsOf(part); !found || !strings.Contains(part, word[0]) || strings.Contains(part, word[1]) {
		t.Errorf("%s has no %q, or a %q:\n%s", name, word[0], word[1], strings.Join(strings.Fields(part), " "))
	}
}

// TestGamesOfTablesAreCalledTables: the games of a table on the server, on their page and among the player's games.
func TestGamesOfTablesAreCalledTables(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	for settings, word := range map[string]string{
		`{"name":"Many","variant":"quivive/melee","format":"table_swiss","rounds":1,"time_control":"300+3"}`: "table",
		`{"name":"Two","variant":"quixo/duel","format":"round_robin","time_control":"300+3"}`:                "board",
	} {
		path := "/tournaments/" + olga.post("/tournaments", settings).want(t, http.StatusCreated).text("id")
		for n := range 8 {
			login := fmt.Sprint(word, n)
			olga.post(path+"/entries", map[string]any{"player_id": s.reserved(login).player}).want(t, http.StatusCreated)
		}
		olga.post(path+"/start", nil).want(t, http.StatusOK)
		game := olga.post(path+"/rounds", nil).want(t, http.StatusCreated).text("pairings", 0, "game_id")
		player := strings.TrimPrefix(s.anonymous().get("/games/"+game).want(t, http.StatusOK).
			text("seats", 0, "player", "id"), "player-of-")
		visitor := s.visits(player)
		visitor.get("/games/"+game).want(t, http.StatusOK).has(t, "round 1, "+word+" 1")
		s.visits("olga").get(path+"/desk?tab=arbiter").want(t, http.StatusOK).
			has(t, "Round 1, "+word+" 1: to the game", "at "+word+" 1")
		visitor.get("/games/"+game).want(t, http.StatusOK).
			has(t, strings.ToUpper(word[:1])+word[1:]+"s of round 1", strings.ToUpper(word[:1])+word[1:]+" 2 →")
		visitor.get("/").want(t, http.StatusOK).has(t, ", round 1, "+word+" 1", ": round 1, "+word+" 1")
	}
}
