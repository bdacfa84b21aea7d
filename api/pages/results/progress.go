package results

import (
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// AsOf is the progress of a table: after a round, or after some of its results.
type AsOf struct {
	Round, Done, Boards int
	Arena               bool // which has no rounds
}

// AsOfRound returns the progress of a table that counts all rounds up to this round.
func AsOfRound(t *tournament.Tournament, round int) AsOf {
	if round == 0 {
		return AsOf{}
	}
	done, boards := Progress(t.Rounds[round-1])
	return AsOf{Round: round, Done: done, Boards: boards, Arena: t.Format.Continuous()}
}

// Whole reports whether all results of the round are in.
func (a AsOf) Whole() bool { return a.Done == a.Boards }

// Words returns it as text.
func (a AsOf) Words(in *message.Printer) string {
	if a.Arena {
		return kit.Say(in, "tournament.after_games", "Count", a.Done)
	}
	if a.Whole() {
		return kit.Say(in, "tournament.after_round", "Round", a.Round)
	}
	return kit.Say(in, "tournament.after_results", "Done", a.Done, "Boards", a.Boards, "Round", a.Round)
}

// Progress counts the games of a round that have a result, and all of them; byes are none.
func Progress(r tournament.Round) (done, all int) {
	for _, pairing := range r.Pairings {
		if pairing.Bye != tournament.NoBye {
			continue
		}
		all++
		if pairing.Result != nil {
			done++
		}
	}
	return done, all
}
