package scoring

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// ClearResult removes the result of a pairing of the latest round that was entered by hand, so that it is open again.
// Without a result it returns t itself.
func ClearResult(t *tournament.Tournament, round, board int, by, why string, at int64) (*tournament.Revision, error) {
	p, err := Playable(t, round, board)
	switch {
	case err != nil:
		return nil, err
	case !p.ByHand():
		return nil, tournament.NotNow("board %d is played on the server; correct its result, or have it played again",
			board)
	case p.Result == nil:
		return t.Unchanged()
	}
	if err := removable(t, round); err != nil {
		return nil, err
	}
	change := tournament.Change{Round: round, Board: board, Before: p.Result, By: by, At: at, Why: strings.TrimSpace(why)}
	next, err := t.WithPairing(round, board, &change, func(p *tournament.Pairing) {
		p.Result, p.Record = nil, ""
		if p.Arena != nil {
			game := *p.Arena
			game.EndedAt, p.Arena = 0, &game
		}
	})
	if err == nil {
		err = next.Rounds[round-1].OneGameEach()
	}
	return next, err
}

// removable returns an error for a round with results that can be corrected, but not removed.
func removable(t *tournament.Tournament, round int) error {
	switch {
	case t.Status != tournament.Running:
		return tournament.NotNow("the tournament is %s; a result can be corrected, but not removed", t.Status)
	case round < len(t.Rounds):
		return tournament.NotNow("round %d has been paired from this result; it can be corrected, but not removed",
			len(t.Rounds))
	}
	return nil
}

// countsForRatings reports whether a result by hand is rated: as the verdict has it or, by default, if the game can be
// rated and was played to its end.
func countsForRatings(t *tournament.Tournament, p tournament.Pairing, v tournament.Verdict) (bool, error) {
	why := unratedBecause(t, p, v)
	switch {
	case v.Rated == nil:
		return why.IsZero() && !v.Adjudicated, nil
	case *v.Rated && !why.IsZero():
		return false, tournament.Fault("rated", "%v", why)
	}
	return *v.Rated, nil
}

// unratedBecause returns why a result by hand cannot be rated; nothing if it can.
func unratedBecause(t *tournament.Tournament, p tournament.Pairing, v tournament.Verdict) sentence.Sentence {
	players := slices.Sorted(slices.Values(t.Players(p)))
	switch {
	case v.Forfeit:
		return sentence.New("a game that was not played is never rated")
	case tournament.Unwon(v.Ranks):
		return sentence.New("a game that neither won and that was not drawn is not rated here; the report file has it")
	case slices.Contains(v.Ranks, 0):
		return sentence.New("a table to which not all came is not rated")
	case !t.Rated:
		return sentence.New("the tournament is not rated")
	case p.HallGame == "" && !t.Hosted(p):
		return sentence.New("only games of players are rated, and an entry at this board has none")
	case p.HallGame == "" && p.Venue == tournament.InHall:
		return sentence.New("an entry at this board got its player after the round was published; its games count from " +
			"the next round on")
	case p.HallGame == "":
		return sentence.New("this board is not played in the hall; on the server the game itself is rated, when it is played")
	case len(slices.Compact(players)) < len(players):
		return sentence.New("a player sits at this board twice")
	}
	return sentence.Sentence{}
}

// MaxRecord is the maximum length of a record of a game in the hall, in bytes.
const MaxRecord = 64 << 10

// SetRecord attaches a record to a game in the hall that has a result, or replaces its record; "" removes it. The
// caller has checked that the moves are legal and lead to the result; see [Recordable]. If the pairing has the same
// record already, it returns t itself.
func SetRecord(t *tournament.Tournament, round, board int, text string) (*tournament.Revision, error) {
	if text != "" {
		if _, err := Recordable(t, round, board); err != nil {
			return nil, err
		}
	}
	p, err := Playable(t, round, board)
	if err != nil {
		return nil, err
	}
	r := tournament.RecordText{}
	if text != "" {
		r = tournament.NewRecordText(text)
	}
	if p.Record == r.Digest {
		return t.Unchanged()
	}
	next, err := t.WithPairing(round, board, nil, func(p *tournament.Pairing) { p.Record = r.Digest })
	if text != "" {
		next.Delta.Records = []tournament.RecordText{r}
	}
	return next, err
}

// Recordable returns the ranks by seat of the game that a record of a pairing must lead to. It returns an error if the
// pairing takes no record: it is not played in the hall, has no players, or has no result of a game that was played.
func Recordable(t *tournament.Tournament, round, board int) (ranks []int, err error) {
	p, err := Playable(t, round, board)
	switch {
	case err != nil:
		return nil, err
	case p.GameID != "":
		return nil, tournament.NotNow("board %d is played on the server, which records the game itself", board)
	case p.HallGame == "":
		return nil, tournament.NotNow("an entry at board %d has no player; a record needs one for every seat", board)
	case p.Result == nil:
		return nil, tournament.NotNow("board %d has no result yet; enter it first, then add the record", board)
	case p.Result.Forfeit:
		return nil, tournament.NotNow("the game at board %d was not played", board)
	case tournament.Unwon(p.Result.RatedRanks()):
		return nil, tournament.NotNow("the arbiter decided the game at board %d against what a record can show", board)
	}
	return t.GameRanks(p), nil
}
