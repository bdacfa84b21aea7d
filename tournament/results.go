package tournament

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
)

// ServerAccount is the author of automatic changes in the history.
const ServerAccount = "server"

// MaxGames is the maximum number of games of a pairing; if the last one is void, too, the pairing is a draw.
const MaxGames = 3

// SetResult sets the result of a pairing by hand and replaces an earlier one, which the history keeps. Rounds already
// paired from the old result do not change. A game in the hall is rated unless the verdict excludes it, it is forfeited
// or adjudicated, or the tournament is unrated. If the ranks change, a record of the game is removed. An unchanged
// result returns t itself. A verdict for the ratings only leaves points and pairings as they are, see
// [Tournament.correctRating]. Errors wrap ErrNotFound, ErrState (unpublished round, bye, archived) or ErrInvalid (also
// for a verdict that rates a game which cannot be rated).
func (t *Tournament) SetResult(round, board int, v Verdict, by, why string, at int64) (*Tournament, Delta, error) {
	p, err := t.playable(round, board)
	if err == nil {
		v, err = t.possible(round, p, v)
	}
	if err != nil {
		return nil, Delta{}, err
	}
	if v.RatingOnly {
		return t.correctRating(round, p, v, by, why, at)
	}
	if v.Adjudicated && strings.TrimSpace(why) == "" {
		return nil, Delta{}, Fault("reason", "an adjudicated result needs a reason")
	}
	rated, err := t.countsForRatings(p, v)
	if err != nil {
		return nil, Delta{}, err
	}
	result := t.score(len(p.Seats), v, ByArbiter, why)
	result.Rated = rated
	if p.Result != nil && p.Result.same(*result) {
		return t, Delta{}, nil
	}
	change := Change{Round: round, Board: board, Before: p.Result, After: result, By: by, At: at, Why: why}
	return t.WithPairing(round, board, &change, func(p *Pairing) {
		if p.Result == nil || p.Result.Forfeit != v.Forfeit || !slices.Equal(p.Result.ratedRanks(), v.Ranks) {
			p.Record = ""
		}
		p.Result = result
	})
}

// correctRating sets the result of a game of two that counts for the ratings and the report file, while standings and
// pairings keep the one they were made from: what C.04.2 prescribes for a wrong result that comes to light too late. It
// needs a reason, and a round that has been paired since, or the end of the tournament; before, the result itself is
// corrected. The result as it stands removes the correction.
func (t *Tournament) correctRating(round int, p Pairing, v Verdict, by, why string, at int64) (
	*Tournament, Delta, error,
) {
	switch {
	case t.Format.Decides() || len(p.Seats) != 2:
		return nil, Delta{}, Refuse(ErrState, "only the result of a game of two can be corrected for the ratings alone")
	case p.GameID != "":
		return nil, Delta{}, Refuse(ErrState, "board %d was played on the server, which rates the game itself", p.Board)
	case p.Result == nil || p.Result.Forfeit || v.Forfeit:
		return nil, Delta{}, Refuse(ErrState, "only a game that was played can be corrected for the ratings alone")
	case t.Status == Running && round == len(t.Rounds):
		return nil, Delta{}, Refuse(ErrState, "no round has been paired from this result yet; correct the result itself")
	case strings.TrimSpace(why) == "":
		return nil, Delta{}, Fault("reason", "a correction for the ratings alone needs a reason")
	}
	rated, err := t.countsForRatings(p, v)
	if err != nil {
		return nil, Delta{}, err
	}
	result := *p.Result
	result.Rated, result.RatedAs = rated, v.Ranks
	if slices.Equal(v.Ranks, result.Ranks) {
		result.RatedAs = nil
	}
	if p.Result.same(result) {
		return t, Delta{}, nil
	}
	change := Change{Round: round, Board: p.Board, Before: p.Result, After: &result, By: by, At: at, Why: why}
	return t.WithPairing(round, p.Board, &change, func(p *Pairing) {
		if !slices.Equal(p.Result.ratedRanks(), v.Ranks) {
			p.Record = ""
		}
		p.Result = &result
	})
}

// ratedRanks returns the ranks that count for the ratings.
func (r *Result) ratedRanks() []int {
	if r.RatedAs != nil {
		return r.RatedAs
	}
	return r.Ranks
}

// RatedText returns the result that counts for the ratings and the report file, if it was corrected for these alone;
// else "".
func (r *Result) RatedText() string {
	if r == nil || r.RatedAs == nil {
		return ""
	}
	return Verdict{Ranks: r.RatedAs}.String()
}

// BoardVerdict is the result of one of several boards.
type BoardVerdict struct {
	Board   int
	Verdict Verdict
	Why     string
	If      func(*Tournament) error // a condition on the tournament before any of the results; nil for none
}

// SetResults sets the results of several boards as one change. What cannot be set is left as it is: refused has the
// reasons in the order of the list, nil for those that are set.
func (t *Tournament) SetResults(round int, list []BoardVerdict, by string, at int64) (
	next *Tournament, delta Delta, refused []error,
) {
	next, refused = t, make([]error, len(list))
	named := map[int]bool{}
	for i, v := range list {
		if named[v.Board] {
			refused[i] = Refuse(ErrInvalid, "board %d is named twice", v.Board)
			continue
		}
		named[v.Board] = true
		if v.If != nil {
			if refused[i] = v.If(t); refused[i] != nil {
				continue
			}
		}
		changed, more, err := next.SetResult(round, v.Board, v.Verdict, by, v.Why, at)
		if refused[i] = err; err == nil {
			next, delta = changed, delta.Then(more)
		}
	}
	return next, delta, refused
}

// possible returns a verdict as the pairing takes it, or an error for one that it cannot have.
func (t *Tournament) possible(round int, p Pairing, v Verdict) (Verdict, error) {
	v, err := t.Resolve(p, v)
	if err == nil && t.Format.ScoresItself() && unwon(v.Ranks) && !v.RatingOnly {
		err = Refuse(ErrInvalid, "a %s season counts a game as won, drawn or lost; write 1-0, 1/2-1/2 or 0-1", t.Format)
	}
	if err == nil {
		err = v.Check(len(p.Seats))
	}
	if err == nil {
		err = t.checkTable(v, len(p.Seats))
	}
	if err == nil {
		err = t.checkWinner(round, p, v)
	}
	return v, err
}

func (r Result) same(o Result) bool {
	return slices.Equal(r.Ranks, o.Ranks) && r.Forfeit == o.Forfeit && r.Adjudicated == o.Adjudicated &&
		r.Rated == o.Rated && r.Source == o.Source && r.Reason == o.Reason && slices.Equal(r.RatedAs, o.RatedAs) &&
		r.GoesOn == o.GoesOn && r.DecidedBy == o.DecidedBy
}

// Adjourn notes that a game goes on later, and how; a result that it had is removed. The round is not complete until it
// has one again.
func (t *Tournament) Adjourn(round, board int, by, note string, at int64) (*Tournament, Delta, error) {
	p, err := t.playable(round, board)
	note = strings.TrimSpace(note)
	switch {
	case err != nil:
		return nil, Delta{}, err
	case t.Status != Running:
		return nil, Delta{}, Refuse(ErrState, "the tournament is %s; its games can no longer be adjourned", t.Status)
	case round < len(t.Rounds):
		return nil, Delta{}, Refuse(ErrState,
			"round %d has been paired from this result; it can be corrected, but not removed", len(t.Rounds))
	case t.Format.Continuous():
		return nil, Delta{}, ErrNextGame
	case note == "":
		return nil, Delta{}, Fault("reason", "say when and how the game goes on")
	case p.Result == nil && p.Adjourned == note:
		return t, Delta{}, nil
	}
	change := Change{Round: round, Board: board, Before: p.Result, By: by, At: at}.
		Because(sentence.New("adjourned: %s", note))
	return t.WithPairing(round, board, &change, func(p *Pairing) { p.Result, p.Adjourned, p.Record = nil, note, "" })
}

// playable returns a pairing that may get a result.
func (t *Tournament) playable(round, board int) (Pairing, error) {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return p, err
	case t.Status != Running && t.Status != Finished:
		return p, Refuse(ErrState, "the tournament is %s; results cannot be entered", t.Status)
	case t.Rounds[round-1].Status == Paired:
		return p, Refuse(ErrState, "round %d is not published yet", round)
	case p.Bye != NoBye:
		return p, Refuse(ErrState, "board %d of round %d is a bye and has no game", board, round)
	case t.Teams != nil:
		return p, Refuse(ErrState, "the result of a match follows from its boards; enter the result of a board")
	}
	return p, nil
}

// served returns a pairing of which the server's game may be over: a board in the hall has none, and its end opens no
// other beside it.
func (t *Tournament) served(round, board int) (Pairing, error) {
	p, err := t.playable(round, board)
	if err == nil && p.byHand() {
		return p, Refuse(ErrState, "board %d is played over the board; enter its result when it is known", board)
	}
	return p, err
}

// Awaits reports whether the pairing is open and waits for the result of this game. Results of other games are ignored:
// an arbiter was faster, or another game replaced them.
func (t *Tournament) Awaits(round, board int, gameID string) bool {
	p, err := t.Pairing(round, board)
	result, has := p.games()[gameID]
	return err == nil && t.Status == Running && has && result == nil
}

// GameOver records the result of the game that a pairing awaits (see [Tournament.Awaits]). ranks are by seat of the
// game; partners share theirs. A game of two that was won on time or by forfeit before both sides had moved is a
// forfeit, and so is one that was won in any way before the first move. A drawn game of a knock-out is followed by
// another one with the id newGame, until the match is decided.
func (t *Tournament) GameOver(
	round, board int, ranks []int, plies int, newGame, reason string, at int64,
) (*Tournament, Delta, error) {
	p, err := t.served(round, board)
	if err != nil {
		return nil, Delta{}, err
	}
	if want := len(t.Players(p)); len(ranks) != want {
		return nil, Delta{}, Refuse(ErrInvalid, "the game has ranks for %d seats, but the pairing has %d players", len(ranks),
			want)
	}
	v := GameVerdict(ranks[:len(p.Seats)], plies, reason)
	if t.Format.Decides() && v.Ranks[0] == v.Ranks[1] {
		return t.continueMatch(round, p, v.Ranks, newGame, reason, at)
	}
	if p.drawn() {
		v.Forfeit, v.Adjudicated = false, reason == adjudication
	}
	return t.recordResult(round, p, v, reason, at)
}

// GameVerdict returns the verdict of a server's game by its ranks, plies and reason.
func GameVerdict(ranks []int, plies int, reason string) Verdict {
	v := Verdict{Ranks: places(ranks)}
	v.Forfeit = unplayed(plies, reason) && len(ranks) == 2 && v.Ranks[0] != v.Ranks[1]
	v.Adjudicated = reason == adjudication && !v.Forfeit
	return v
}

// Reasons of a game's end that are treated differently, as its record spells them.
const (
	timeUp       = "time"
	forfeit      = "forfeit"
	adjudication = "adjudication"
)

// unplayed reports whether a game of two that was won counts as not played in the sense of the regulations.
func unplayed(plies int, reason string) bool {
	return plies == 0 || plies < 2 && (reason == timeUp || reason == forfeit)
}

// recordResult returns t with the result of a server's game, and without entries that have stayed away too often.
func (t *Tournament) recordResult(
	round int, p Pairing, v Verdict, reason string, at int64,
) (*Tournament, Delta, error) {
	result := t.score(len(p.Seats), v, ByServer, reason)
	change := Change{Round: round, Board: p.Board, Before: p.Result, After: result, By: ServerAccount, At: at, Why: reason}
	next, delta, _ := t.WithPairing(round, p.Board, &change, func(p *Pairing) { p.Result = result })
	next, delta = next.withoutAbsent(next.Rounds[round-1].Pairings[p.Board-1], delta, at)
	return next, delta, nil
}

// GameVoid replaces a void game by a new one in the same pairing, with the seats exchanged: at most twice, then the
// pairing is a draw. In a knock-out it is treated like a drawn game. newGame is the id of the new game.
func (t *Tournament) GameVoid(round, board int, newGame, reason string, at int64) (*Tournament, Delta, error) {
	p, err := t.served(round, board)
	if err != nil {
		return nil, Delta{}, err
	}
	return t.continueMatch(round, p, nil, newGame, reason, at)
}

// GameAborted notes that a pairing's game was aborted without a result. The pairing stays open: an arbiter enters a
// result or orders another game.
func (t *Tournament) GameAborted(round, board int, reason string, at int64) (*Tournament, Delta, error) {
	if _, err := t.served(round, board); err != nil {
		return nil, Delta{}, err
	}
	change := Change{Round: round, Board: board, By: ServerAccount, At: at}.
		Because(sentence.New("the game was broken off: %s", reasonWord(reason)))
	return t.WithPairing(round, board, &change, func(*Pairing) {})
}

// PlayAgain opens a new game for a pairing of the latest round, with the same seats; a result that it had is removed.
// In a knock-out only the last game of the match is replayed: games drawn before it still count. In the hall no game is
// opened; the pairing awaits the result of the new one.
func (t *Tournament) PlayAgain(round, board int, newGame, by, why string, at int64) (*Tournament, Delta, error) {
	p, err := t.playable(round, board)
	switch {
	case err != nil:
		return nil, Delta{}, err
	case t.Status != Running:
		return nil, Delta{}, Refuse(ErrState, "the tournament is %s; a result can be corrected, but not played again",
			t.Status)
	case round < len(t.Rounds):
		return nil, Delta{}, Refuse(ErrState,
			"round %d has been paired from this result; it can be corrected, but not played again", len(t.Rounds))
	case t.Format.Continuous():
		return nil, Delta{}, ErrNextGame
	case !t.hosted(p):
		return nil, Delta{}, Refuse(ErrState, "board %d is played over the board; enter its result when it is known", board)
	}
	change := Change{Round: round, Board: board, Before: p.Result, By: by, At: at, Why: why}
	return t.WithPairing(round, board, &change, func(p *Pairing) {
		if p.Venue == InHall {
			p.Result, p.Adjourned, p.Record = nil, "", ""
			return
		}
		p.Earlier = p.earlier(nil, why)
		p.Result, p.GameID, p.Adjourned = nil, newGame, ""
		if p.Games = max(1, p.Games); !t.Format.Decides() {
			p.Games = 1
		}
	})
}

// WithPairing returns t with one pairing edited, whose lists must not be changed in place; change is nil if its result
// does not change. If the status of the round changes with it, the delta has the whole round, else the pairing alone.
func (t *Tournament) WithPairing(round, board int, change *Change, edit func(*Pairing)) (*Tournament, Delta, error) {
	next := *t
	next.Rounds = slices.Clone(t.Rounds)
	r := &next.Rounds[round-1]
	r.Pairings = slices.Clone(r.Pairings)
	p := &r.Pairings[board-1]
	open := p.Result == nil
	edit(p)
	if p.Result != nil {
		p.Adjourned = ""
	}
	var delta Delta
	if t.Format.Continuous() && change != nil && open && p.Result != nil {
		next.free(p, change.At, &delta)
	}
	if change != nil {
		delta.Changes = []Change{*change}
	}
	if stage := t.stage(*r); stage != r.Status {
		r.Status = stage
		delta.Rounds = []Round{*r}
	} else {
		delta.Pairings = []RoundPairing{{Round: round, Pairing: *p}}
	}
	return &next, delta, nil
}

// PlayersAccount is the author, in the history, of results that the players of a board entered.
const PlayersAccount = "players"

// ByPlayers is the source of a result that all sides of a board reported alike.
const ByPlayers Source = "players"

// ReportedResult sets the result that all sides of a board in the hall have reported. It never replaces one: if the
// pairing has a result, or its game is on the server, the error wraps ErrState. Forfeits and adjudications are for the
// arbiter. It is rated as a result by hand is.
func (t *Tournament) ReportedResult(round, board int, v Verdict, at int64) (*Tournament, Delta, error) {
	p, err := t.playable(round, board)
	if err != nil {
		return nil, Delta{}, err
	}
	if err := t.reportable(round, p); err != nil {
		return nil, Delta{}, err
	}
	if v, err = t.Resolve(p, v); err != nil {
		return nil, Delta{}, err
	}
	if err := t.CheckReport(round, board, v); err != nil {
		return nil, Delta{}, err
	}
	rated, err := t.countsForRatings(p, v)
	if err != nil {
		return nil, Delta{}, err
	}
	result := t.score(len(p.Seats), v, ByPlayers, "")
	result.Rated = rated
	change := Change{Round: round, Board: board, After: result, By: PlayersAccount, At: at}
	return t.WithPairing(round, board, &change, func(p *Pairing) { p.Result = result })
}

// CheckReport returns an error for a verdict that players cannot report for a board.
func (t *Tournament) CheckReport(round, board int, v Verdict) error {
	p, err := t.Pairing(round, board)
	switch {
	case err != nil:
		return err
	case v.Forfeit || v.Adjudicated:
		return Refuse(ErrInvalid, "a game that was not played to its end is decided by the arbiter")
	case unwon(v.Ranks):
		return Refuse(ErrInvalid, "a game that neither won and that was not drawn is decided by the arbiter")
	}
	_, err = t.possible(round, p, v)
	return err
}

// reportable returns an error for a pairing that takes no results from its players.
func (t *Tournament) reportable(round int, p Pairing) error {
	switch {
	case t.Status != Running:
		return Refuse(ErrState, "the tournament is %s; only an arbiter can correct its results", t.Status)
	case round < len(t.Rounds):
		return Refuse(ErrState, "round %d is over; only an arbiter can correct its results", round)
	case p.Result != nil:
		return Refuse(ErrState, "board %d has a result; only an arbiter can correct it", p.Board)
	case p.GameID != "":
		return Refuse(ErrState, "board %d is played on the server, which enters the result itself", p.Board)
	case p.Adjourned != "":
		return Refuse(ErrState, "the game at board %d is adjourned; the arbiter enters its result", p.Board)
	}
	return nil
}

// Reportable reports whether the players of a board may enter its result now.
func (t *Tournament) Reportable(round, board int) bool {
	p, err := t.playable(round, board)
	return err == nil && t.reportable(round, p) == nil
}
