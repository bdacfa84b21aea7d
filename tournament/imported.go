package tournament

import (
	"cmp"
	"encoding/hex"
	"slices"
)

// Begun is what has happened so far in a tournament that was started elsewhere.
type Begun struct {
	Seed        string // 64 hex digits, for lots that are still to be drawn
	FirstColour Colour // initial colour of a Swiss; 0 has it drawn from Seed
	GroupA      int    // how many entries, from the first, are accelerated; 0 without acceleration
	StartedAt   int64  // 0 if it is not known, like FinishedAt: then it counts from now
	FinishedAt  int64
	Entries     []Entry // number n at index n−1; numbers and, but for those who have withdrawn, status are set here
	Forbidden   []Ban
	Rounds      [][]Pairing // boards in order, byes last; results are taken as they are, points included
	Finished    bool        // all rounds have been played
}

// Imported makes a tournament that was started elsewhere, with version 1: running, to be continued here, or finished.
// It holds everything to what could have come about here: settings, entries and bans as usual, every round with nobody
// twice and, in formats whose pairings follow the results, with nobody left out, all rounds before the last complete.
// Errors are FieldErrors, or wrap ErrInvalid.
func Imported(id, organiser string, s Settings, b Begun, c Checks, at int64) (*Tournament, error) {
	t, err := New(id, organiser, s, c, at)
	if err != nil {
		return nil, err
	}
	shape, err := c.Variant(t.Variant, t.Options)
	if err != nil {
		return nil, err
	}
	if raw, err := hex.DecodeString(b.Seed); err != nil || len(raw) != 32 {
		return nil, Refuse(ErrInvalid, "the seed for drawing lots must be 64 hex digits")
	}
	t.Status, t.LotSeed, t.StartedAt, t.PublicVersion = Running, b.Seed, cmp.Or(b.StartedAt, at), 1
	if err := t.takeField(b, shape); err != nil {
		return nil, err
	}
	if t.RoundCount < max(1, len(b.Rounds)) {
		return nil, FieldErrors{{Field: "rounds", Detail: "say how many rounds there will be, those that have been played included"}}
	}
	for i, pairings := range b.Rounds {
		if err := t.takeRound(pairings, at); err != nil {
			return nil, Refuse(err, "round %d", i+1)
		}
	}
	if b.Finished {
		t, _, err = t.Finish(cmp.Or(b.FinishedAt, at))
	}
	return t, err
}

// takeField takes the entries with their numbers, who may not meet, and what follows from the field.
func (t *Tournament) takeField(b Begun, s Shape) error {
	if len(b.Entries) < 2 {
		return Refuse(ErrInvalid, "a tournament needs two entries at least, and there are %d", len(b.Entries))
	}
	if b.GroupA < 0 || b.GroupA > len(b.Entries) || (b.GroupA > 0) != (t.Rules.Acceleration == Baku) {
		return Refuse(ErrInvalid, "group A of the acceleration has %d of %d entries", b.GroupA, len(b.Entries))
	}
	ids, players := make(map[string]bool, len(b.Entries)), make(map[string]string)
	for i, e := range b.Entries {
		e.Number, e.Byes = i+1, slices.Clone(e.Byes)
		if e.Status != Withdrawn {
			e.Status, e.WithdrawnFrom = Confirmed, 0
		}
		if err := t.checkImported(&e, s, ids, players); err != nil {
			return Refuse(err, "player %d", e.Number)
		}
		t.Entries = append(t.Entries, e)
	}
	if len(b.Forbidden) > 0 {
		banned, _, err := t.SetForbidden(b.Forbidden)
		if err != nil {
			return err
		}
		t.Forbidden = banned.Forbidden
	}
	if t.Format == Swiss {
		t.FirstColour = b.FirstColour
		if t.FirstColour == 0 {
			t.FirstColour = drawColour(b.Seed)
		}
	}
	if b.GroupA > 0 {
		t.LastOfA = t.Entries[b.GroupA-1].ID
	}
	return nil
}

// checkImported finds fault with an entry, and brings its texts into their form; ids and players are those of the entries before it.
func (t *Tournament) checkImported(e *Entry, s Shape, ids map[string]bool, players map[string]string) error {
	if e.ID == "" || ids[e.ID] {
		return Refuse(ErrInvalid, "every entry needs an id of its own")
	}
	ids[e.ID] = true
	alone := *t
	alone.Entries = nil // the others are looked up in players: a large field is compared with itself only once
	if err := alone.checkEntry(e, s); err != nil {
		return err
	}
	for _, player := range e.Members {
		if other, ok := players[player]; ok {
			return Refuse(ErrInvalid, "player %s takes part already, as %s", player, other)
		}
		players[player] = e.Name
	}
	if len(e.Byes) > 0 && !t.Format.Arrivals() {
		return Refuse(ErrInvalid, "in a %s nobody is free on request", t.Format)
	}
	var faults FieldErrors
	for i, bye := range e.Byes {
		t.checkBye(bye, &faults)
		if i > 0 && e.Byes[i-1].Round >= bye.Round {
			faults.add("items", "round %d is named twice, or out of order", bye.Round)
		}
	}
	if e.Status == Withdrawn && e.WithdrawnFrom < 1 {
		faults.add("withdrawn_from", "a round is needed from which on the entry takes no part")
	}
	return faults.or()
}

// takeRound appends a round with its results.
func (t *Tournament) takeRound(pairings []Pairing, at int64) error {
	next, _, err := t.AddRound(pairings)
	if err != nil {
		return err
	}
	r := &next.Rounds[len(next.Rounds)-1]
	if left := t.unpaired(*r); len(left) > 0 {
		return Refuse(ErrInvalid, "%s has neither a game nor a bye", left[0].Name)
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		p.Result = pairings[i].Result
		if err := p.checkResult(); err != nil {
			return Refuse(err, "board %d", p.Board)
		}
	}
	r.Status, r.PublishedAt = Published, at
	r.Status = r.stage()
	t.Rounds = next.Rounds
	return nil
}

// checkResult finds fault with a result that was not made here.
func (p Pairing) checkResult() error {
	r := p.Result
	switch {
	case p.GameID != "":
		return Refuse(ErrInvalid, "a game that was played elsewhere has no id here")
	case r == nil && p.Bye == NoBye:
		return nil
	case r == nil || len(r.Points) != len(p.Seats):
		return Refuse(ErrInvalid, "every seat needs its points")
	case p.Bye != NoBye && (r.Ranks != nil || r.Forfeit):
		return Refuse(ErrInvalid, "a bye has no ranks and is no forfeit")
	case p.Bye == NoBye:
		return r.Verdict().fits(len(p.Seats))
	}
	return nil
}
