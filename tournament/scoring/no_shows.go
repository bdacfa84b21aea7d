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
func withoutAbsent(
	t *tournament.Tournament, p tournament.Pairing, delta tournament.Delta, at int64,
) (*tournament.Tournament, tournament.Delta) {
	if t.Play.NoShows == 0 || p.Result == nil {
		return t, delta
	}
	for i, id := range p.Seats {
		missed := noShows(t, id)
		if !p.Result.NoShow(i) || missed < t.Play.NoShows {
			continue
		}
		next, more, err := registration.Withdraw(t, id)
		if err != nil || next == t {
			continue // already withdrawn
		}
		more.Acts = []tournament.Act{tournament.Act{
			Kind: tournament.ActWithdraw, By: tournament.ServerAccount, At: at, Entry: id, Round: len(t.Rounds),
		}.Because(sentence.New("did not come to play, %d times by now", missed))}
		t, delta = next, delta.Then(more)
	}
	return t, delta
}
