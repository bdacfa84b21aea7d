package arena

import (
	"slices"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/registration"
	"quatuor/tournament/scoring"
)

const (
	arenaMs     = 1000
	arenaMinute = 60 * arenaMs
	// outageSlack is how many seconds beyond a tick pass without a heartbeat before they count as an outage.
	outageSlack = 2
)

// EndsAt returns when no more games begin in an arena that has started, ms UTC: its length after the start, and as
// much later as it has been given back for outages.
func EndsAt(t *tournament.Tournament) int64 {
	return t.StartedAt + int64(t.Rules.Arena.Length)*arenaMinute + t.Given
}

// ClosesAt returns when games that still run become void, ms UTC: outages within the grace do not shorten it.
func ClosesAt(t *tournament.Tournament) int64 {
	return EndsAt(t) + int64(t.Rules.Arena.Grace)*arenaMs + t.GivenLate
}

// InArena reports whether an entry of an arena wants opponents: it waits, or plays and will wait afterwards.
func InArena(t *tournament.Tournament, e tournament.Entry) bool {
	return t.Format.Continuous() && e.Waiting > 0 && e.Status != tournament.Withdrawn
}

// OpenGames returns the open pairing of each entry of an arena that plays.
func OpenGames(t *tournament.Tournament) map[string]tournament.Pairing {
	out := map[string]tournament.Pairing{}
	if !t.Format.Continuous() || len(t.Rounds) == 0 {
		return out
	}
	for _, p := range t.Rounds[0].Pairings {
		if p.Result == nil {
			for _, id := range p.Seats {
				out[id] = p
			}
		}
	}
	return out
}

// canWait returns an error if nobody can join an arena at a time.
func canWait(t *tournament.Tournament, at int64) error {
	switch {
	case !t.Format.Continuous():
		return tournament.NotNow("only an %s is joined and left at any time, and this is a %s", tournament.Arena, t.Format)
	case t.Status == tournament.Draft:
		return tournament.NotNow("the arena is not open yet")
	case t.Status.Over() || t.Status == tournament.Running && at >= EndsAt(t):
		return tournament.NotNow("the arena has ended; nobody can join it any more")
	}
	return nil
}

// Wait records that an entry of an arena wants opponents from now on, or no longer. Its open game goes on in any case.
func Wait(t *tournament.Tournament, id string, in bool, at int64) (*tournament.Revision, error) {
	e, err := t.FindEntry(id)
	if err != nil {
		return nil, err
	}
	if err := canWait(t, at); err != nil && (in || !t.Format.Continuous()) {
		return nil, err
	}
	switch {
	case in && e.Status == tournament.Withdrawn:
		return nil, tournament.NotNow("%s has withdrawn; reinstate the entry first", e.Name)
	case in == (e.Waiting > 0):
		return t.Unchanged()
	case in:
		e.Waiting = at
	default:
		e.Waiting = 0
	}
	return t.WithEntry(e)
}

// Join lets a player wait for opponents in an arena. Without an entry yet, the player gets the given one: a
// registration before the start, a late entry after it.
func Join(t *tournament.Tournament, e tournament.Entry, s tournament.Shape, at int64) (*tournament.Revision, error) {
	if err := canWait(t, at); err != nil {
		return nil, err
	}
	for _, other := range t.Entries {
		if slices.Equal(other.Members, e.Members) && (other.Status != tournament.Withdrawn || t.Status == tournament.Running) {
			return Wait(t, other.ID, true, at)
		}
	}
	var next *tournament.Revision
	var err error
	switch {
	case t.Status != tournament.Running:
		next, err = registration.Register(t, e, s)
	case t.Full():
		err = tournament.Refuse(tournament.ErrFull, "all %d places are taken; the organiser may still enter you", t.MaxEntries)
	default:
		e.Status = tournament.Confirmed
		next, err = registration.Enter(t, e, s)
	}
	if err != nil {
		return nil, err
	}
	return next.Then(Wait(next.Tournament, e.ID, true, at))
}

// AppendPairings pairs free entries of an arena, first seats first, and opens their games; in the hall each is given
// the first table that is free.
func AppendPairings(
	t *tournament.Tournament, groups [][]string, newGame func() string, at int64,
) (*tournament.Revision, error) {
	if err := canWait(t, at); err != nil || t.Status != tournament.Running || len(t.Rounds) != 1 {
		return nil, tournament.NotNow("only a running %s pairs free players", tournament.Arena)
	}
	busy, tables := OpenGames(t), tablesOf(t)
	next := *t
	next.Rounds = slices.Clone(t.Rounds)
	r := &next.Rounds[0]
	r.Pairings = slices.Grow(slices.Clone(r.Pairings), len(groups))
	var delta tournament.Delta
	for _, group := range groups {
		for _, id := range group {
			e, known := t.Entry(id)
			if _, plays := busy[id]; plays || !known || !InArena(t, e) {
				return nil, tournament.NotValid("entry %q is not free", id)
			}
			busy[id] = tournament.Pairing{}
		}
		p := tournament.Pairing{Board: len(r.Pairings) + 1, Seats: slices.Clone(group), Arena: &tournament.ArenaGame{PairedAt: at}}
		t.OpenPairing(&p, r.Number, newGame)
		if p.GameID == "" {
			p.Arena.Table = tables.next()
		}
		r.Pairings = append(r.Pairings, p)
		delta.Pairings = append(delta.Pairings, tournament.RoundPairing{Round: r.Number, Pairing: p})
	}
	return next.Wrote(delta)
}

// GameEnd is the end of a game of an arena on the server.
type GameEnd struct {
	Round, Board int
	Ranks        []int // by seat; nil for a void game, or one that was broken off
	Moves        []int // by seat
	Berserk      []int // seats, from 1
	Reason       string
	At           int64
}

// Over records the end of a game of an arena. A game whose loser made no move is a forfeit; one that ends later
// than the arena closes, or without ranks, is void. One that is late shows that the arena has been served until it
// closed: no outage after it makes the game one in time.
func Over(t *tournament.Tournament, end GameEnd) (*tournament.Revision, error) {
	p, err := scoring.Playable(t, end.Round, end.Board)
	if err != nil {
		return nil, err
	}
	v := tournament.Verdict{Forfeit: true}
	if end.Ranks != nil && end.At < ClosesAt(t) {
		if len(end.Ranks) != len(p.Seats) || len(end.Moves) != len(p.Seats) {
			return nil, tournament.NotValid("the game has ranks for %d seats, but the pairing has %d players", len(end.Ranks),
				len(p.Seats))
		}
		v = scoring.GameVerdict(end.Ranks, slices.Min(end.Moves)*2, end.Reason)
		if loser := slices.Index(v.Ranks, 2); loser >= 0 && len(v.Ranks) == 2 {
			v.Forfeit = end.Moves[loser] == 0
		}
		v.Adjudicated = v.Adjudicated && !v.Forfeit
	}
	result := t.Score(len(p.Seats), v, tournament.ByServer, end.Reason)
	change := tournament.Change{
		Round: end.Round, Board: end.Board, After: result, By: tournament.ServerAccount, At: end.At, Why: end.Reason,
	}
	next, err := t.WithPairing(end.Round, end.Board, &change, func(p *tournament.Pairing) {
		game := *p.Arena
		game.Moves, game.Berserk = end.Moves, end.Berserk
		p.Arena, p.Result = &game, result
	})
	if err == nil && end.At >= ClosesAt(t) {
		next.GivenAt = max(next.GivenAt, end.At)
	}
	return next, err
}

// Close ends an arena whose time is over: games that are still open when it closes are void, and without any open
// game the tournament is finished. Before that it returns t itself. Games on the server are waited for a little longer,
// for the last of them may have ended in time and not be recorded yet.
func Close(t *tournament.Tournament, at int64) (*tournament.Revision, error) {
	if !t.Format.Continuous() || t.Status != tournament.Running || at < EndsAt(t) {
		return t.Unchanged()
	}
	next := &tournament.Revision{Tournament: t}
	for _, p := range t.Rounds[0].Pairings {
		if p.Result != nil {
			continue
		}
		closes := ClosesAt(t)
		if p.GameID != "" {
			closes += outageSlack * arenaMs
		}
		if at < closes {
			return t.Unchanged()
		}
		result := t.Score(len(p.Seats), tournament.Verdict{Forfeit: true}, tournament.ByServer, "not over in time")
		change := tournament.Change{Round: 1, Board: p.Board, After: result, By: tournament.ServerAccount, At: at}.
			Because(sentence.New("the arena was over"))
		next, _ = next.Then(next.WithPairing(1, p.Board, &change, func(p *tournament.Pairing) { p.Result = result }))
	}
	finished, err := next.Then(next.Finish(at))
	if err == nil {
		finished.Delta.Acts = []tournament.Act{{Kind: tournament.ActFinish, By: tournament.ServerAccount, At: at}}
	}
	return finished, err
}

// Extend makes an arena longer by a time in which it was not served: from the last sign of life, seen, to a time.
// What began within the grace is given to the games that run alone. What has been given back before, or is no longer
// than between two ticks, is not given again.
func Extend(t *tournament.Tournament, seen, at int64) (*tournament.Revision, error) {
	seen = max(seen, t.GivenAt, t.StartedAt)
	most := int64(t.Rules.Arena.Tick+outageSlack) * arenaMs
	if !t.Format.Continuous() || t.Status != tournament.Running || seen >= ClosesAt(t) || at-seen <= most {
		return t.Unchanged()
	}
	return t.With(func(next *tournament.Tournament) {
		next.GivenAt = at
		if seen < EndsAt(t) {
			next.Given += at - seen
		} else {
			next.GivenLate += at - seen
		}
	})
}
