package tournament

import (
	"slices"

	"quatuor/engine/sentence"
)

// An arena is one open-ended round: it is published when the tournament starts, free players are appended to it as
// pairings for as long as the arena lasts, and it is complete when the tournament is finished. So its boards are its
// games in the order of their pairing, and an entry may be at several, one after the other.

// ArenaRules are the regulations of an arena.
type ArenaRules struct {
	Length       int  `json:"length,omitempty"`   // minutes
	Tick         int  `json:"tick,omitempty"`     // between two pairings; seconds
	Patience     int  `json:"patience,omitempty"` // after which waiting players are paired, however many; seconds
	Grace        int  `json:"grace,omitempty"`    // in which games may end after the end; seconds, 0 for the usual one
	Berserk      bool `json:"berserk,omitempty"`  // players may take half of their time for one point more
	BerserkMoves int  `json:"berserk_moves,omitempty"`
	Boards       int  `json:"boards,omitempty"` // in the hall, or tables; 0 for enough
}

// ArenaGame is what an arena counts of a pairing besides its result. Times are ms UTC.
type ArenaGame struct {
	PairedAt int64 `json:"paired_at"`
	EndedAt  int64 `json:"ended_at,omitempty"` // 0 while it is open; corrections do not change it
	Moves    []int `json:"moves,omitempty"`    // by seat, of a game that the server saw to its end
	Berserk  []int `json:"berserk,omitempty"`  // seats, from 1
	Table    int   `json:"table,omitempty"`    // in the hall: where it is played, from 1
}

// Limits of arenas.
const (
	maxArenaMinutes = 24 * 60
	maxTick         = 60
	maxPatience     = 600
	maxGrace        = 24 * 3600
	maxBerserkMoves = 100
	maxHallBoards   = 1000
)

const (
	arenaMs     = 1000
	arenaMinute = 60 * arenaMs
	// outageSlack is how many seconds beyond a tick pass without a heartbeat before they count as an outage.
	outageSlack = 2
)

// DefaultArenaRules returns the default rules of an arena; none for other formats.
func DefaultArenaRules(f Format) ArenaRules {
	if !f.Continuous() {
		return ArenaRules{}
	}
	return ArenaRules{Length: 60, Tick: 5, Patience: 15, Berserk: true, BerserkMoves: 5}
}

// bound returns the rules that cannot change after the start.
func (r ArenaRules) bound() ArenaRules {
	return ArenaRules{Grace: r.Grace, BerserkMoves: r.BerserkMoves}
}

// check reports rules out of bounds, or that the format does not have.
func (r ArenaRules) check(s Settings, c Checks, faults *FieldErrors) {
	if !s.Format.Continuous() {
		if r != (ArenaRules{}) {
			faults.add("pairing/arena", "only an %s has a length and ticks, and this is a %s", Arena, s.Format)
		}
		return
	}
	for _, rule := range []struct {
		name            string
		value, from, to int
	}{
		{"length", r.Length, 1, maxArenaMinutes},
		{"tick", r.Tick, 1, maxTick},
		{"patience", r.Patience, 0, maxPatience},
		{"grace", r.Grace, 0, maxGrace},
		{"berserk_moves", r.BerserkMoves, 0, maxBerserkMoves},
		{"boards", r.Boards, 0, maxHallBoards},
	} {
		if rule.value < rule.from || rule.value > rule.to {
			faults.add("pairing/arena/"+rule.name, "%d is not possible; write a number from %d to %d", rule.value, rule.from,
				rule.to)
		}
	}
	if s.RoundCount > 1 {
		faults.add("rounds", "an %s has no rounds; it ends after its length", Arena)
	}
	if s.AutoRounds {
		faults.add("auto_rounds", "an %s pairs free players by itself", Arena)
	}
	if c.Base != nil && s.Venue != InHall {
		if _, timed := c.Base(s.TimeControl); !timed {
			faults.add("time_control", "an %s needs clocks with a time for the game, such as 180+2", Arena)
		}
	}
}

// ArenaEnd returns when no more games begin in an arena that has started, ms UTC: its length after the start, and as
// much later as it has been given back for outages.
func (t *Tournament) ArenaEnd() int64 {
	return t.StartedAt + int64(t.Rules.Arena.Length)*arenaMinute + t.Given
}

// ArenaClose returns when games that still run become void, ms UTC: outages within the grace do not shorten it.
func (t *Tournament) ArenaClose() int64 {
	return t.ArenaEnd() + int64(t.Rules.Arena.Grace)*arenaMs + t.GivenLate
}

// InArena reports whether an entry of an arena wants opponents: it waits, or plays and will wait afterwards.
func (t *Tournament) InArena(e Entry) bool {
	return t.Format.Continuous() && e.Waiting > 0 && e.Status != Withdrawn
}

// OpenGames returns the open pairing of each entry of an arena that plays.
func (t *Tournament) OpenGames() map[string]Pairing {
	out := map[string]Pairing{}
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

// Void reports whether a pairing of an arena counts for nobody: its game was broken off, or was not over in time, or
// its table was not played.
func (r *Result) Void() bool { return r != nil && r.Forfeit && len(r.Ranks) != 2 }

// canWait returns an error if nobody can join an arena at a time.
func (t *Tournament) canWait(at int64) error {
	switch {
	case !t.Format.Continuous():
		return Refuse(ErrState, "only an %s is joined and left at any time, and this is a %s", Arena, t.Format)
	case t.Status == Draft:
		return Refuse(ErrState, "the arena is not open yet")
	case t.Status == Finished || t.Status == Archived || t.Status == Running && at >= t.ArenaEnd():
		return Refuse(ErrState, "the arena has ended; nobody can join it any more")
	}
	return nil
}

// Wait records that an entry of an arena wants opponents from now on, or no longer. Its open game goes on in any case.
func (t *Tournament) Wait(id string, in bool, at int64) (*Tournament, Delta, error) {
	i, err := t.entryIndex(id)
	if err != nil {
		return nil, Delta{}, err
	}
	e := t.Entries[i]
	if err := t.canWait(at); err != nil && (in || !t.Format.Continuous()) {
		return nil, Delta{}, err
	}
	switch {
	case in && e.Status == Withdrawn:
		return nil, Delta{}, Refuse(ErrState, "%s has withdrawn; reinstate the entry first", e.Name)
	case in == (e.Waiting > 0):
		return t, Delta{}, nil
	case in:
		e.Waiting = at
	default:
		e.Waiting = 0
	}
	return t.withEntry(i, e)
}

// JoinArena lets a player wait for opponents in an arena. Without an entry yet, the player gets the given one: a
// registration before the start, a late entry after it.
func (t *Tournament) JoinArena(e Entry, s Shape, at int64) (*Tournament, Delta, error) {
	if err := t.canWait(at); err != nil {
		return nil, Delta{}, err
	}
	for _, other := range t.Entries {
		if slices.Equal(other.Members, e.Members) && (other.Status != Withdrawn || t.Status == Running) {
			return t.Wait(other.ID, true, at)
		}
	}
	var next *Tournament
	var delta Delta
	var err error
	switch {
	case t.Status != Running:
		next, delta, err = t.Register(e, s)
	case t.Full():
		err = Refuse(ErrFull, "all %d places are taken; the organiser may still enter you", t.MaxEntries)
	default:
		e.Status = Confirmed
		next, delta, err = t.enter(e, s)
	}
	if err != nil {
		return nil, Delta{}, err
	}
	waiting, more, err := next.Wait(e.ID, true, at)
	return waiting, delta.Then(more), err
}

// AppendPairings pairs free entries of an arena, first seats first, and opens their games; in the hall each is given
// the first table that is free.
func (t *Tournament) AppendPairings(groups [][]string, newGame func() string, at int64) (*Tournament, Delta, error) {
	if err := t.canWait(at); err != nil || t.Status != Running || len(t.Rounds) != 1 {
		return nil, Delta{}, Refuse(ErrState, "only a running %s pairs free players", Arena)
	}
	busy, tables := t.OpenGames(), t.takenTables()
	next := *t
	next.Rounds = slices.Clone(t.Rounds)
	r := &next.Rounds[0]
	r.Pairings = slices.Grow(slices.Clone(r.Pairings), len(groups))
	var delta Delta
	for _, group := range groups {
		for _, id := range group {
			e, known := t.Entry(id)
			if _, plays := busy[id]; plays || !known || !t.InArena(e) {
				return nil, Delta{}, Refuse(ErrInvalid, "entry %q is not free", id)
			}
			busy[id] = Pairing{}
		}
		p := Pairing{Board: len(r.Pairings) + 1, Seats: slices.Clone(group), Arena: &ArenaGame{PairedAt: at}}
		t.openPairing(&p, r.Number, newGame)
		if p.GameID == "" {
			p.Arena.Table = tables.next()
		}
		r.Pairings = append(r.Pairings, p)
		delta.Pairings = append(delta.Pairings, RoundPairing{Round: r.Number, Pairing: p})
	}
	return &next, delta, nil
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

// ArenaOver records the end of a game of an arena. A game whose loser made no move is a forfeit; one that ends later
// than the arena closes, or without ranks, is void. One that is late shows that the arena has been served until it
// closed: no outage after it makes the game one in time.
func (t *Tournament) ArenaOver(end GameEnd) (*Tournament, Delta, error) {
	p, err := t.playable(end.Round, end.Board)
	if err != nil {
		return nil, Delta{}, err
	}
	v := Verdict{Forfeit: true}
	if end.Ranks != nil && end.At < t.ArenaClose() {
		if len(end.Ranks) != len(p.Seats) || len(end.Moves) != len(p.Seats) {
			return nil, Delta{}, Refuse(ErrInvalid, "the game has ranks for %d seats, but the pairing has %d players",
				len(end.Ranks), len(p.Seats))
		}
		v = GameVerdict(end.Ranks, slices.Min(end.Moves)*2, end.Reason)
		if loser := slices.Index(v.Ranks, 2); loser >= 0 && len(v.Ranks) == 2 {
			v.Forfeit = end.Moves[loser] == 0
		}
		v.Adjudicated = v.Adjudicated && !v.Forfeit
	}
	result := t.score(len(p.Seats), v, ByServer, end.Reason)
	change := Change{
		Round: end.Round, Board: end.Board, After: result, By: ServerAccount, At: end.At, Why: end.Reason,
	}
	next, delta, err := t.WithPairing(end.Round, end.Board, &change, func(p *Pairing) {
		game := *p.Arena
		game.Moves, game.Berserk = end.Moves, end.Berserk
		p.Arena, p.Result = &game, result
	})
	if err == nil && end.At >= t.ArenaClose() {
		next.GivenAt = max(next.GivenAt, end.At)
	}
	return next, delta, err
}

// free notes, of a pairing of an arena that has got its result at a time, that its players are free again. Who
// forfeited, did not come to a table or made no move there is away.
func (t *Tournament) free(p *Pairing, at int64, delta *Delta) {
	game := ArenaGame{}
	if p.Arena != nil {
		game = *p.Arena
	}
	game.EndedAt = at
	p.Arena = &game
	t.Entries = slices.Clone(t.Entries)
	for seat, id := range p.Seats {
		i, err := t.entryIndex(id)
		if err != nil || t.Entries[i].Waiting == 0 {
			continue
		}
		e := &t.Entries[i]
		if e.Waiting = at; p.stayedAway(seat) && e.Bot() == 0 {
			e.Waiting = 0
		}
		delta.Entries = append(delta.Entries, *e)
	}
}

// CloseArena ends an arena whose time is over: games that are still open when it closes are void, and without any open
// game the tournament is finished. Before that it returns t itself. Games on the server are waited for a little longer,
// for the last of them may have ended in time and not be recorded yet.
func (t *Tournament) CloseArena(at int64) (*Tournament, Delta, error) {
	if !t.Format.Continuous() || t.Status != Running || at < t.ArenaEnd() {
		return t, Delta{}, nil
	}
	next, delta := t, Delta{}
	for _, p := range t.Rounds[0].Pairings {
		if p.Result != nil {
			continue
		}
		closes := t.ArenaClose()
		if p.GameID != "" {
			closes += outageSlack * arenaMs
		}
		if at < closes {
			return t, Delta{}, nil
		}
		result := t.score(len(p.Seats), Verdict{Forfeit: true}, ByServer, "not over in time")
		change := Change{Round: 1, Board: p.Board, After: result, By: ServerAccount, At: at}.
			Because(sentence.New("the arena was over"))
		var more Delta
		next, more, _ = next.WithPairing(1, p.Board, &change, func(p *Pairing) { p.Result = result })
		delta = delta.Then(more)
	}
	finished, more, err := next.Finish(at)
	more.Acts = []Act{{Kind: ActFinish, By: ServerAccount, At: at}}
	return finished, delta.Then(more), err
}

// GiveBack makes an arena longer by a time in which it was not served: from the last sign of life, seen, to a time.
// What began within the grace is given to the games that run alone. What has been given back before, or is no longer
// than between two ticks, is not given again.
func (t *Tournament) GiveBack(seen, at int64) (*Tournament, Delta, error) {
	seen = max(seen, t.GivenAt, t.StartedAt)
	most := int64(t.Rules.Arena.Tick+outageSlack) * arenaMs
	if !t.Format.Continuous() || t.Status != Running || seen >= t.ArenaClose() || at-seen <= most {
		return t, Delta{}, nil
	}
	return t.with(func(next *Tournament) {
		next.GivenAt = at
		if seen < t.ArenaEnd() {
			next.Given += at - seen
		} else {
			next.GivenLate += at - seen
		}
	})
}

// begin opens the round of an arena that starts at a time. Whoever joined before waits from then on, and so do bots.
func (t *Tournament) begin(at int64) (*Tournament, Delta, error) {
	t.Rounds = []Round{{Number: 1, Status: Published, PublishedAt: at}}
	for i := range t.Entries {
		if e := &t.Entries[i]; e.Waiting > 0 || e.Bot() > 0 && e.Status != Withdrawn {
			e.Waiting = at
		}
	}
	return t, Delta{Entries: t.Entries, Rounds: t.Rounds}, nil
}

// ErrNextGame refuses to stop or to repeat games of an arena, whose players are at the next already.
var ErrNextGame = Refuse(ErrState, "in an %s the players are on to the next game; correct the result instead", Arena)

// arenaCards returns the cards of an arena, equally long. Void games are left out.
func (t *Tournament) arenaCards() []Card {
	number := t.numbers()
	var cards []Card
	for _, e := range t.Numbered() {
		cards = append(cards, Card{Entry: e})
	}
	longest := 0
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			for seat, id := range p.Seats {
				if n := number[id]; n > 0 && !p.Result.Void() {
					cards[n-1].Cells = append(cards[n-1].Cells, p.cell(seat, number))
					longest = max(longest, len(cards[n-1].Cells))
				}
			}
		}
	}
	for i := range cards {
		cards[i].Cells = append(cards[i].Cells, make([]Cell, longest-len(cards[i].Cells))...)
		cards[i].Before = make([]Points, longest)
	}
	return cards
}
