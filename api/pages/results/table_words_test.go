package results_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

var (
	// markup matches the parts of a page that are not words.
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
	s := apitest.New(t, apitest.WithPages)
	olga, ada := s.WithRole("olga", account.RoleOrganiser), s.Reserved("ada")
	visitors := map[string]*apitest.Visitor{"olga": s.LoggedIn("olga"), "ada": s.LoggedIn("ada"), "": s.Visitor()}
	for _, event := range []struct {
		settings string
		words    map[string][2]string // the word of each language, and the wrong word
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
		path := "/tournaments/" + olga.Post("/tournaments", event.settings).Want(t, http.StatusCreated).Text("id")
		olga.Post(path+"/entries", map[string]any{"player_id": ada.Player}).Want(t, http.StatusCreated)
		for n := range 3 {
			olga.Post(path+"/entries", map[string]any{"name": fmt.Sprint("Guest ", n)}).Want(t, http.StatusCreated)
		}
		olga.Post(path+"/start", nil).Want(t, http.StatusOK)
		round := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated)
		codes := apitest.CodesOf(t, olga.Get(path+"/rounds/1/codes"))
		visitors[""].Post("/r/"+strings.ReplaceAll(codes[0][0], "-", "")+"/call", "word", "help").Want(t, http.StatusSeeOther)
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
		for board := range round.List("pairings") {
			end := map[string]any{"result": "1-0"}
			if n := len(round.List("pairings", board, "seats")); n > 2 {
				end = map[string]any{"ranks": []int{1, 2, 3, 4}[:n]}
			}
			olga.Send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board+1), end, apitest.AnyVersion).
				Want(t, http.StatusOK)
		}
		again := []string{"seen", "another.state", "result", "0-1"}
		if len(round.List("pairings", 0, "seats")) > 2 {
			again = []string{"seen", "another.state", "rank1", "4", "rank2", "3", "rank3", "2", "rank4", "1"}
		}
		asked := visitors["olga"].Post(path+"/desk/results/1/1", again...).Want(t, http.StatusConflict)
		says(t, "the question about a result", asked, event.words["en"], spot{part: "desk-ask", end: "</form>"})
		saysThroughout(t, visitors, event.words, []spot{
			{path + "/history", "ada", "<tbody>", "</tbody>"}, {path + ".atom", "", "#result-1", "</entry>"},
		})
		olga.Post(path+"/finish", nil).Want(t, http.StatusOK)
	}
}

// spot is a piece of a page as a visitor sees it.
type spot struct{ page, who, part, end string }

// saysThroughout demands the same word of several pages in each language, and that another is not there.
func saysThroughout(t *testing.T, visitors map[string]*apitest.Visitor, words map[string][2]string, spots []spot) {
	t.Helper()
	for _, at := range spots {
		for language, word := range words {
			shown := visitors[at.who].Get(at.page, apitest.Header{"Accept-Language", language}).Want(t, http.StatusOK)
			says(t, at.page+" in "+language, shown, word, at)
		}
	}
}

// says demands that a piece of a page has the first of two words, and not the second.
func says(t *testing.T, name string, shown *apitest.Answer, word [2]string, at spot) {
	t.Helper()
	_, part, found := strings.Cut(string(shown.Raw), at.part)
	part, _, _ = strings.Cut(at.part+part, at.end)
	if part = wordsOf(part); !found || !strings.Contains(part, word[0]) || strings.Contains(part, word[1]) {
		t.Errorf("%s has no %q, or a %q:\n%s", name, word[0], word[1], strings.Join(strings.Fields(part), " "))
	}
}

// TestGamesOfTablesAreCalledTables: the games of a table on the server, on their page and among the player's games.
func TestGamesOfTablesAreCalledTables(t *testing.T) {
	s := apitest.New(t, apitest.WithPages)
	olga := s.WithRole("olga", account.RoleOrganiser)
	for settings, word := range map[string]string{
		`{"name":"Many","variant":"quivive/melee","format":"table_swiss","rounds":1,"time_control":"300+3"}`: "table",
		`{"name":"Two","variant":"quixo/duel","format":"round_robin","time_control":"300+3"}`:                "board",
	} {
		path := "/tournaments/" + olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
		for n := range 8 {
			login := fmt.Sprint(word, n)
			olga.Post(path+"/entries", map[string]any{"player_id": s.Reserved(login).Player}).Want(t, http.StatusCreated)
		}
		olga.Post(path+"/start", nil).Want(t, http.StatusOK)
		game := olga.Post(path+"/rounds", nil).Want(t, http.StatusCreated).Text("pairings", 0, "game_id")
		player := strings.TrimPrefix(s.Anonymous().Get("/games/"+game).Want(t, http.StatusOK).
			Text("seats", 0, "player", "id"), "player-of-")
		visitor := s.LoggedIn(player)
		visitor.Get("/games/"+game).Want(t, http.StatusOK).Has(t, "round 1, "+word+" 1")
		s.LoggedIn("olga").Get(path+"/desk?tab=arbiter").Want(t, http.StatusOK).
			Has(t, "Round 1, "+word+" 1: to the game", "at "+word+" 1")
		visitor.Get("/games/"+game).Want(t, http.StatusOK).
			Has(t, strings.ToUpper(word[:1])+word[1:]+"s of round 1", strings.ToUpper(word[:1])+word[1:]+" 2 →")
		visitor.Get("/").Want(t, http.StatusOK).Has(t, ", round 1, "+word+" 1", ": round 1, "+word+" 1")
	}
}
