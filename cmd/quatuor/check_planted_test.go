package main

import (
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
	"quatuor/tournament/director"
)

// planted is a change of a sound database, and the reason why check cannot find it; "" where it must.
type planted struct{ what, statement, unfound string }

// plantedErrors are errors of every kind of row: games and their logs, tournaments and their histories, slips, ratings,
// the outbox, people and accounts. Ids are those of filledEvening.
var plantedErrors = []planted{
	{"a clock's time in a log", "UPDATE lines SET remaining = remaining + 1 WHERE kind = 'move' AND n = 2", ""},
	{"a move in a log", "UPDATE lines SET text = 'z9' WHERE kind = 'move' AND n = 2", ""},
	{"a line that is gone", "DELETE FROM lines WHERE n = 3", ""},
	{"a line that comes twice", "INSERT INTO lines SELECT game_id, n + 100, kind, seat, text, at, turn, elapsed, claimed, remaining, by_account, said FROM lines WHERE n = 2", ""},
	{"the time of a move", "UPDATE lines SET at = at - 100000 WHERE kind = 'move' AND n = 3", ""},
	{"the seat of a move", "UPDATE lines SET seat = 3 - seat WHERE kind = 'move' AND n = 2", ""},
	{"a position", "UPDATE games SET position = position || '.' WHERE status = 'finished'", ""},
	{"a turn", "UPDATE games SET turn = turn + 1 WHERE status = 'finished'", ""},
	{"a number of plies", "UPDATE games SET plies = plies + 1 WHERE status = 'finished' AND NOT hall", ""},
	{"a game's version", "UPDATE live_games SET version = version + 1", ""},
	{"a running position", "UPDATE live_games SET position = position || '.'", ""},
	{"a running game's deadline", "UPDATE live_games SET deadline = deadline + 1 WHERE deadline > 0", ""},
	{"a running game's row that is gone", "DELETE FROM live_games", ""},
	{"an outcome turned round", "UPDATE games SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE NOT hall", ""},
	{"the outcome of a game in the hall", "UPDATE games SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE hall", ""},
	{"an outcome that is gone", "UPDATE games SET outcome = NULL WHERE status = 'finished'", ""},
	{"a finished game that runs", "UPDATE games SET status = 'running' WHERE status = 'finished' AND tournament_id IS NULL", ""},
	{"a game's clock", "UPDATE games SET clock = (SELECT clock FROM games LIMIT 1)", ""},
	{"a game's players exchanged", "UPDATE games SET players = '[\"cyd\",\"ada\"]' WHERE tournament_id IS NULL AND status = 'finished'", ""},
	{"another player at a seat", "UPDATE games SET players = replace(players, 'ada', 'bob') WHERE tournament_id IS NULL", ""},
	{"a game that is missing in a player's list", "DELETE FROM game_players WHERE player_id = 'ada'", ""},
	{"a game that is too much in a player's list", "INSERT INTO game_players SELECT 'dan', created_at, id FROM games WHERE tournament_id IS NULL LIMIT 1", ""},
	{"a game on another board", "UPDATE games SET board = 3 - board WHERE tournament_id IS NOT NULL AND NOT hall", ""},
	{"a game in another round", "UPDATE games SET round = 1 WHERE round = 2", ""},
	{"a game that is gone", "DELETE FROM games WHERE tournament_id IS NOT NULL AND hall", ""},
	{"the winner at a board of the server turned round", "UPDATE pairings SET seats = '[' || json_quote(seats ->> 1) || ',' || json_quote(seats ->> 0) || ']' WHERE game_id <> '' AND round = 1", ""},
	{"the seats at a board in the hall", "UPDATE pairings SET seats = '[' || json_quote(seats ->> 1) || ',' || json_quote(seats ->> 0) || ']' WHERE hall_game <> '' AND result IS NOT NULL", ""},
	{"the seats of an earlier game", "UPDATE pairings SET earlier = replace(earlier, '\"seats\":[\"' || (earlier ->> '$[0].seats[0]') || '\"', '\"seats\":[\"x\"') WHERE earlier <> 'null' AND earlier <> '[]'", ""},
	{"a result turned round", "UPDATE pairings SET result = replace(result, '[1,2]', '[2,1]') WHERE game_id <> ''", ""},
	{"a result by hand turned round", "UPDATE pairings SET result = replace(result, '[2,1]', '[1,2]') WHERE result LIKE '%arbiter%'", ""},
	{"the points of a result", "UPDATE pairings SET result = replace(result, '\"points\":[10,0]', '\"points\":[0,10]') WHERE result LIKE '%[10,0]%'", ""},
	{"the reason of a result", "UPDATE pairings SET result = replace(result, 'over the board', 'by lot')", ""},
	{"a result that is gone", "UPDATE pairings SET result = NULL WHERE board = 1 AND round = 1", ""},
	{"another game at a board", "UPDATE pairings SET game_id = game_id || '-' WHERE board = 1 AND round = 1 AND game_id <> ''", ""},
	{"a board that is gone", "DELETE FROM pairings WHERE board = 2 AND round = 2", ""},
	{"a round that is open again", "UPDATE rounds SET status = 'published' WHERE status = 'complete'", ""},
	{"a round that is gone", "DELETE FROM pairings WHERE round = 3; DELETE FROM round_snapshots WHERE round = 3; DELETE FROM rounds WHERE number = 3", ""},
	{"a number of entries", "UPDATE tournaments SET entry_count = entry_count + 1", ""},
	{"the last change of a result", "UPDATE result_changes SET after_result = replace(after_result, '[1,2]', '[2,1]')", ""},
	{"a change that is gone", "DELETE FROM result_changes WHERE id = 1", ""},
	{"a change of a change", "UPDATE result_changes SET before_result = replace(before_result, '[1,2]', '[2,1]') WHERE before_result IS NOT NULL", ""},
	{"a code of another seat", "UPDATE slip_codes SET seat = 5 WHERE seat = 1", ""},
	{"a code of another board", "UPDATE slip_codes SET board = 3 - board WHERE seat = 1", ""},
	{"a code of a board that is not there", "UPDATE slip_codes SET board = 9 WHERE seat = 0", ""},
	{"a code that is gone", "DELETE FROM slip_codes WHERE seat = 2", ""},
	{"the hash of a code", "UPDATE slip_codes SET hash = 'a' || substr(hash, 2) WHERE seat = 0 AND hash NOT LIKE 'a%'", ""},
	{"a secret", "UPDATE slip_secrets SET secret = substr(secret, 2) || substr(secret, 1, 1)", ""},
	{"a secret that is gone", "DELETE FROM slip_secrets", ""},
	{"what a seat reported", "UPDATE slip_reports SET verdict = '0-1' WHERE verdict = '1-0' AND seat = 1 AND board = 1", ""},
	{"a report that cannot be read", "UPDATE slip_reports SET verdict = 'nonsense'", ""},
	{"a report of a seat that is not there", "UPDATE slip_reports SET seat = 7 WHERE seat = 2", ""},
	{"a rating after a game", "UPDATE rating_rows SET value_after = value_after + 1e-9", ""},
	{"a rating row that is gone", "DELETE FROM rating_rows WHERE seq = 1", ""},
	{"a current rating", "UPDATE current_ratings SET value = value + 1", ""},
	{"a rating list's sum", "UPDATE rating_lists SET games = games + 1", ""},
	{"a place in the outbox that is gone", "DELETE FROM outbox WHERE seq = 2", ""},
	{"what the outbox tells of a game", "UPDATE outbox SET ranks = '[2,1]' WHERE ranks = '[1,2]'", ""},
	{"how far the ratings have come", "UPDATE cursors SET seq = seq + 100 WHERE consumer = 'ratings'", ""},
	{"a player who is gone", "DELETE FROM players WHERE id = 'bob'", ""},
	{"an account who is gone", "DELETE FROM accounts WHERE id = 'p'", ""},
	{"the organiser's account, who is gone", "DELETE FROM accounts WHERE id = 'olga'", ""},
	{"an account's player", "UPDATE accounts SET player_id = 'bob' WHERE player_id = 'eve'", ""},
	{"a player's account", "UPDATE players SET account_id = NULL WHERE id = 'eve'", ""},
	{"an arbiter who is gone", "UPDATE tournaments SET arbiters = '[\"nobody\"]'", ""},
	{"an entry's member", "UPDATE entries SET members = '[\"bob\"]' WHERE members = '[\"ada\"]'", ""},
	{"an entry that is missing in a player's list", "DELETE FROM entry_members WHERE player_id = 'ada'", ""},
	{"another winner before the first rating", "UPDATE players SET rating = '{\"quixo-blitz\":2000}' WHERE id = 'ada'", ""},
	{
		"a player's name", "UPDATE players SET name = 'Somebody Else' WHERE id = 'ada'",
		"what people typed is kept once, and nothing is computed from it",
	},
	{
		"a password", "UPDATE accounts SET password_hash = 'x'",
		"it is a hash of what only its owner knows",
	},
}

// filledEvening is a data folder with a round-robin that is over, a Swiss in the hall that runs, with results from
// slips and by hand, a knock-out with a drawn game, casual games, ratings, and a player with an account.
func filledEvening(t *testing.T) string {
	t.Helper()
	return filledBy(t, func(f *filler) {
		f.openAccounts("olga", "p")
		f.enterPlayers("ada", "bob", "cyd", "dan")
		eve := account.Account{ID: "eve-account", Login: "eve", Role: account.RolePlayer, PlayerID: "eve"}
		f.must(f.Store.People().CreateAccount(t.Context(), eve, &club.Player{
			ID: "eve", Name: "EVE", AccountID: eve.ID, Version: 1,
		}))
		f.holdCup()
		f.holdInHall()
		f.holdKnockout()
		f.playCasually()
	})
}

// started is a tournament of four with its first round published.
func (f *filler) started(s tournament.Settings) *tournament.Tournament {
	f.t.Helper()
	ctx, order := f.t.Context(), director.Order{By: "olga"}
	cup, err := f.Director.Create(ctx, "", s, "olga")
	f.must(err)
	_, err = f.Director.Do(ctx, cup.ID, director.Open, order)
	f.must(err)
	for _, name := range []string{"ada", "bob", "cyd", "dan"} {
		_, _, err := f.Director.AddEntry(ctx, cup.ID, tournament.Entry{Name: strings.ToUpper(name), Members: []string{name}},
			order)
		f.must(err)
	}
	_, err = f.Director.Do(ctx, cup.ID, director.Start, order)
	f.must(err)
	_, err = f.Director.Do(ctx, cup.ID, director.DrawRound, order)
	f.must(err)
	cup, err = f.Director.Do(ctx, cup.ID, director.PublishStarting(0, false), order)
	f.must(err)
	return cup
}

// holdInHall plays a round in the hall: at the first board both report the same, at the second a single player reports,
// and the arbiter enters a result and corrects it.
func (f *filler) holdInHall() {
	f.t.Helper()
	ctx, order := f.t.Context(), director.Order{By: "olga"}
	cup := f.started(tournament.Settings{
		Name: "Hall", Variant: "quixo/duel", Format: tournament.Swiss, RoundCount: 2, TimeControl: "300+3", Rated: true,
		Venue: tournament.InHall,
	})
	codes, err := f.Director.RoundCodes(ctx, cup, 1, true)
	f.must(err)
	report := func(board, seat int) {
		code := codes[board-1].Seats[seat-1]
		s, err := f.Director.Slip(ctx, code)
		f.must(err)
		_, err = f.Director.Report(ctx, code, seat, "1-0", s.Reports.Saw(seat))
		f.must(err)
	}
	report(1, 1)
	report(1, 2)
	report(2, 1)
	for _, result := range []string{"1-0", "0-1"} {
		verdict, err := tournament.ParseVerdict(result)
		f.must(err)
		_, err = f.Director.Do(ctx, cup.ID, director.SetResult(1, 2, verdict, "from the slip"), order)
		f.must(err)
	}
	f.Follow(ctx)
}

// holdKnockout plays the first game of a match to a draw, and leaves the second running.
func (f *filler) holdKnockout() {
	f.t.Helper()
	cup := f.started(tournament.Settings{
		Name: "Knock-out", Variant: "quits/duel", Format: tournament.Knockout, TimeControl: "300+3", Rated: true,
		Rules: tournament.PairingRules{Match: tournament.KnockoutRules{Replays: 2, Decision: tournament.ByLot}},
	})
	f.play(cup.Rounds[0].Pairings[0].GameID, 4)
	f.draw(cup.Rounds[0].Pairings[0].GameID)
	f.play(cup.Rounds[0].Pairings[1].GameID, 4)
	f.resign(cup.Rounds[0].Pairings[1].GameID)
	f.Follow(f.t.Context())
}

// TestCheckFindsPlantedErrors plants errors in a sound database, each alone: check names all of them but those that
// nothing stored contradicts.
func TestCheckFindsPlantedErrors(t *testing.T) {
	skipInShort(t, "checks a database for each planted error")
	data := filledEvening(t)
	if out := checked(data); !strings.Contains(out, "everything is as it should be") {
		t.Fatalf("before anything is planted:\n%s", out)
	}
	found := 0
	for _, p := range plantedErrors {
		out := checked(spoilt(t, data, p.statement))
		is := !strings.Contains(out, "everything is as it should be")
		if is != (p.unfound == "") {
			t.Errorf("%s: found: %v\n%s\n%s", p.what, is, p.statement, out)
		}
		if is {
			found++
			t.Logf("found      %-45s %s", p.what, strings.SplitN(out, "\n", 2)[0])
		} else {
			t.Logf("not found  %-45s %s", p.what, p.unfound)
		}
	}
	t.Logf("%d of %d planted errors are found", found, len(plantedErrors))
}

// checked returns the output of check for a data folder.
func checked(data string) string {
	var out, errs strings.Builder
	run([]string{"check", "--data", data}, strings.NewReader(""), &out, &errs)
	return out.String() + errs.String()
}
