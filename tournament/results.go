package tournament

import (
	"slices"
)

// ServerAccount is the author of automatic changes in the history.
const ServerAccount = "server"

// MaxGames is the maximum number of games of a pairing. If the last game is void, too, the pairing is a draw.
const MaxGames = 3

// RatedRanks returns the ranks that count for the ratings.
func (r *Result) RatedRanks() []int {
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

// Equal reports whether two results are the same.
func (r Result) Equal(o Result) bool {
	return slices.Equal(r.Ranks, o.Ranks) && r.Forfeit == o.Forfeit && r.Adjudicated == o.Adjudicated &&
		r.Rated == o.Rated && r.Source == o.Source && r.Reason == o.Reason && slices.Equal(r.RatedAs, o.RatedAs) &&
		r.GoesOn == o.GoesOn && r.DecidedBy == o.DecidedBy
}

// Reasons of a game's end that are treated differently, as its record spells them.
const (
	ReasonTime         = "time"
	ReasonForfeit      = "forfeit"
	ReasonAdjudication = "adjudication"
)

// WithPairing returns t with an edited pairing; edit must not modify its lists in place. change is nil if the result
// does not change. If the status of the round changes with it, the delta has the whole round, else the pairing alone.
func (t *Tournament) WithPairing(round, board int, change *Change, edit func(*Pairing)) (*Revision, error) {
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
	if system := Systems[t.Format]; system != nil && change != nil && open && p.Result != nil {
		system.Over(&next, p, change.At, &delta)
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
	return next.Wrote(delta)
}

// ByPlayers is the source of a result that all sides of a board reported alike.
const ByPlayers Source = "players"
