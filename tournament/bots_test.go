package tournament

import (
	"fmt"
	"slices"
	"testing"
)

// withBots returns a tournament that admits bots, with players that are entered and no bot yet.
func withBots(t *testing.T, format Format, players int) *Tournament {
	t.Helper()
	s := testSettings()
	s.Format, s.TieBreaks, s.Rated, s.Play.Bots = format, nil, true, true
	checks := testChecks
	if format.Tables() {
		checks.Variant = func(string, map[string]string) (Shape, error) { return Shape{Min: 3, Max: 5, Members: 1}, nil }
	}
	tm, err := New("t", "ada", s, checks, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for i := range players {
		next, delta, err := tm.AddEntry(Entry{
			ID: fmt.Sprint("e", i+1), Name: fmt.Sprint("N", i+1),
			Members: []string{fmt.Sprint("p", i+1)},
		}, Shape{Members: 1})
		tm = ok(t, next, delta, err)
	}
	return tm
}

// botOf returns the entry of a bot as it is entered, under the id b and its level.
func botOf(t *testing.T, level int) Entry {
	t.Helper()
	e, err := Shape{Members: 1}.BotEntry(level, 0)
	if err != nil {
		t.Fatal(err)
	}
	e.ID = fmt.Sprint("b", level)
	return e
}

func enterBot(t *testing.T, tm *Tournament, level int) *Tournament {
	t.Helper()
	next, delta, err := tm.AddEntry(botOf(t, level), Shape{Members: 1})
	return ok(t, next, delta, err)
}

// TestBotEntry is recognised by its name and its member, for teams too.
func TestBotEntry(t *testing.T) {
	for _, members := range []int{1, 2} {
		e, err := Shape{Members: members}.BotEntry(2, 1500)
		if err != nil || e.Bot() != 2 || e.Name != "Bot (level 2)" || e.Rating != 1500 || len(e.Members) != members {
			t.Errorf("with %d: %+v, %v", members, e, err)
		}
	}
	for _, level := range []int{-1, 0, 4} {
		if _, err := (Shape{Members: 1}).BotEntry(level, 0); err == nil {
			t.Errorf("there is a bot of level %d", level)
		}
	}
	if (Entry{}).Bot() != 0 || (Entry{Members: []string{"p"}}).Bot() != 0 {
		t.Error("people are taken for bots")
	}
}

// TestWhichBotsAreEntered: where bots are admitted, by the organiser, one of a level, fewer than sit at a game.
func TestWhichBotsAreEntered(t *testing.T) {
	swiss, tables := withBots(t, Swiss, 3), withBots(t, TableSwiss, 5)
	closed := withBots(t, Swiss, 3)
	closed.Play.Bots = false
	unhosted := withBots(t, Swiss, 3)
	next, delta, err := unhosted.AddEntry(Entry{ID: "h", Name: "Only in the hall"}, Shape{Members: 1})
	unhosted = ok(t, next, delta, err)
	renamed, mixed := botOf(t, 1), botOf(t, 1)
	renamed.Name = "Carlsen"
	mixed.Members = []string{"bot-1", "p9"}
	partner := Entry{ID: "x", Name: "Two", Members: []string{"p9", "bot-1"}}
	for _, tt := range []struct {
		name string
		in   *Tournament
		e    Entry
		ok   bool
	}{
		{"one", swiss, botOf(t, 1), true},
		{"a second one in duels", enterBot(t, swiss, 1), botOf(t, 2), false},
		{"a second one at tables", enterBot(t, tables, 1), botOf(t, 2), true},
		{"a third one at tables", enterBot(t, enterBot(t, tables, 1), 2), botOf(t, 3), false},
		{"the same again", enterBot(t, tables, 1), Entry{ID: "y", Name: "Bot (level 1)", Members: []string{"bot-1"}}, false},
		{"where they are not admitted", closed, botOf(t, 1), false},
		{"beside one who plays in the hall only", unhosted, botOf(t, 1), false},
		{"under another name", swiss, renamed, false},
		{"with a partner", swiss, mixed, false},
		{"as a partner", swiss, partner, false},
		{"one who plays in the hall only beside it", enterBot(t, swiss, 1), Entry{ID: "h", Name: "Only in the hall"}, false},
	} {
		_, _, err := tt.in.AddEntry(tt.e, Shape{Members: len(tt.e.Members)})
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	open, _, err := swiss.Open()
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = open.Register(botOf(t, 1), Shape{Members: 1})
	refused(t, "registering a bot", err, ErrInvalid)
}

// TestBotStaysBot: an entry is a bot's for good, and keeps its name; its seeding can change.
func TestBotStaysBot(t *testing.T) {
	tm := enterBot(t, withBots(t, Swiss, 3), 2)
	bot, _ := tm.Entry("b2")
	person, _ := tm.Entry("e1")
	bot.Rating = 1700
	next, delta, err := tm.UpdateEntry(bot, Shape{Members: 1})
	tm = ok(t, next, delta, err)
	taken, given, renamed := bot, person, bot
	taken.Members, given.Members, renamed.Name = []string{"p7"}, []string{"bot-1"}, "Anna"
	for what, e := range map[string]Entry{
		"a player in a bot's place": taken, "a bot in a player's place": given,
		"another name": renamed,
	} {
		_, _, err := tm.UpdateEntry(e, Shape{Members: 1})
		refused(t, what, err, ErrInvalid)
	}
}

// TestBotsAndSettings: bots and the hall exclude each other, and settings follow the bots that are entered.
func TestBotsAndSettings(t *testing.T) {
	s := testSettings()
	s.Play.Bots, s.Venue = true, InHall
	if _, err := New("t", "ada", s, testChecks, 1000); err == nil {
		t.Error("a tournament in the hall admits bots")
	}
	tm := enterBot(t, withBots(t, Swiss, 3), 1)
	off, hall := tm.Settings(), tm.Settings()
	off.Play.Bots = false
	hall.Venue, hall.Play.Bots = InHall, false
	for what, s := range map[string]Settings{"without bots": off, "in the hall": hall} {
		_, _, err := tm.Configure(s, testChecks)
		refused(t, what, err, ErrInvalid)
	}
	next, delta, err := tm.Withdraw("b1")
	tm = ok(t, next, delta, err)
	next, delta, err = tm.Configure(off, testChecks)
	tm = ok(t, next, delta, err)
	_, _, err = tm.Reinstate("b1")
	refused(t, "a bot that comes back where none is admitted", err, ErrInvalid)

	two := enterBot(t, enterBot(t, withBots(t, TableSwiss, 5), 1), 2)
	duels := two.Settings()
	duels.SetFormat(Swiss)
	_, _, err = two.Configure(duels, testChecks)
	refused(t, "duels with two bots", err, ErrInvalid)
}

// TestBotsAreThere: a check-in counts bots as present, whenever they come.
func TestBotsAreThere(t *testing.T) {
	tm := enterBot(t, withBots(t, Swiss, 3), 1)
	next, delta, err := tm.OpenCheckIn(true)
	tm = ok(t, next, delta, err)
	next, delta, err = tm.SetPresent("e1", true)
	tm = ok(t, next, delta, err)
	_, _, err = tm.SetPresent("b1", false)
	refused(t, "a bot that is away", err, ErrState)
	next, delta, err = tm.CloseCheckIn()
	tm = ok(t, next, delta, err)
	next, delta, err = tm.Start(3, testSeed, 2000)
	tm = ok(t, next, delta, err)
	for _, e := range tm.Numbered() {
		if away := tm.Away(e, 1) != NoBye; away != (e.ID != "e1" && e.ID != "b1") {
			t.Errorf("%s is away: %v", e.Name, away)
		}
	}
}

// TestBotsPlayOnTheServer: no board of a bot is moved to the hall, before or after the round is published, and none
// that was moved there is given to a bot.
func TestBotsPlayOnTheServer(t *testing.T) {
	tm := enterBot(t, withBots(t, Swiss, 3), 1)
	next, delta, err := tm.Start(3, testSeed, 2000)
	tm = ok(t, next, delta, err)
	how := Editing{Begun: neverBegun, NewGame: games()}
	next, delta, err = tm.AddRound([]Pairing{
		{Board: 1, Seats: []string{"e1", "b1"}}, {Board: 2, Seats: []string{"e2", "e3"}},
	})
	tm = ok(t, next, delta, err)
	_, _, err = tm.SetVenue(1, 1, InHall, how)
	refused(t, "a bot's board to the hall", err, ErrState)
	next, delta, err = tm.SetVenue(1, 2, InHall, how)
	moved := ok(t, next, delta, err)
	_, _, err = moved.EditRound(1, []Edit{{Kind: SwapEntries, Entries: []string{"b1", "e2"}}}, how)
	refused(t, "a bot at a board in the hall", err, ErrState)
	next, delta, err = moved.Publish(games(), 3000)
	tm = ok(t, next, delta, err)
	if p := board(t, tm, 1); p.GameID == "" || !tm.WithBot(p) || !slices.Equal(tm.Players(p), []string{"p1", "bot-1"}) {
		t.Errorf("the bot's board is %+v", p)
	}
	if tm.WithBot(board(t, tm, 2)) {
		t.Error("people are taken for bots")
	}
	_, _, err = tm.SetVenue(1, 1, InHall, how)
	refused(t, "a bot's game to the hall", err, ErrState)
}
