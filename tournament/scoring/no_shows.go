package scoring

import (
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/registration"
)

// noShows returns the number of games that an entry has lost because it did not play.
func noShows(t *tournament.Tournament, id string) (n int) {
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			if p.Result == nil || p.Result.Source != tournament.ByServer {
				continue
			}
			for i, seat := range p.Seats {
				if seat == id && p.Result.NoShow(i) {
					n++
				}
			}
		}
	}
	return n
}

// withoutAbsent withdraws the entries of a pairing that have reached the limit of no-shows. They may be reinstated.
func withoutAbsent(t *tournament.Revision, p tournament.Pairing, at int64) *tournament.Revision {
	if t.Play.NoShows == 0 || p.Result == nil {
		return t
	}
	for i, id := range p.Seats {
		missed := noShows(t.Tournament, id)
		if !p.Result.NoShow(i) || missed < t.Play.NoShows {
			continue
		}
		next, err := registration.Withdraw(t.Tournament, id)
		if err != nil || next.Tournament == t.Tournament {
			continue // already withdrawn
		}
		next.Delta.Acts = []tournament.Act{tournament.Act{
			Kind: tournament.ActWithdraw, By: tournament.ServerAccount, At: at, Entry: id, Round: len(t.Rounds),
		}.Because(sentence.New("did not come to play, %d times by now", missed))}
		t, _ = t.Then(next, nil)
	}
	return t
}
