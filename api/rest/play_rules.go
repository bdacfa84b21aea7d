package rest

import (
	"quatuor/api/gen"
	"quatuor/tournament"
)

// applyPlay puts what a client sent into the regulations for play; what it left out stays.
func applyPlay(r *tournament.PlayRules, sent *gen.PlayRules) {
	if sent == nil {
		return
	}
	set(&r.NoShowMs, sent.NoShowMs)
	set(&r.NoShows, sent.NoShows)
	set(&r.DelayMoves, sent.DelayMoves)
	set(&r.DelayMs, sent.DelayMs)
	set(&r.Takebacks, sent.Takebacks)
	set(&r.Bots, sent.Bots)
}

// playView shows the regulations for play.
func playView(r tournament.PlayRules) *gen.PlayRules {
	return &gen.PlayRules{
		NoShowMs: &r.NoShowMs, NoShows: &r.NoShows, DelayMoves: &r.DelayMoves, DelayMs: &r.DelayMs, Takebacks: &r.Takebacks, Bots: &r.Bots,
	}
}
