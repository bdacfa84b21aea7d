package main

import (
	"strings"
	"testing"
	"time"

	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/director"
	"quatuor/tournament/hook"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// filledAutumn returns a data folder with the season of a club: two evenings of a Keizer season, an arena with a game
// that is over, a match of teams with filed line-ups, a ladder, a league, a season, and a webhook.
func filledAutumn(t *testing.T) string {
	t.Helper()
	return filledBy(t, func(f *filler) {
		f.openAccounts("olga", "p")
		f.enterPlayers("ada", "bob", "cyd", "dan", "eve")
		f.holdInHall()
		f.holdKeizer()
		f.holdArena()
		f.holdMatch()
		f.holdLadder()
		f.holdLeague()
		f.subscribe()
	})
}

// holdKeizer publishes two evenings of a Keizer season.
func (f *filler) holdKeizer() {
	f.t.Helper()
	ctx, order := f.t.Context(), director.Order{By: "olga"}
	_, err := f.Director.Create(ctx, "keizer", tournament.Settings{
		Name: "Keizer", Variant: "quixo/duel", Format: tournament.Keizer, TimeControl: "300+3", Venue: tournament.InHall,
		Rules: tournament.PairingRules{Keizer: tournament.DefaultKeizerRules(tournament.Keizer)},
	}, "olga")
	f.must(err)
	for _, name := range []string{"ada", "bob", "cyd"} {
		_, _, err := f.Director.AddEntry(ctx, "keizer", tournament.Entry{Name: name, Members: []string{name}}, order)
		f.must(err)
	}
	_, err = f.Director.Do(ctx, "keizer", director.Start, order)
	f.must(err)
	for evening := 1; evening <= 2; evening++ {
		_, err = f.Director.Do(ctx, "keizer", director.DrawRound, order)
		f.must(err)
		_, err = f.Director.Do(ctx, "keizer", director.PublishStarting(0, false), order)
		f.must(err)
		verdict, err := tournament.ParseVerdict("1-0")
		f.must(err)
		_, err = f.Director.Do(ctx, "keizer", director.SetResult(evening, 1, verdict, ""), order)
		f.must(err)
	}
}

// holdArena plays a game of an arena, with a seat in berserk.
func (f *filler) holdArena() {
	f.t.Helper()
	ctx, order := f.t.Context(), director.Order{By: "olga"}
	rules := tournament.PairingRules{Arena: tournament.DefaultArenaRules(tournament.Arena)}
	rules.Arena.Patience = 0
	_, err := f.Director.Create(ctx, "arena", tournament.Settings{
		Name: "Arena", Variant: "quixo/duel", Format: tournament.Arena, TimeControl: "300+3", Rules: rules,
	}, "olga")
	f.must(err)
	_, err = f.Director.Do(ctx, "arena", director.Open, order)
	f.must(err)
	for _, name := range []string{"dan", "eve"} {
		_, err := f.Director.JoinArena(ctx, "arena", tournament.Entry{Name: name, Members: []string{name}}, order)
		f.must(err)
	}
	arena, err := f.Director.Do(ctx, "arena", director.Start, order)
	f.must(err)
	for deadline := time.Now().Add(time.Minute); len(arena.Rounds[0].Pairings) == 0; {
		f.must(f.Director.TickArenas(ctx))
		arena, err = f.Store.Tournaments().Load(ctx, "arena")
		f.must(err)
		if time.Now().After(deadline) {
			f.t.Fatal("nobody is paired in the arena")
		}
	}
	game := arena.Rounds[0].Pairings[0].GameID
	_, err = f.Tables.Berserk(ctx, f.Tables.Arrive(game), table.Act{Game: game, Seat: 1, By: "p"})
	f.must(err)
	f.play(game, 5)
	f.resign(game)
	f.Follow(ctx)
}

// holdMatch reveals two line-ups that were filed, and puts in a substitute for a team.
func (f *filler) holdMatch() {
	f.t.Helper()
	ctx, order := f.t.Context(), director.Order{By: "olga"}
	board := tournament.TeamBoard{Game: "quixo/duel"}
	_, err := f.Director.Create(ctx, "match", tournament.Settings{
		Name: "Match", Variant: "quixo/duel", Format: tournament.TeamRoundRobin, TimeControl: "300+3",
		Teams: &tournament.TeamRules{Boards: []tournament.TeamBoard{board, board}},
	}, "olga")
	f.must(err)
	for _, team := range []string{"a", "b"} {
		e := tournament.Entry{Name: "Team " + team, Captain: team + "1", Deputies: []string{team + "2"}}
		for _, n := range []string{"1", "2", "3"} {
			f.enterPlayers(team + n)
			e.Members = append(e.Members, team+n)
		}
		_, _, err := f.Director.AddEntry(ctx, "match", e, order)
		f.must(err)
	}
	_, err = f.Director.Do(ctx, "match", director.Start, order)
	f.must(err)
	_, err = f.Director.Do(ctx, "match", director.DrawRound, order)
	f.must(err)
	_, err = f.Director.Do(ctx, "match", director.PublishStarting(0, false), order)
	f.must(err)
	for _, team := range []string{"a", "b"} {
		_, err = f.Director.FileLineUp(ctx, "match", director.Filing{
			Round: 1, Match: 1, Player: team + "1", Players: []string{team + "1", team + "2"}, Final: true,
		}, director.Order{By: "p"})
		f.must(err)
	}
	match, err := f.Store.Tournaments().Load(ctx, "match")
	f.must(err)
	for _, e := range match.Entries {
		if e.Captain == "b1" {
			_, err = f.Director.Do(ctx, "match", director.Substitute(director.MatchBoard{Round: 1, Match: 1, Board: 2, Why: "ill"}, e.ID, "b3"), order)
			f.must(err)
		}
		if e.Captain == "a1" {
			_, err = f.Director.Do(ctx, "match", director.SetBonuses([]tournament.Bonus{{Entry: e.ID, MP: -10, After: 1, Why: "late"}}), order)
			f.must(err)
		}
	}
}

// holdLadder has a challenge on a ladder answered, and its result entered.
func (f *filler) holdLadder() {
	f.t.Helper()
	ctx, seasons := f.t.Context(), f.Store.Seasons()
	f.must(seasons.CreateLadder(ctx, ladder.Settings{
		ID: "ladder", Name: "Ladder", Organiser: "olga", Variant: "quixo/duel", TimeControl: "300+3", Hall: true, Rules: ladder.DefaultRules(),
	}))
	f.must(seasons.AddActs(ctx, "ladder", []ladder.Act{
		{N: 1, At: 1000, Kind: ladder.ActJoin, Player: "ada", By: "olga"},
		{N: 2, At: 2000, Kind: ladder.ActJoin, Player: "bob", By: "olga"},
		{N: 3, At: 3000, Kind: ladder.ActChallenge, Challenge: "c", Player: "bob", Other: "ada", By: "p"},
		{N: 4, At: 4000, Kind: ladder.ActAccept, Challenge: "c", Player: "ada", By: "p"},
		{N: 5, At: 5000, Kind: ladder.ActResult, Challenge: "c", Score: 1, By: "olga"},
	}))
}

// holdLeague makes a league of two divisions, with the Keizer season as the tournament of the upper, and a season with
// the ladder and the league.
func (f *filler) holdLeague() {
	f.t.Helper()
	ctx, seasons := f.t.Context(), f.Store.Seasons()
	members := func(names ...string) (list []league.Member) {
		for _, name := range names {
			list = append(list, league.Member{Name: name, Because: league.Joins})
		}
		return list
	}
	f.must(seasons.CreateLeague(ctx, league.Settings{ID: "league", Name: "League", Organiser: "olga"}, league.Plan{
		League: "league", Number: 1, Confirmed: true, State: league.State{Name: "1", Divisions: []league.Division{
			{Members: members("ada", "bob", "cyd"), Tournament: "keizer"}, {Members: members("dan", "~Zoe")},
		}},
	}))
	f.must(seasons.SaveSeason(ctx, series.Season{
		ID: "season", Name: "Season", Organiser: "olga", From: "2026-09-01", To: "2027-06-30",
		Parts: []series.SeasonPart{{Kind: series.OfLadder, ID: "ladder", Weight: 1_000_000}, {Kind: series.OfTournament, ID: "keizer", Weight: 1_000_000}},
	}))
}

// subscribe adds a webhook with a delivery that waits, tokens for everything and for a tournament.
func (f *filler) subscribe() {
	f.t.Helper()
	ctx, now := f.t.Context(), time.Now()
	f.must(f.Store.Hooks().Add(ctx, hook.Hook{
		ID: "hook", AccountID: "olga", Name: "Hook", URL: "https://example.org/", Kinds: tournament.NewsKinds()[:2], Format: hook.Standard,
		Secret: []byte{1}, CreatedAt: now.UnixMilli(),
	}))
	f.must(f.Store.Hooks().Queue(ctx, hook.Delivery{
		ID: "delivery", HookID: "hook", Event: -1, Kind: hook.Test, At: now.UnixMilli(), State: hook.Waiting, Since: now.Add(time.Hour).UnixMilli(),
	}))
	for name, c := range map[string]account.Credential{
		"all": {Scopes: []string{"read", "play"}},
		"one": {Scopes: []string{"helper"}, Tournament: "keizer", ExpiresAt: now.Add(24 * time.Hour).UnixMilli()},
	} {
		c.ID = name
		c.Kind = account.APIToken
		c.Hash = name
		c.AccountID = "olga"
		c.Name = name
		c.CreatedAt = now.UnixMilli()
		f.must(f.Store.People().AddToken(ctx, c, 10))
	}
}

// plantedInAutumn are errors in the data of filledAutumn, with check's words for each.
var plantedInAutumn = []struct{ what, statement, says string }{
	{"the moves of an arena's game", "UPDATE pairings SET arena = replace(arena, '\"moves\":[3,2]', '\"moves\":[9,2]') WHERE arena LIKE '%\"moves\":[3,2]%'", "has the moves [3 2] by seat, and the arena counts [9 2]"},
	{"the moves that are gone", "UPDATE pairings SET arena = replace(arena, '\"moves\":[3,2],', '') WHERE arena LIKE '%\"moves\":[3,2]%'", "has the moves [3 2] by seat, and the arena counts []"},
	{"the end of an arena's game", "UPDATE pairings SET arena = replace(arena, '\"ended_at\":', '\"ended_at\":1') WHERE arena LIKE '%ended_at%'", "and nothing in its history is of that time"},
	{"berserk that nobody played", "UPDATE pairings SET arena = replace(arena, '\"berserk\":[1]', '\"berserk\":[1,2]') WHERE arena LIKE '%berserk%'", "has seats [1] in berserk, and the arena counts [1 2]"},
	{"berserk that does not count", "UPDATE pairings SET arena = replace(arena, '\"berserk\":[1]', '\"berserk\":[]') WHERE arena LIKE '%berserk%'", "has seats [1] in berserk, and the arena counts []"},

	{"a captain who is nobody", "UPDATE entries SET captain = 'x' WHERE captain = 'a1'", "its captain names a row of players that is not there"},
	{"a deputy who is nobody", "UPDATE entries SET deputies = '[\"x\"]' WHERE captain = 'a1'", "its deputy x is no player that there is"},
	{"a leader who is nobody", "INSERT INTO entry_leaders SELECT tournament_id, id, 'x' FROM entries WHERE captain = 'a1'", "its player_id names a row of players that is not there"},
	{"an unknown role", "UPDATE accounts SET role = 'king' WHERE id = 'p'", `accounts p: its role "king" is unknown`},
	{"an unknown scope", "UPDATE credentials SET scopes = '[\"everything\"]' WHERE id = 'all'", `credentials all: its scopes have "everything", which is unknown`},
	{"a token that lasts too long", "UPDATE credentials SET expires_at = created_at + 367 * 86400000 WHERE id = 'one'", "credentials one: it lasts longer than the 8784h0m0s that it may"},
	{"a token for one tournament without an end", "UPDATE credentials SET expires_at = 0 WHERE id = 'one'", "credentials one: it lasts longer"},
	{"a token of an unknown kind", "UPDATE credentials SET kind = 'key' WHERE id = 'one'", `credentials one: its kind "key" is unknown`},
	{"a ladder run by nobody", "UPDATE ladders SET organiser = 'x'", "ladders ladder: its organiser names a row of accounts that is not there"},
	{"a league run by nobody", "UPDATE leagues SET organiser = 'x'", "leagues league: its organiser names a row of accounts"},
	{"a season run by nobody", "UPDATE seasons SET organiser = 'x'", "seasons season: its organiser names a row of accounts"},
	{"an arbiter who is nobody", "UPDATE tournaments SET arbiters = '[\"x\"]' WHERE id = 'keizer'", "the account x, an arbiter's, is not there"},
	{"a part of an unknown kind", "UPDATE seasons SET parts = replace(parts, '\"ladder\"', '\"garden\"')", `season season cannot be checked: parts[0].kind: "garden" is no kind of part`},

	{"a trigger that is gone", "DROP TRIGGER admin_log_undeleted; UPDATE players SET club = 'X'", "has lost the trigger admin_log_undeleted"},
	{"a trigger that is too much", "CREATE TRIGGER x AFTER INSERT ON players BEGIN SELECT 1; END; UPDATE players SET club = 'X'", "has a trigger x that the migrations do not make"},
	{"a trigger that does nothing", "DROP TRIGGER admin_log_undeleted; CREATE TRIGGER admin_log_undeleted BEFORE DELETE ON admin_log BEGIN SELECT 1; END; UPDATE players SET club = 'X'", "has another trigger admin_log_undeleted than the migrations make"},
	{"a unique index that is gone", "DROP INDEX pairings_game; UPDATE players SET club = 'X'", "has lost the index pairings_game"},
	{"a unique index that lets all in", "DROP INDEX pairings_game; CREATE INDEX pairings_game ON pairings (game_id); UPDATE players SET club = 'X'", "has another index pairings_game than the migrations make"},
	{"an index that is gone", "DROP INDEX games_newest; UPDATE players SET club = 'X'", "has lost the index games_newest"},
	{"a column that is gone", "ALTER TABLE players DROP COLUMN challenges_at_once; UPDATE players SET club = 'X'", "has lost the column players.challenges_at_once"},
	{"a table that is gone", "DROP TABLE arena_beats; UPDATE players SET club = 'X'", "has lost the table arena_beats"},

	{"others at the boards than filed", "UPDATE pairings SET boards = replace(replace(boards, '\"a1\"', '\"x9\"'), '\"a2\"', '\"a1\"') WHERE boards LIKE '%a1%'; UPDATE pairings SET boards = replace(boards, '\"x9\"', '\"a2\"') WHERE boards LIKE '%x9%'", "others sit at the boards than its line-up has there"},
	{"a line-up that was changed", "UPDATE line_ups SET players = '[\"a3\",\"a2\"]' WHERE players LIKE '%a1%'", "1 players sit at the boards who are not in its line-up, and 0 substitutes were put in"},
	{"one more substitute than was put in", "UPDATE pairings SET boards = replace(boards, '\"b1\"', '\"ada\"') WHERE boards LIKE '%b1%'", "2 players sit at the boards who are not in its line-up, and 1 substitutes were put in"},
	{"a line-up with somebody who is nobody", "UPDATE line_ups SET players = '[\"x\",\"a2\"]' WHERE players LIKE '%a1%'", "names a player who is not there"},

	{"a division's tournament that is gone", "UPDATE league_seasons SET state = replace(state, '\"tournament\":\"keizer\"', '\"tournament\":\"x\"')", "league league, season 1: the tournament of division 1, x, is not there"},
	{"a member in two divisions", "UPDATE league_seasons SET state = replace(state, '~Zoe', 'ada')", "league league, season 1: member ada is in division 1 and in division 2"},
	{"a member who is nobody", "UPDATE league_seasons SET state = replace(state, '\"dan\"', '\"x\"')", "league league, season 1: its member x is no player that there is"},

	{"a Keizer entry without its bye", "DELETE FROM pairings WHERE tournament_id = 'keizer' AND round = 2 AND bye <> ''", "tournament keizer, round 2: entry "},
	{"a Keizer entry that is gone", "DELETE FROM entries WHERE tournament_id = 'keizer' AND name = 'ada'", "who sits at it, is not there"},

	{"a challenge by who is not there", "UPDATE ladder_acts SET player = 'cyd' WHERE n = 3", `ladder ladder cannot be checked: the log of ladder ladder is damaged: act 3 (challenge) cannot have been done: player "cyd" is not on the ladder`},
	{"an act back in time", "UPDATE ladder_acts SET at = 1 WHERE n = 4", "act 4 (accept) cannot have been done: it lies before the act before it"},
	{"an answer to a challenge that is gone", "UPDATE ladder_acts SET challenge = 'd' WHERE n = 3", `act 4 (accept) cannot have been done: nobody has made challenge "c"`},
	{"an act of an unknown kind", "UPDATE ladder_acts SET kind = 'dance' WHERE n = 5", "act 5 (dance) cannot have been done"},
	{"an act by nobody", "UPDATE ladder_acts SET by = 'x' WHERE n = 5", "ladder_acts ladder/5: its by names a row of accounts that is not there"},

	{"reports of a round that is gone", "UPDATE slip_reports SET round = 7", "round 7: there are codes or reports of slips, and the round is not there"},
	{"codes of a round that is gone", "UPDATE slip_codes SET round = 7 WHERE board = 1", "round 7: there are codes or reports of slips, and the round is not there"},
	{"reports of a board that is gone", "UPDATE slip_reports SET board = 9 WHERE board = 1", "a report is of board 9, which is not there"},
	{"a player of a board who is gone", "DELETE FROM entries WHERE tournament_id = (SELECT tournament_id FROM slip_reports) AND name = 'ADA'", "who sits at it, is not there"},

	{"a penalty for nobody", "UPDATE tournaments SET bonuses = '[{\"entry\":\"x\",\"mp\":-10,\"after\":1,\"why\":\"\"}]' WHERE id = 'match'", "tournament match: a penalty or bonus is for entry x, which is not there"},
	{"a webhook that is never due", "UPDATE hooks SET next_at = 0", "1 webhooks have deliveries that wait, and no time at which they are tried"},
	{"a webhook for unknown news", "UPDATE hooks SET kinds = '[\"weather\"]'", `hooks hook: its kinds have "weather", which is unknown`},

	{"entries that cannot be read", "UPDATE entries SET members = '{' WHERE tournament_id = 'keizer'", "tournament keizer cannot be checked"},
	{"a tournament that cannot be read", "UPDATE tournaments SET rules = 'x' WHERE id = 'keizer'", "tournament keizer, table tournaments, row keizer, column rules: it cannot be read"},
	{"a league season that cannot be read", "UPDATE league_seasons SET state = 'x'", "table league_seasons, row league/1, column state: it cannot be read"},
	{"a game that cannot be read", "UPDATE games SET options = 'x'", "column options: it cannot be read"},
	{"a pairing without seats", "UPDATE pairings SET seats = '[]' WHERE tournament_id = 'arena'", "tournament arena"},
	{"an undo that cannot be read", "UPDATE tournament_acts SET undo = 'x' WHERE id = (SELECT max(id) FROM tournament_acts)", "column undo: it is not JSON"},
	{"an act of a version to come", "UPDATE tournament_acts SET version = 777 WHERE id = (SELECT max(id) FROM tournament_acts)", "1 acts have a version that their tournament has not come to"},
	{"a variant that there is not", "UPDATE tournaments SET variant = 'chess' WHERE id = 'keizer'", "tournament keizer: its variant: "},
	{"a time control that there is not", "UPDATE ladders SET time_control = 'slow'", "ladder ladder: its time control: "},
	{"a day that there is not", "UPDATE seasons SET first_day = '2026-13-01'", `season season cannot be checked: from: "2026-13-01" is no day`},
	{"a format that there is not", "UPDATE tournaments SET format = 'chaos' WHERE id = 'keizer'", `tournaments keizer: its format "chaos" is unknown`},
	{"a round of another number", "PRAGMA foreign_keys = OFF; UPDATE rounds SET number = 5 WHERE tournament_id = 'keizer' AND number = 1", "tournament keizer"},
}

// TestCheckFindsWhatIsPlantedInAutumn plants errors in a sound database, each alone. check names all of them in the
// expected words, and goes on to its end.
func TestCheckFindsWhatIsPlantedInAutumn(t *testing.T) {
	skipInShort(t, "checks a database for each planted error")
	data := filledAutumn(t)
	if out := checked(data); !strings.Contains(out, "everything is as it should be") {
		t.Fatalf("before anything is planted:\n%s", out)
	}
	for _, p := range plantedInAutumn {
		out := checked(spoilt(t, data, p.statement))
		if !strings.Contains(out, p.says) || !strings.Contains(out, "not as they should be") || !strings.Contains(out, "rating rows computed") {
			t.Errorf("%s: want %q in\n%s", p.what, p.says, out)
		}
	}
}
