package exchange

import (
	"cmp"
	"encoding/hex"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/registration"
	"quatuor/tournament/team"
)

// Begun is the state of a tournament that was started in another program.
type Begun struct {
	Seed         string            // 64 hex digits, for lots that are still to be drawn
	FirstColour  tournament.Colour // initial colour of a Swiss; 0 means that it is drawn from Seed
	GroupA       int               // number of entries, from the first, that are accelerated; 0 without acceleration
	EarlierSeats bool              // of a Scheveningen, see [tournament.Tournament.EarlierSeats]
	StartedAt    int64             // 0 if unknown, like FinishedAt: then it is the time of the import
	FinishedAt   int64
	Entries      []tournament.Entry // number n at index n−1; [Imported] sets numbers and, except for withdrawn entries, status
	Forbidden    []tournament.Ban
	Bonuses      []tournament.Bonus
	Rounds       [][]tournament.Pairing // boards in order, byes last; results are stored unchanged, points included
	Finished     bool                   // all rounds have been played
}

// Imported returns a tournament that was started in another program, with version 1: running, to be continued here, or
// finished. It validates settings, entries and bans as usual; that no entry is in a round twice and, in formats with
// pairings by results, that none is missing; and that all rounds before the last are complete. Errors are FieldErrors,
// or wrap ErrInvalid.
func Imported(
	id, organiser string, s tournament.Settings, b Begun, c tournament.Checks, at int64,
) (*tournament.Tournament, error) {
	c.Had = s.Teams
	t, err := tournament.New(id, organiser, s, c, at)
	if err != nil {
		return nil, err
	}
	shape, err := c.Variant(t.Variant, t.Options)
	shape = shape.For(t.Rules)
	if err != nil {
		return nil, err
	}
	if raw, err := hex.DecodeString(b.Seed); err != nil || len(raw) != 32 {
		return nil, tournament.NotValid("the seed for drawing lots must be 64 hex digits")
	}
	t.Status = tournament.Running
	t.LotSeed = b.Seed
	t.StartedAt = cmp.Or(b.StartedAt, at)
	t.PublicVersion = 1
	t.EarlierSeats = b.EarlierSeats && t.Format.Teams() && !t.Format.FilesLineUps()
	if err := takeField(t, b, shape); err != nil {
		return nil, err
	}
	if t.RoundCount < max(1, len(b.Rounds)) {
		return nil, tournament.Fault("rounds", "write the total number of rounds, including those that have been played")
	}
	for i, pairings := range b.Rounds {
		if err := takeRound(t, pairings, at); err != nil {
			return nil, tournament.Refuse(err, "round %d", i+1)
		}
	}
	if !b.Finished {
		return t, nil
	}
	over, err := t.Finish(cmp.Or(b.FinishedAt, at))
	if err != nil {
		return nil, err
	}
	return over.Tournament, nil
}

// takeField sets the entries with their numbers, the forbidden pairings, and what depends on the field.
func takeField(t *tournament.Tournament, b Begun, s tournament.Shape) error {
	if len(b.Entries) < 2 {
		return tournament.NotValid("a tournament needs at least 2 entries, and there are %d", len(b.Entries))
	}
	if b.GroupA < 0 || b.GroupA > len(b.Entries) || (b.GroupA > 0) != (t.Rules.Acceleration == tournament.Baku) {
		return tournament.NotValid("group A of the acceleration cannot have %d of %d entries", b.GroupA, len(b.Entries))
	}
	ids, players := make(map[string]bool, len(b.Entries)), make(map[string]string)
	for i, e := range b.Entries {
		e.Number, e.Byes = i+1, slices.Clone(e.Byes)
		if e.Status != tournament.Withdrawn {
			e.Status, e.WithdrawnFrom = tournament.Confirmed, 0
		}
		if err := checkImported(t, &e, s, ids, players); err != nil {
			return tournament.Refuse(err, "player %d", e.Number)
		}
		t.Entries = append(t.Entries, e)
	}
	if len(b.Forbidden) > 0 {
		banned, err := t.SetForbidden(b.Forbidden)
		if err != nil {
			return err
		}
		t.Forbidden = banned.Forbidden
	}
	if len(b.Bonuses) > 0 {
		with, err := team.SetBonuses(t, b.Bonuses)
		if err != nil {
			return err
		}
		t.Bonuses = with.Bonuses
	}
	if t.Format.DrawsColour() {
		t.FirstColour = b.FirstColour
		if t.FirstColour == 0 {
			t.FirstColour = tournament.DrawColour(b.Seed)
		}
	}
	if b.GroupA > 0 {
		t.LastOfA = t.Entries[b.GroupA-1].ID
	}
	return nil
}

// checkImported checks an entry and normalises its texts; ids and players are those of the entries before it.
func checkImported(
	t *tournament.Tournament, e *tournament.Entry, s tournament.Shape, ids map[string]bool, players map[string]string,
) error {
	if e.ID == "" || ids[e.ID] {
		return tournament.NotValid("every entry needs an id of its own")
	}
	ids[e.ID] = true
	alone := *t
	// players has the members of the others; comparing all entries with all would be quadratic.
	alone.Entries = nil
	// The entry of a deleted person keeps the name that it has in the file.
	if _, gone := club.GoneNumber(e.Name); gone && len(e.Members) == 0 {
		alone.Entries = []tournament.Entry{{ID: e.ID, Name: e.Name}}
	}
	if err := registration.CheckEntry(&alone, e, s); err != nil {
		return err
	}
	for _, player := range e.Members {
		if other, ok := players[player]; ok {
			return tournament.NotValid("player %s is in the tournament already, as %s", player, other)
		}
		players[player] = e.Name
	}
	if len(e.Byes) > 0 && !t.Format.Arrivals() {
		return tournament.NotValid("a %s has no byes on request", t.Format)
	}
	var faults tournament.FieldErrors
	for i, bye := range e.Byes {
		t.CheckBye(bye, &faults)
		if i > 0 && e.Byes[i-1].Round >= bye.Round {
			faults.Add("items", "round %d is named twice, or out of order", bye.Round)
		}
	}
	if e.Status == tournament.Withdrawn && e.WithdrawnFrom < 1 {
		faults.Add("withdrawn_from", "write the first round without the entry")
	}
	return faults.Err()
}

// takeRound appends a round with its results.
func takeRound(t *tournament.Tournament, pairings []tournament.Pairing, at int64) error {
	next, err := t.AddRound(pairings)
	if err != nil {
		return err
	}
	r := &next.Rounds[len(next.Rounds)-1]
	if left := next.Unpaired(len(next.Rounds)); len(left) > 0 {
		return tournament.NotValid("%s has neither a game nor a bye", left[0].Name)
	}
	for i := range r.Pairings {
		p := &r.Pairings[i]
		p.Result = pairings[i].Result
		if err := checkResult(*p); err != nil {
			return tournament.Refuse(err, "board %d", p.Board)
		}
	}
	r.Status, r.PublishedAt = tournament.Published, at
	r.Status = r.Stage()
	t.Rounds = next.Rounds
	return nil
}

// checkResult checks an imported result.
func checkResult(p tournament.Pairing) error {
	r := p.Result
	switch {
	case p.GameID != "":
		return tournament.NotValid("a game that was played elsewhere cannot have an id here")
	case r == nil && p.Bye == tournament.NoBye:
		return nil
	case r == nil || len(r.Points) != len(p.Seats):
		return tournament.NotValid("every seat needs its points")
	case p.Bye != tournament.NoBye && (r.Ranks != nil || r.Forfeit):
		return tournament.NotValid("a bye cannot have ranks or be a forfeit")
	case p.Bye == tournament.NoBye:
		return r.Verdict().Check(len(p.Seats))
	}
	return nil
}
