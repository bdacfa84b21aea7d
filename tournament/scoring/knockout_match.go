package scoring

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// continueMatch continues a pairing after a void game, or after a game that had to have a winner and has none: with the
// next game, or with the decision if it was the last game. ranks are nil if the game was void.
func continueMatch(t *tournament.Tournament,
	round int, p tournament.Pairing, ranks []int, newGame, reason string, at int64,
) (*tournament.Revision, error) {
	limit := tournament.MaxGames
	if t.Format.Decides() {
		limit = t.Rules.Match.MaxGames()
	}
	if p.Games >= limit {
		v, reason, why := decision(t, round, p, reason)
		next, err := recordResult(t, round, p, v, reason, at)
		next.Delta.Changes[0] = next.Delta.Changes[0].Because(why)
		return next, err
	}
	how := sentence.Fixed("was drawn")
	if ranks == nil {
		how = sentence.Fixed("was void")
	}
	seats := slices.Clone(p.Seats)
	slices.Reverse(seats)
	after := sentence.Fixed("the next one has the seats exchanged")
	if t.KindOf(p.Games+1) == tournament.ArmageddonGame {
		seats = lots(t, "armageddon", round, seats)
		slices.Reverse(seats)
		after = sentence.Fixed("the next one is armageddon, the seats drawn by lot")
	}
	change := tournament.Change{Round: round, Board: p.Board, By: tournament.ServerAccount, At: at}.
		Because(sentence.New("game %d %s (%s); %s", p.Games, how, tournament.ReasonWord(reason), after))
	return t.WithPairing(round, p.Board, &change, func(p *tournament.Pairing) {
		p.Earlier = p.GamesSoFar(ranks, reason)
		p.Seats = seats
		p.Result = nil
		p.Adjourned = ""
		p.GameID = newGame
		p.Games++
	})
}

// decision returns the result of a pairing without a winner in its last game, with its reason, and a text for the
// history.
func decision(
	t *tournament.Tournament, round int, p tournament.Pairing, ended string,
) (v tournament.Verdict, reason string, why sentence.Sentence) {
	switch {
	case !t.Format.Decides():
		return tournament.Verdict{Ranks: slices.Repeat([]int{1}, len(p.Seats))}, ended, sentence.Typed(ended)
	case t.Rules.Match.Decision == tournament.Armageddon:
		why = sentence.New("the armageddon game was not won (%s), which is a win for seat 2", tournament.ReasonWord(ended))
		return tournament.Verdict{Ranks: []int{2, 1}}, tournament.ReasonArmageddon, why
	}
	v.Ranks = []int{2, 1}
	if lots(t, "match", round, p.Seats)[0] == p.Seats[0] {
		v.Ranks = []int{1, 2}
	}
	return v, tournament.ReasonLot, sentence.New("game %d was not won (%s); the lot decided", p.Games,
		tournament.ReasonWord(ended))
}

// lots returns entries in an order drawn by lot: that of the SHA-256 of four texts separated by zero bytes: "match" or
// "armageddon", the tournament's seed, and in decimal digits the round and the entry's number. The first wins the
// match, or takes seat 2 in the armageddon game. The order can be repeated with the seed, but not predicted without it.
func lots(t *tournament.Tournament, what string, round int, ids []string) []string {
	drawn := make(map[string][sha256.Size]byte, len(ids))
	for _, id := range ids {
		e, _ := t.Entry(id)
		drawn[id] = sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%d", what, t.LotSeed, round, e.Number))
	}
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b string) int {
		x, y := drawn[a], drawn[b]
		return bytes.Compare(x[:], y[:])
	})
	return out
}

// checkWinner returns an error for a result by hand that a match cannot have, or that changes its winner too late.
func checkWinner(t *tournament.Tournament, round int, p tournament.Pairing, v tournament.Verdict) error {
	if !t.Format.Decides() {
		return nil
	}
	if v.RatingOnly {
		return nil // refused for all knock-outs
	}
	if len(v.Ranks) == 2 && (v.Ranks[0] == v.Ranks[1] || tournament.Unwon(v.Ranks)) {
		return tournament.Fault("result", "a match of a knock-out must have a winner, or be forfeited by both (---); "+
			"enter the winner of the whole match, including replays and tie-break games")
	}
	now := p
	now.Result = &tournament.Result{Ranks: v.Ranks}
	return t.KeepsWinner(round, p, now)
}
