// Package scoring enters the results of boards: those of the server's games, of arbiters and of the players themselves,
// with what follows from them: replays and decisions of a knock-out's match, adjournments, records of games in the
// hall, and the withdrawal of entries that stay away.
package scoring

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// SetResult sets the result of a pairing by hand and replaces an earlier result, which the history keeps. Rounds
// already paired from the old result do not change. A game in the hall is rated unless the verdict excludes it, it is
// forfeited or adjudicated, or the tournament is unrated. If the ranks change, a record of the game is removed. An
// unchanged result returns t itself. A verdict for the ratings only leaves points and pairings as they are, see
// correctRating. Errors wrap ErrNotFound, ErrState (unpublished round, bye, archived) or ErrInvalid (also for a verdict
// that rates a game which cannot be rated).
func SetResult(
	t *tournament.Tournament, round, board int, v tournament.Verdict, by, why string, at int64,
) (*tournament.Revision, error) {
	p, err := Playable(t, round, board)
	if err == nil {
		v, err = possible(t, round, p, v)
	}
	if err != nil {
		return nil, err
	}
	if v.RatingOnly {
		return correctRating(t, round, p, v, by, why, at)
	}
	if v.Adjudicated && strings.TrimSpace(why) == "" {
		return nil, tournament.Fault("reason", "an adjudicated result needs a reason")
	}
	rated, err := countsForRatings(t, p, v)
	if err != nil {
		return nil, err
	}
	result := t.Score(len(p.Seats), v, tournament.ByArbiter, why)
	result.Rated = rated
	if p.Result != nil && p.Result.Equal(*result) {
		return t.Unchanged()
	}
	change := tournament.Change{Round: round, Board: board, Before: p.Result, After: result, By: by, At: at, Why: why}
	return t.WithPairing(round, board, &change, func(p *tournament.Pairing) {
		if p.Result == nil || p.Result.Forfeit != v.Forfeit || !slices.Equal(p.Result.RatedRanks(), v.Ranks) {
			p.Record = ""
		}
		p.Result = result
	})
}

// correctRating sets the result of a game of two that counts for the ratings and the report file, while standings and
// pairings keep their result: C.04.2 prescribes it for a wrong result that comes to light too late. It needs a reason,
// and a round that has been paired since, or the end of the tournament; before, the result itself is corrected. A
// correction equal to the result removes the earlier correction.
func correctRating(
	t *tournament.Tournament, round int, p tournament.Pairing, v tournament.Verdict, by, why string, at int64,
) (*tournament.Revision, error) {
	switch {
	case t.Format.Decides() || len(p.Seats) != 2:
		return nil, tournament.NotNow("only the result of a game of two can be corrected for the ratings alone")
	case p.GameID != "":
		return nil, tournament.NotNow("board %d was played on the server, which rates the game itself", p.Board)
	case p.Result == nil || p.Result.Forfeit || v.Forfeit:
		return nil, tournament.NotNow("only a game that was played can be corrected for the ratings alone")
	case t.Status == tournament.Running && round == len(t.Rounds):
		return nil, tournament.NotNow("no round has been paired from this result yet; correct the result itself")
	case strings.TrimSpace(why) == "":
		return nil, tournament.Fault("reason", "a correction for the ratings alone needs a reason")
	}
	rated, err := countsForRatings(t, p, v)
	if err != nil {
		return nil, err
	}
	result := *p.Result
	result.Rated, result.RatedAs = rated, v.Ranks
	if slices.Equal(v.Ranks, result.Ranks) {
		result.RatedAs = nil
	}
	if p.Result.Equal(result) {
		return t.Unchanged()
	}
	change := tournament.Change{Round: round, Board: p.Board, Before: p.Result, After: &result, By: by, At: at, Why: why}
	return t.WithPairing(round, p.Board, &change, func(p *tournament.Pairing) {
		if !slices.Equal(p.Result.RatedRanks(), v.Ranks) {
			p.Record = ""
		}
		p.Result = &result
	})
}

// BoardVerdict is the result of a board in a list for [SetResults].
type BoardVerdict struct {
	Board   int
	Verdict tournament.Verdict
	Why     string
	If      func(*tournament.Tournament) error // a condition on the tournament before any of the results; nil for none
}

// SetResults sets the results of several boards as a single change. It leaves boards as they are if their result cannot
// be set: refused has the errors in the order of the list, nil for results that are set.
func SetResults(t *tournament.Tournament, round int, list []BoardVerdict, by string, at int64) (
	next *tournament.Revision, refused []error,
) {
	next, refused = &tournament.Revision{Tournament: t}, make([]error, len(list))
	named := map[int]bool{}
	for i, v := range list {
		if named[v.Board] {
			refused[i] = tournament.NotValid("board %d is named twice", v.Board)
			continue
		}
		named[v.Board] = true
		if v.If != nil {
			refused[i] = v.If(t)
			if refused[i] != nil {
				continue
			}
		}
		changed, err := next.Then(SetResult(next.Tournament, round, v.Board, v.Verdict, by, v.Why, at))
		refused[i] = err
		if err == nil {
			next = changed
		}
	}
	return next, refused
}

// possible returns the verdict in the form that the pairing takes, or an error if the pairing cannot have it.
func possible(t *tournament.Tournament, round int, p tournament.Pairing, v tournament.Verdict) (tournament.Verdict, error) {
	v, err := Resolve(t, p, v)
	if err == nil && t.Format.ScoresItself() && tournament.Unwon(v.Ranks) && !v.RatingOnly {
		err = tournament.NotValid("a %s season counts a game as won, drawn or lost; write 1-0, 1/2-1/2 or 0-1", t.Format)
	}
	if err == nil {
		err = v.Check(len(p.Seats))
	}
	if err == nil {
		err = checkTable(t, v, len(p.Seats))
	}
	if err == nil {
		err = checkWinner(t, round, p, v)
	}
	return v, err
}

// Adjourn notes when and how a game goes on; an earlier result is removed. The round is not complete until the game has
// a result again.
func Adjourn(t *tournament.Tournament, round, board int, by, note string, at int64) (*tournament.Revision, error) {
	p, err := Playable(t, round, board)
	note = strings.TrimSpace(note)
	switch {
	case err != nil:
		return nil, err
	case t.Status != tournament.Running:
		return nil, tournament.NotNow("the tournament is %s; its games can no longer be adjourned", t.Status)
	case round < len(t.Rounds):
		return nil, tournament.NotNow("round %d has been paired from this result; it can be corrected, but not removed",
			len(t.Rounds))
	case t.Format.Continuous():
		return nil, tournament.RefuseNextGame()
	case note == "":
		return nil, tournament.Fault("reason", "say when and how the game goes on")
	case p.Result == nil && p.Adjourned == note:
		return t.Unchanged()
	}
	change := tournament.Change{Round: round, Board: board, Before: p.Result, By: by, At: at}.
		Because(sentence.New("adjourned: %s", note))
	return t.WithPairing(round, board, &change, func(p *tournament.Pairing) {
		p.Result = nil
		p.Adjourned = note
		p.Record = ""
	})
}

// Playable returns a pairing that may get a result.
func Playable(t *tournament.Tournament, round, board int) (tournament.Pairing, error) {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return p, err
	case t.Status != tournament.Running && t.Status != tournament.Finished:
		return p, tournament.NotNow("the tournament is %s; results cannot be entered", t.Status)
	case t.Rounds[round-1].Status == tournament.Paired:
		return p, tournament.NotNow("round %d is not published yet", round)
	case p.Bye != tournament.NoBye:
		return p, tournament.NotNow("board %d of round %d is a bye and has no game", board, round)
	case t.Teams != nil:
		return p, tournament.NotNow("the result of a match follows from its boards; enter the result of a board")
	}
	return p, nil
}

// served returns a pairing for the end of a game on the server. It refuses boards in the hall: they have no game on the
// server, and its end must open no other.
func served(t *tournament.Tournament, round, board int) (tournament.Pairing, error) {
	p, err := Playable(t, round, board)
	if err == nil && p.ByHand() {
		return p, tournament.NotNow("board %d is played over the board; enter its result when it is known", board)
	}
	return p, err
}

// Awaits reports whether the pairing is open and waits for the result of this game. Results of other games are ignored:
// an arbiter was faster, or another game replaced them.
func Awaits(t *tournament.Tournament, round, board int, gameID string) bool {
	p, err := t.Pairing(round, board)
	result, has := p.GameResults()[gameID]
	return err == nil && t.Status == tournament.Running && has && result == nil
}

// GameOver records the result of the game that a pairing awaits (see [Awaits]). ranks are by seat of the game; partners
// share theirs. A game of two that was won on time or by forfeit before both sides had moved is a forfeit, and so is a
// game won in any way before the first move. A drawn game of a knock-out is followed by another game with the id
// newGame, until the match is decided.
func GameOver(t *tournament.Tournament,
	round, board int, ranks []int, plies int, newGame, reason string, at int64,
) (*tournament.Revision, error) {
	p, err := served(t, round, board)
	if err != nil {
		return nil, err
	}
	if want := len(t.Players(p)); len(ranks) != want {
		return nil, tournament.NotValid("the game has ranks for %d seats, but the pairing has %d players", len(ranks), want)
	}
	v := GameVerdict(ranks[:len(p.Seats)], plies, reason)
	if t.Format.Decides() && v.Ranks[0] == v.Ranks[1] {
		return continueMatch(t, round, p, v.Ranks, newGame, reason, at)
	}
	if p.HasDraw() {
		v.Forfeit, v.Adjudicated = false, reason == tournament.ReasonAdjudication
	}
	return recordResult(t, round, p, v, reason, at)
}

// GameVerdict returns the verdict of a server's game by its ranks, plies and reason.
func GameVerdict(ranks []int, plies int, reason string) tournament.Verdict {
	v := tournament.Verdict{Ranks: tournament.PlacesOf(ranks)}
	v.Forfeit = unplayed(plies, reason) && len(ranks) == 2 && v.Ranks[0] != v.Ranks[1]
	v.Adjudicated = reason == tournament.ReasonAdjudication && !v.Forfeit
	return v
}

// unplayed reports whether a game of two that was won counts as not played in the sense of the regulations.
func unplayed(plies int, reason string) bool {
	return plies == 0 || plies < 2 && (reason == tournament.ReasonTime || reason == tournament.ReasonForfeit)
}

// recordResult returns t with the result of a server's game, and without entries that have stayed away too often.
func recordResult(t *tournament.Tournament,
	round int, p tournament.Pairing, v tournament.Verdict, reason string, at int64,
) (*tournament.Revision, error) {
	result := t.Score(len(p.Seats), v, tournament.ByServer, reason)
	change := tournament.Change{
		Round: round, Board: p.Board, Before: p.Result, After: result, By: tournament.ServerAccount, At: at, Why: reason,
	}
	next, _ := t.WithPairing(round, p.Board, &change, func(p *tournament.Pairing) { p.Result = result })
	return withoutAbsent(next, next.Rounds[round-1].Pairings[p.Board-1], at), nil
}

// GameVoid replaces a void game in the same pairing, with the seats exchanged: at most twice, then the pairing is a
// draw. In a knock-out a void game is treated like a drawn game. newGame is the id of the new game.
func GameVoid(
	t *tournament.Tournament, round, board int, newGame, reason string, at int64,
) (*tournament.Revision, error) {
	p, err := served(t, round, board)
	if err != nil {
		return nil, err
	}
	return continueMatch(t, round, p, nil, newGame, reason, at)
}

// GameAborted notes that a pairing's game was aborted without a result. The pairing stays open: an arbiter enters a
// result or orders another game.
func GameAborted(t *tournament.Tournament, round, board int, reason string, at int64) (*tournament.Revision, error) {
	if _, err := served(t, round, board); err != nil {
		return nil, err
	}
	change := tournament.Change{Round: round, Board: board, By: tournament.ServerAccount, At: at}.
		Because(sentence.New("the game was broken off: %s", tournament.ReasonWord(reason)))
	return t.WithPairing(round, board, &change, func(*tournament.Pairing) {})
}

// PlayAgain opens a new game for a pairing of the latest round, with the same seats; an earlier result is removed. In a
// knock-out only the last game of the match is replayed: games drawn before it still count. In the hall no game is
// opened; the pairing awaits the result of the new game.
func PlayAgain(
	t *tournament.Tournament, round, board int, newGame, by, why string, at int64,
) (*tournament.Revision, error) {
	p, err := Playable(t, round, board)
	switch {
	case err != nil:
		return nil, err
	case t.Status != tournament.Running:
		return nil, tournament.NotNow("the tournament is %s; a result can be corrected, but not played again", t.Status)
	case round < len(t.Rounds):
		return nil, tournament.NotNow(
			"round %d has been paired from this result; it can be corrected, but not played again", len(t.Rounds))
	case t.Format.Continuous():
		return nil, tournament.RefuseNextGame()
	case !t.Hosted(p):
		return nil, tournament.NotNow("board %d is played over the board; enter its result when it is known", board)
	}
	change := tournament.Change{Round: round, Board: board, Before: p.Result, By: by, At: at, Why: why}
	return t.WithPairing(round, board, &change, func(p *tournament.Pairing) {
		if p.Venue == tournament.InHall {
			p.Result = nil
			p.Adjourned = ""
			p.Record = ""
			return
		}
		p.Earlier = p.GamesSoFar(nil, why)
		p.Result = nil
		p.GameID = newGame
		p.Adjourned = ""
		p.Games = max(1, p.Games)
		if !t.Format.Decides() {
			p.Games = 1
		}
	})
}

// PlayersAccount is the author, in the history, of results that the players of a board entered.
const PlayersAccount = "players"

// ReportedResult sets the result that all sides of a board in the hall have reported. It never replaces a result: if
// the pairing has a result, or its game is on the server, the error wraps ErrState. Forfeits and adjudications are for
// the arbiter. The result is rated like a result by hand.
func ReportedResult(
	t *tournament.Tournament, round, board int, v tournament.Verdict, at int64,
) (*tournament.Revision, error) {
	p, err := Playable(t, round, board)
	if err != nil {
		return nil, err
	}
	if err := reportable(t, round, p); err != nil {
		return nil, err
	}
	v, err = Resolve(t, p, v)
	if err != nil {
		return nil, err
	}
	if err := CheckReport(t, round, board, v); err != nil {
		return nil, err
	}
	rated, err := countsForRatings(t, p, v)
	if err != nil {
		return nil, err
	}
	result := t.Score(len(p.Seats), v, tournament.ByPlayers, "")
	result.Rated = rated
	change := tournament.Change{Round: round, Board: board, After: result, By: PlayersAccount, At: at}
	return t.WithPairing(round, board, &change, func(p *tournament.Pairing) { p.Result = result })
}

// CheckReport returns an error for a verdict that players cannot report for a board.
func CheckReport(t *tournament.Tournament, round, board int, v tournament.Verdict) error {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return err
	case v.Forfeit || v.Adjudicated:
		return tournament.NotValid("a game that was not played to its end is decided by the arbiter")
	case tournament.Unwon(v.Ranks):
		return tournament.NotValid("a game that neither won and that was not drawn is decided by the arbiter")
	}
	_, err = possible(t, round, p, v)
	return err
}

// reportable returns an error for a pairing that takes no results from its players.
func reportable(t *tournament.Tournament, round int, p tournament.Pairing) error {
	switch {
	case t.Status != tournament.Running:
		return tournament.NotNow("the tournament is %s; only an arbiter can correct its results", t.Status)
	case round < len(t.Rounds):
		return tournament.NotNow("round %d is over; only an arbiter can correct its results", round)
	case p.Result != nil:
		return tournament.NotNow("board %d has a result; only an arbiter can correct it", p.Board)
	case p.GameID != "":
		return tournament.NotNow("board %d is played on the server, which enters the result itself", p.Board)
	case p.Adjourned != "":
		return tournament.NotNow("the game at board %d is adjourned; the arbiter enters its result", p.Board)
	}
	return nil
}

// Reportable reports whether the players of a board may enter its result now.
func Reportable(t *tournament.Tournament, round, board int) bool {
	p, err := Playable(t, round, board)
	return err == nil && reportable(t, round, p) == nil
}
