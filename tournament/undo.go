package tournament

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"quatuor/engine/sentence"
)

// undo is the stored form of an act's inverse: the parts that it wrote as they were before, and a digest of them after
// it, to detect later changes.
type undo struct {
	Form int        // undoForm
	Own  Tournament // before, without entries and rounds
	Back Delta      // the parts that it wrote, as they were before
	Left string     // digest of these parts after it
	touched
}

// undoForm is the version of the stored form. Since version 2, settings, results and byes have the same names as in the
// store.
const undoForm = 2

// touched is a set of parts of a tournament.
type touched struct {
	Entries []string
	Rounds  []int
	Boards  [][2]int // round and board, of rounds that are not in Rounds
}

// UndoOf returns the inverse of a change as a text for [Tournament.Undo]. inputs are those of rounds that the change
// removes.
func UndoOf(before, after *Tournament, d Delta, inputs ...PairingInput) string {
	u := undo{Form: undoForm, Own: before.own(), Back: Delta{Inputs: inputs}}
	u.back(before, d)
	u.Left = after.digest(u.touched)
	text, err := json.Marshal(u)
	if err != nil {
		panic("tournament: " + err.Error()) // plain values always encode
	}
	return string(text)
}

// own returns the tournament's own fields, without versions, entries and rounds.
func (t *Tournament) own() Tournament {
	out := *t
	out.Entries = nil
	out.Rounds = nil
	out.Version = 0
	out.PublicVersion = 0
	out.EarlierSeats = false // texts of earlier versions of the program do not have it
	if out.Venue == OnServer {
		out.Venue = "" // no venue was chosen
	}
	return out
}

// back records the parts that a delta wrote, and what they were before.
func (u *undo) back(before *Tournament, d Delta) {
	entry := func(id string) {
		u.Entries = append(u.Entries, id)
		if e, ok := before.Entry(id); ok {
			u.Back.Entries = append(u.Back.Entries, e)
		} else {
			u.Back.RemovedEntry = append(u.Back.RemovedEntry, id)
		}
	}
	round := func(n int) {
		if slices.Contains(u.Rounds, n) {
			return
		}
		u.Rounds = append(u.Rounds, n)
		if n <= len(before.Rounds) {
			u.Back.Rounds = append(u.Back.Rounds, before.Rounds[n-1])
		} else {
			u.Back.RemovedRounds = append(u.Back.RemovedRounds, n)
		}
	}
	for _, e := range d.Entries {
		entry(e.ID)
	}
	for _, id := range d.RemovedEntry {
		entry(id)
	}
	if len(d.RemovedEntry) > 0 {
		for _, e := range before.Entries {
			u.Back.Order = append(u.Back.Order, e.ID)
		}
	}
	for _, r := range d.Rounds {
		round(r.Number)
	}
	for _, n := range d.RemovedRounds {
		round(n)
	}
	for _, p := range d.Pairings {
		if _, err := before.Pairing(p.Round, p.Pairing.Board); err != nil {
			round(p.Round) // it was added: restore the whole round
		}
	}
	for _, p := range d.Pairings {
		if !slices.Contains(u.Rounds, p.Round) {
			old, _ := before.Pairing(p.Round, p.Pairing.Board)
			u.Boards = append(u.Boards, [2]int{p.Round, old.Board})
			u.Back.Pairings = append(u.Back.Pairings, RoundPairing{Round: p.Round, Pairing: old})
		}
	}
}

// digest returns the first half of the SHA-256 of parts of a tournament.
func (t *Tournament) digest(of touched) string {
	sum := sha256.New()
	encoder := json.NewEncoder(sum)
	write := func(v any) {
		if err := encoder.Encode(v); err != nil {
			panic("tournament: " + err.Error()) // plain values always encode
		}
	}
	write(t.own())
	for _, id := range of.Entries {
		e, _ := t.Entry(id)
		write(e)
	}
	for _, n := range of.Rounds {
		var r Round
		if n <= len(t.Rounds) {
			r = t.Rounds[n-1]
		}
		write(r)
	}
	for _, b := range of.Boards {
		p, _ := t.Pairing(b[0], b[1])
		write(p)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Undo undoes an act; text is a result of [UndoOf]. It returns ErrState if a part that the act wrote has changed since,
// or if later rounds depend on it. Games that the act had aborted are replaced by new games.
func (t *Tournament) Undo(text string, newGame func() string, by string, at int64) (*Revision, error) {
	var u undo
	if err := json.Unmarshal([]byte(text), &u); err != nil {
		return nil, NotNow("this cannot be taken back")
	}
	if u.Form != undoForm {
		return nil, NotNow("this was done under an earlier version of the program, and cannot be taken back")
	}
	if t.digest(u.touched) != u.Left {
		return nil, NotNow("it cannot be taken back, because what it changed has been changed again since")
	}
	next := u.Own
	next.Version, next.PublicVersion = t.Version, t.PublicVersion
	next.Venue = cmp.Or(next.Venue, OnServer)
	next.LotSeed = t.LotSeed // lots are never drawn again
	next.EarlierSeats = t.EarlierSeats
	delta := u.Back
	t.renewGames(&delta, newGame)
	next.Entries, next.Rounds = delta.After(t)
	next.restage(&delta)
	delta.Changes = t.resultsTakenBack(&next, u.touched, by, at)
	if err := next.sound(); err != nil {
		return nil, err
	}
	if err := t.keepsWinners(&next); err != nil {
		return nil, err
	}
	return next.Wrote(delta)
}

// renewGames assigns new ids to the open games of a delta that no longer exist, or were aborted because an arbiter
// decided.
func (t *Tournament) renewGames(d *Delta, newGame func() string) {
	known := make(map[string]bool)
	for _, r := range t.Rounds {
		for _, p := range r.Pairings {
			for game, result := range p.GameResults() {
				known[game] = result == nil || result.Source != ByArbiter
			}
		}
	}
	fresh := func(p *Pairing) {
		if p.Result == nil && p.GameID != "" && !known[p.GameID] {
			p.GameID = newGame()
		}
		for i, b := range p.Boards {
			if b.Result == nil && b.GameID != "" && !known[b.GameID] {
				p.Boards[i].GameID = newGame() // the list was decoded from a text and is not shared
			}
		}
	}
	for i := range d.Rounds {
		for j := range d.Rounds[i].Pairings {
			fresh(&d.Rounds[i].Pairings[j])
		}
	}
	for i := range d.Pairings {
		fresh(&d.Pairings[i].Pairing)
	}
}

// restage puts the rounds of single pairings that were restored into their stages, as a part of the delta.
func (t *Tournament) restage(d *Delta) {
	single := d.Pairings
	d.Pairings = nil
	for _, p := range single {
		r := &t.Rounds[p.Round-1]
		if stage := t.stage(*r); stage != r.Status {
			r.Status = stage
			d.Rounds = append(d.Rounds, *r)
		} else {
			d.Pairings = append(d.Pairings, p)
		}
	}
}

// resultsTakenBack returns the changes of results by an undo.
func (t *Tournament) resultsTakenBack(next *Tournament, of touched, by string, at int64) []Change {
	var out []Change
	compare := func(round, board int) {
		was, err := t.Pairing(round, board)
		is, err2 := next.Pairing(round, board)
		if err != nil || err2 != nil || was.Bye != NoBye || is.Bye != NoBye || sameResult(was.Result, is.Result) {
			return
		}
		change := Change{Round: round, Board: board, Before: was.Result, After: is.Result, By: by, At: at}
		out = append(out, change.Because(sentence.Fixed("taken back")))
	}
	for _, n := range of.Rounds {
		if n <= len(t.Rounds) {
			for _, p := range t.Rounds[n-1].Pairings {
				compare(n, p.Board)
			}
		}
	}
	for _, b := range of.Boards {
		compare(b[0], b[1])
	}
	return out
}

func sameResult(a, b *Result) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// sound returns an error for a tournament that no sequence of acts leads to: with rounds before its start, with entries
// in a round that are not in the list, or with an incomplete round before another round.
func (t *Tournament) sound() error {
	if !t.Started() && (len(t.Rounds) > 0 || len(t.Numbered()) > 0) {
		return NotNow("it cannot be taken back, because rounds have been paired or entries have come since")
	}
	number := t.Numbers()
	for i, r := range t.Rounds {
		if err := r.OneGameEach(); err != nil {
			return err
		}
		if i < len(t.Rounds)-1 {
			if err := r.awaited(!t.Rules.AdjournedDraw); err != nil {
				return NotNow("round %d has been paired since; correct the result instead", i+2)
			}
		}
		for _, p := range r.Pairings {
			for _, id := range p.Seats {
				if number[id] == 0 {
					return NotNow("the entry has been paired since; it can withdraw")
				}
			}
		}
	}
	return nil
}
