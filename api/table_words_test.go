package api_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quatuor/tournament/account"
)

// markup is what a page has beside its words; attributes that are read out are not among the words.
var markup = regexp.MustCompile(`<[^>]*>`)

// TestTablesAreCalledTables: where several sit at a table, the players' first page, the phones' pages, slips, cards and calls say
// so, in every language; where two sit at a board, they say board.
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
		pages := map[string]struct{ who, part string }{
			"/": {"ada", `data-part="start-next">`}, path + "/desk?tab=arbiter": {"olga", `data-part="desk-calls"`}, path + "/desk/codes": {"olga", "<main"},
			path + "/print/slips": {"olga", "<main"}, path + "/print/cards": {"olga", "<main"}, "/r/" + strings.ReplaceAll(codes[0][0], "-", ""): {"", "<main"},
		}
		for page, at := range pages {
			for language, word := range event.words {
				shown := visitors[at.who].get(page, header{"Accept-Language", language}).want(t, http.StatusOK)
				_, part, found := strings.Cut(string(shown.raw), at.part)
				part, _, _ = strings.Cut(part, map[bool]string{true: "</main>", false: "</section>"}[at.part == "<main"])
				part = strings.ToLower(markup.ReplaceAllString(part, " "))
				if !found || !strings.Contains(part, word[0]) || strings.Contains(part, word[1]) {
					t.Errorf("%s in %s has no %q, or a %q:\n%s", page, language, word[0], word[1], strings.Join(strings.Fields(part), " "))
				}
			}
		}
		for board := range round.list("pairings") {
			end := map[string]any{"result": "1-0"}
			if n := len(round.list("pairings", board, "seats")); n > 2 {
				end = map[string]any{"ranks": []int{1, 2, 3, 4}[:n]}
			}
			olga.send(http.MethodPut, fmt.Sprintf("%s/rounds/1/pairings/%d/result", path, board+1), end, anyVersion).want(t, http.StatusOK)
		}
		olga.post(path+"/finish", nil).want(t, http.StatusOK)
	}
}

// TestTheGamesOfTablesSaySo: the games of a table on the server, on their page and among the player's games.
func TestTheGamesOfTablesSaySo(t *testing.T) {
	s := newService(t, withRealPages)
	olga := s.withRole("olga", account.RoleOrganiser)
	for settings, word := range map[string]string{
		`{"name":"Many","variant":"quivive/melee","format":"table_swiss","rounds":1,"time_control":"300+3"}`: "table",
		`{"name":"Two","variant":"quixo/duel","format":"round_robin","time_control":"300+3"}`:                "board",
	} {
		path := "/tournaments/" + olga.post("/tournaments", settings).want(t, http.StatusCreated).text("id")
		for n := range 4 {
			login := fmt.Sprint(word, n)
			olga.post(path+"/entries", map[string]any{"player_id": s.reserved(login).player}).want(t, http.StatusCreated)
		}
		olga.post(path+"/start", nil).want(t, http.StatusOK)
		game := olga.post(path+"/rounds", nil).want(t, http.StatusCreated).text("pairings", 0, "game_id")
		player := strings.TrimPrefix(s.anonymous().get("/games/"+game).want(t, http.StatusOK).text("seats", 0, "player", "id"), "player-of-")
		visitor := s.visits(player)
		visitor.get("/games/"+game).want(t, http.StatusOK).has(t, "round 1, "+word+" 1")
		visitor.get("/").want(t, http.StatusOK).has(t, ", round 1, "+word+" 1", ": round 1, "+word+" 1")
	}
}
