package registration_test

import (
	"slices"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/presence"
	"quatuor/tournament/registration"
	"quatuor/tournament/tournamenttest"
)

// TestBotEntry checks that a bot is recognised by its name and its member, for teams too.
func TestBotEntry(t *testing.T) {
	for _, members := range []int{1, 2} {
		e, err := tournament.Shape{Members: members}.BotEntry(2, 1500)
		if err != nil || e.Bot() != 2 || e.Name != "Bot (level 2)" || e.Rating != 1500 || len(e.Members) != members {
			t.Errorf("with %d: %+v, %v", members, e, err)
		}
	}
	for _, level := range []int{-1, 0, 4} {
		if _, err := (tournament.Shape{Members: 1}).BotEntry(level, 0); err == nil {
			t.Errorf("there is a bot of level %d", level)
		}
	}
	if (tournament.Entry{}).Bot() != 0 || (tournament.Entry{Members: []string{"p"}}).Bot() != 0 {
		t.Error("people are taken for bots")
	}
}

// TestWhichBotsAreEntered checks the limits: only the organiser enters bots, only where they are admitted, a single bot
// of each level, and fewer than sit at a game.
func TestWhichBotsAreEntered(t *testing.T) {
	swiss, tables := tournamenttest.WithBots(t, tournament.Swiss, 3), tournamenttest.WithBots(t, tournament.TableSwiss, 5)
	closed := tournamenttest.WithBots(t, tournament.Swiss, 3)
	closed.Play.Bots = false
	unhosted := tournamenttest.WithBots(t, tournament.Swiss, 3)
	unhosted = tournamenttest.Must(t)(registration.AddEntry(unhosted, tournament.Entry{ID: "h", Name: "Only in the hall"},
		tournament.Shape{Members: 1}))
	renamed, mixed := tournamenttest.BotOf(t, 1), tournamenttest.BotOf(t, 1)
	renamed.Name = "Carlsen"
	mixed.Members = []string{"bot-1", "p9"}
	partner := tournament.Entry{ID: "x", Name: "Two", Members: []string{"p9", "bot-1"}}
	for _, tt := range []struct {
		name string
		in   *tournament.Tournament
		e    tournament.Entry
		ok   bool
	}{
		{"one", swiss, tournamenttest.BotOf(t, 1), true},
		{"a second one in duels", tournamenttest.EnterBot(t, swiss, 1), tournamenttest.BotOf(t, 2), false},
		{"a second one at tables", tournamenttest.EnterBot(t, tables, 1), tournamenttest.BotOf(t, 2), true},
		{"a third one at tables", tournamenttest.EnterBot(t, tournamenttest.EnterBot(t, tables, 1), 2), tournamenttest.BotOf(t, 3), false},
		{"the same again", tournamenttest.EnterBot(t, tables, 1), tournament.Entry{ID: "y", Name: "Bot (level 1)", Members: []string{"bot-1"}}, false},
		{"where they are not admitted", closed, tournamenttest.BotOf(t, 1), false},
		{"beside one who plays in the hall only", unhosted, tournamenttest.BotOf(t, 1), false},
		{"under another name", swiss, renamed, false},
		{"with a partner", swiss, mixed, false},
		{"as a partner", swiss, partner, false},
		{"one who plays in the hall only beside it", tournamenttest.EnterBot(t, swiss, 1), tournament.Entry{ID: "h", Name: "Only in the hall"}, false},
	} {
		_, err := registration.AddEntry(tt.in, tt.e, tournament.Shape{Members: len(tt.e.Members)})
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	open, err := swiss.Open()
	if err != nil {
		t.Fatal(err)
	}
	_, err = registration.Register(open.Tournament, tournamenttest.BotOf(t, 1), tournament.Shape{Members: 1})
	tournamenttest.Refused(t, "registering a bot", err, tournament.ErrInvalid)
}

// TestBotStaysBot: an entry is a bot's for good, and keeps its name; its seeding can change.
func TestBotStaysBot(t *testing.T) {
	tm := tournamenttest.EnterBot(t, tournamenttest.WithBots(t, tournament.Swiss, 3), 2)
	bot, _ := tm.Entry("b2")
	person, _ := tm.Entry("e1")
	bot.Rating = 1700
	tm = tournamenttest.Must(t)(registration.UpdateEntry(tm, bot, tournament.Shape{Members: 1}))
	taken, given, renamed := bot, person, bot
	taken.Members = []string{"p7"}
	given.Members = []string{"bot-1"}
	renamed.Name = "Anna"
	for what, e := range map[string]tournament.Entry{
		"a player in a bot's place": taken, "a bot in a player's place": given,
		"another name": renamed,
	} {
		_, err := registration.UpdateEntry(tm, e, tournament.Shape{Members: 1})
		tournamenttest.Refused(t, what, err, tournament.ErrInvalid)
	}
}

// TestBotsAndSettings: bots and the hall exclude each other, and settings follow the bots that are entered.
func TestBotsAndSettings(t *testing.T) {
	s := tournamenttest.Settings()
	s.Play.Bots, s.Venue = true, tournament.InHall
	if _, err := tournament.New("t", "ada", s, tournamenttest.Checks, 1000); err == nil {
		t.Error("a tournament in the hall admits bots")
	}
	tm := tournamenttest.EnterBot(t, tournamenttest.WithBots(t, tournament.Swiss, 3), 1)
	off, hall := tm.Settings(), tm.Settings()
	off.Play.Bots = false
	hall.Venue, hall.Play.Bots = tournament.InHall, false
	for what, s := range map[string]tournament.Settings{"without bots": off, "in the hall": hall} {
		_, err := tm.Configure(s, tournamenttest.Checks)
		tournamenttest.Refused(t, what, err, tournament.ErrInvalid)
	}
	tm = tournamenttest.Must(t)(registration.Withdraw(tm, "b1"))
	tm = tournamenttest.Must(t)(tm.Configure(off, tournamenttest.Checks))
	_, err := registration.Reinstate(tm, "b1")
	tournamenttest.Refused(t, "a bot that comes back where none is admitted", err, tournament.ErrInvalid)

	two := tournamenttest.EnterBot(t, tournamenttest.EnterBot(t, tournamenttest.WithBots(t, tournament.TableSwiss, 5), 1), 2)
	duels := two.Settings()
	duels.SetFormat(tournament.Swiss)
	_, err = two.Configure(duels, tournamenttest.Checks)
	tournamenttest.Refused(t, "duels with two bots", err, tournament.ErrInvalid)
}

// TestBotsAreThere: a check-in counts bots as present, whenever they come.
func TestBotsAreThere(t *testing.T) {
	tm := tournamenttest.EnterBot(t, tournamenttest.WithBots(t, tournament.Swiss, 3), 1)
	tm = tournamenttest.Must(t)(presence.OpenCheckIn(tm, true))
	tm = tournamenttest.Must(t)(presence.SetPresent(tm, "e1", true))
	_, err := presence.SetPresent(tm, "b1", false)
	tournamenttest.Refused(t, "a bot that is away", err, tournament.ErrState)
	tm = tournamenttest.Must(t)(presence.CloseCheckIn(tm))
	tm = tournamenttest.Must(t)(tm.Start(3, tournamenttest.Seed, 2000))
	for _, e := range tm.Numbered() {
		if away := tm.Away(e, 1) != tournament.NoBye; away != (e.ID != "e1" && e.ID != "b1") {
			t.Errorf("%s is away: %v", e.Name, away)
		}
	}
}

// TestBotsPlayOnTheServer: no board of a bot is moved to the hall, before or after the round is published, and none
// that was moved there is given to a bot.
func TestBotsPlayOnTheServer(t *testing.T) {
	tm := tournamenttest.EnterBot(t, tournamenttest.WithBots(t, tournament.Swiss, 3), 1)
	tm = tournamenttest.Must(t)(tm.Start(3, tournamenttest.Seed, 2000))
	how := tournament.Editing{Begun: tournamenttest.NeverBegun, NewGame: tournamenttest.Games()}
	tm = tournamenttest.Must(t)(tm.AddRound([]tournament.Pairing{
		{Board: 1, Seats: []string{"e1", "b1"}}, {Board: 2, Seats: []string{"e2", "e3"}},
	}))
	_, err := tm.SetVenue(1, 1, tournament.InHall, how)
	tournamenttest.Refused(t, "a bot's board to the hall", err, tournament.ErrState)
	moved := tournamenttest.Must(t)(tm.SetVenue(1, 2, tournament.InHall, how))
	_, err = moved.EditRound(1, []tournament.Edit{{Kind: tournament.SwapEntries, Entries: []string{"b1", "e2"}}}, how)
	tournamenttest.Refused(t, "a bot at a board in the hall", err, tournament.ErrState)
	tm = tournamenttest.Must(t)(moved.Publish(tournamenttest.Games(), 3000))
	if p := tournamenttest.Board(t, tm, 1); p.GameID == "" || !tm.WithBot(p) ||
		!slices.Equal(tm.Players(p), []string{"p1", "bot-1"}) {
		t.Errorf("the bot's board is %+v", p)
	}
	if tm.WithBot(tournamenttest.Board(t, tm, 2)) {
		t.Error("people are taken for bots")
	}
	_, err = tm.SetVenue(1, 1, tournament.InHall, how)
	tournamenttest.Refused(t, "a bot's game to the hall", err, tournament.ErrState)
}
