package tournaments_test

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/pages/tournaments"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
	cups "quatuor/tournament/pairing/knockout"
	"quatuor/tournament/scoring"
)

// bracket is a knock-out of entries without accounts; games are opened all the same, with ids g1, g2 …
type bracket struct {
	t  *testing.T
	tm *tournament.Tournament
	n  int
}

func newBracket(t *testing.T, entries int, rules tournament.KnockoutRules) *bracket {
	t.Helper()
	tm := &tournament.Tournament{
		ID: "cup", Name: "Cup", Variant: "quixo/duel", Format: tournament.Knockout, TimeControl: "300+3",
		Points: tournament.StandardPoints, Status: tournament.Draft, Rules: tournament.PairingRules{Match: rules},
	}
	for i := range entries {
		name := fmt.Sprintf("P%02d", i+1)
		tm.Entries = append(tm.Entries, tournament.Entry{
			ID: fmt.Sprint("e", i+1), Name: name, Members: []string{name}, Status: tournament.Confirmed,
		})
	}
	c := &bracket{t: t, tm: tm}
	c.do(tm.Start(cups.Rounds(entries), strings.Repeat("1f", 32), 1))
	return c
}

func (c *bracket) do(next *tournament.Revision, err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
	next.Version++
	next.PublicVersion++
	c.tm = next.Tournament
}

func (c *bracket) game() string {
	c.n++
	return fmt.Sprint("g", c.n)
}

func (c *bracket) round() {
	c.t.Helper()
	pairings, err := cups.Pairer{}.Pair(pairing.HistoryOf(c.tm, len(c.tm.Rounds)+1))
	if err != nil {
		c.t.Fatal(err)
	}
	c.do(c.tm.AddRound(pairings))
	c.do(c.tm.Publish(c.game, 1))
}

func (c *bracket) over(board int, ranks ...int) {
	c.t.Helper()
	c.do(scoring.GameOver(c.tm, len(c.tm.Rounds), board, ranks, 9, c.game(), "line", 1))
}

// page returns the page as the public sees it, in a single line.
func (c *bracket) page(f *apitest.Fixture, query string) string {
	f.Put(c.tm)
	return strings.Join(strings.Fields(f.Page("/tournaments/cup"+query, "")), " ")
}

func (c *bracket) has(page string, texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			c.t.Errorf("%q is missing in %s", text, page)
		}
	}
}

func TestPageOfAKnockout(t *testing.T) {
	f := apitest.NewFixture(t)
	c := newBracket(t, 7, tournament.KnockoutRules{
		ThirdPlace: true, Replays: 1, TieBreakControl: "60+1", Decision: tournament.Armageddon,
	})
	c.tm.Entries[6].Name = `<b>Seven</b>`
	c.has(c.page(f, ""), `<svg class="bracket" role="img"`, "Quarter-finals", "Winner of quarter-final 2", ">bye<",
		"Loser of semi-final 1",
		"up to 1 replay, then an armageddon game (1 min + 1 s a move)", "&lt;b&gt;Seven")
	c.round()
	first := c.tm.Rounds[0].Pairings[0].GameID
	c.over(1, 1, 1) // drawn, and again, and not won at last
	c.over(1, 1, 1)
	c.over(1, 1, 1)
	c.over(2, 2, 1)
	page := c.page(f, "")
	c.has(page, `class="k-playing"`, "<h2>Quarter-finals</h2>", "P01 (1)</span>: goes on without a game", "½½0", "½½1",
		"the second seat wins",
		fmt.Sprintf(`<a href="/games/%s">game ½ – ½</a>`, first), ">replay ½ – ½</a>", ">armageddon 0 – 1</a>", "still in")
	for _, g := range c.tm.Rounds[0].Pairings[0].Earlier {
		if n := strings.Count(page, `href="/games/`+g.ID+`"`); n != 2 {
			t.Errorf("game %s is linked %d times, want once in the list and once at its board", g.ID, n)
		}
	}
	c.over(3, 1, 2)
	for range 2 {
		c.round()
		c.over(1, 1, 2)
		c.over(2, 1, 2)
	}
	page = c.page(f, "")
	winner, _ := c.tm.Entry(c.tm.Rounds[2].Pairings[0].Seats[0])
	third, _ := c.tm.Entry(c.tm.Rounds[2].Pairings[1].Seats[0])
	c.has(
		page, "<strong>"+winner.Name+" has won the knock-out.</strong>",
		"for third place", third.Name+" is third", "<h2>Final</h2>", "5–7", "winner",
	)
	if strings.Contains(page, "<b>") || strings.Contains(page, ">Points<") {
		t.Errorf("markup from a name, or points: %s", page)
	}
	c.has(c.page(f, "?round=1"), "<h2>Quarter-finals</h2>", "has won the knock-out")
}

// TestBracketIsLive: whatever the stream sends of a result has the bracket in it, from before the start on.
func TestBracketIsLive(t *testing.T) {
	f := apitest.NewFixture(t)
	c := newBracket(t, 2, tournament.KnockoutRules{Decision: tournament.ByLot})
	open := *c.tm
	open.Status = tournament.Open
	for i := range open.Entries {
		open.Entries[i].Number = 0
	}
	f.Put(&open)
	if page := f.Page("/tournaments/cup", ""); strings.Count(page, `data-part="bracket"`) != 1 ||
		strings.Contains(page, "<svg class=\"bracket\"") {
		t.Errorf("before the start: %s", page)
	}
	c = newBracket(t, 2, tournament.KnockoutRules{Decision: tournament.ByLot})
	c.round()
	c.over(1, 1, 1)
	_, room := f.Rooms()
	markup, err := room.TournamentChange(t.Context(), apitest.Languages()[0], tournaments.TabRound, c.tm, false, 0)
	f.Do(err)
	c.has(string(markup), `data-part="bracket"`, "has won the knock-out", "decided by lot")
}

// TestLargeBracket leaves out of the picture what no reader could look at, and keeps it in the list.
func TestLargeBracket(t *testing.T) {
	f := apitest.NewFixture(t)
	c := newBracket(t, 200, tournament.KnockoutRules{})
	page := c.page(f, "")
	c.has(page, "The first 2 rounds are too large for the picture", " (200)</span>")
	if n := strings.Count(page, `<rect class="k-box"`); n != 63 {
		t.Errorf("%d boxes, want those of 64 entries", n)
	}
}

// TestPageOfAnArmageddonGame: the page shows what a draw would mean.
func TestPageOfAnArmageddonGame(t *testing.T) {
	f := apitest.NewFixture(t)
	c := newBracket(t, 2, tournament.KnockoutRules{Decision: tournament.Armageddon})
	c.round()
	c.over(1, 1, 1)
	f.Put(c.tm)
	p := c.tm.Rounds[0].Pairings[0]
	for _, id := range []string{p.Earlier[0].ID, p.GameID} {
		f.Open(table.NewGame{
			ID: id, Variant: "quixo/duel", Players: []string{"p1", "p2"},
			Tournament: &table.Place{ID: "cup", Round: 1, Board: 1},
		})
		page := f.Page("/games/"+id, "")
		if strings.Contains(page, "board 1, armageddon: a draw is a win for ○ Circle") != (id == p.GameID) ||
			!strings.Contains(page, "round 1, board 1") {
			t.Errorf("game %s of %+v: %s", id, p, page)
		}
	}
}
