package tournament

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
)

// EditKind is the kind of an edit.
type EditKind string

// The edits.
const (
	SwapEntries EditKind = "swap"   // two entries change places
	Reseat      EditKind = "reseat" // the entries of a board change seats
	Unpair      EditKind = "unpair" // the pairing of a board is removed
	Pair        EditKind = "pair"   // entries that are not paired, or have a bye, are paired
	MoveEntry   EditKind = "move"   // an entry goes to another table, which grows by it
	GiveBye     EditKind = "bye"    // an entry that is not paired, or has a bye, gets a bye
)

// Edit is an arbiter's change of a round.
type Edit struct {
	Kind    EditKind
	Board   int      // of Reseat, Unpair and MoveEntry
	Entries []string // of the others; Reseat takes a new order of seats, or none to exchange two
	Bye     Bye      // of GiveBye
}

// Editing is the context of an edit.
type Editing struct {
	// Begun returns an error if a game cannot be replaced any more because a player has moved in it.
	Begun   func(gameID string) error
	NewGame func() string
	By      string
	At      int64
}

// EditRound applies an arbiter's edits to the latest round in their order. Boards that have been played cannot change.
// It checks that the result is a round, not that the pairings follow the rules. In a draft round entries may be left
// without a pairing, but then it cannot be published. In a published round the other boards keep their numbers, and
// every game that is replaced gets a new id.
func (t *Tournament) EditRound(round int, edits []Edit, how Editing) (*Revision, error) {
	if err := t.changeable(round); err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return t.Unchanged()
	}
	e := editor{t: t, Editing: how, round: t.Rounds[round-1], scores: t.scores(round - 1)}
	e.rows = make([]*Pairing, len(e.round.Pairings))
	for i := range e.round.Pairings {
		e.rows[i] = &e.round.Pairings[i]
	}
	for _, edit := range edits {
		if err := e.apply(edit); err != nil {
			return nil, err
		}
	}
	return e.finish()
}

// changeable returns an error for a round with pairings that cannot change.
func (t *Tournament) changeable(round int) error {
	switch {
	case round < 1 || round > len(t.Rounds):
		return Refuse(ErrNotFound, "round %d; the rounds are 1 to %d", round, len(t.Rounds))
	case t.Status != Running:
		return NotNow("the tournament is %s; its pairings can no longer change", t.Status)
	case t.Format.Continuous():
		return RefuseNextGame()
	case round < len(t.Rounds):
		return NotNow("round %d has been paired already, so the pairings of round %d can no longer change; correct "+
			"results instead", round+1, round)
	}
	return nil
}

// editor is a round being edited. Pairings are never modified in place: each edit replaces them.
type editor struct {
	Editing
	t      *Tournament
	round  Round
	scores map[string]Points
	rows   []*Pairing // by board; nil where the pairing was removed
	added  []*Pairing
}

func (e *editor) apply(edit Edit) error {
	if e.t.Format.Eliminates() && edit.Kind != Reseat {
		return NotNow("in a knock-out the bracket decides who meets whom; only the seats can be changed (%s)", Reseat)
	}
	switch edit.Kind {
	case SwapEntries:
		return e.swap(edit.Entries)
	case Reseat:
		return e.reseat(edit.Board, edit.Entries)
	case Unpair:
		if _, err := e.game(edit.Board); err != nil {
			return err
		}
		e.rows[edit.Board-1] = nil
		return nil
	case Pair:
		if len(edit.Entries) < 2 {
			return NotValid("a game needs at least two entries; name them")
		}
		return e.addRow(NoBye, edit.Entries...)
	case MoveEntry:
		return e.move(edit.Board, edit.Entries)
	case GiveBye:
		known := []Bye{PairingAllocated, HalfPoint, FullPoint, ZeroPoint}
		if e.t.Format.ByEvenings() {
			known = []Bye{PairingAllocated, ZeroPoint, ClubDuty, NoShow}
		}
		if len(edit.Entries) != 1 || !slices.Contains(known, edit.Bye) {
			if e.t.Format.ByEvenings() {
				return NotValid("name one entry, and PAB, ZPB, CLUB or NOSHOW")
			}
			return NotValid("name one entry, and PAB, HPB, FPB or ZPB")
		}
		if err := e.checkHalfPoint(edit); err != nil {
			return err
		}
		return e.addRow(edit.Bye, edit.Entries...)
	}
	return NotValid("%q is not a kind of edit; use swap, reseat, unpair, pair, move or bye", edit.Kind)
}

// checkHalfPoint returns an error for a half-point bye beyond those that the regulations allow.
func (e *editor) checkHalfPoint(edit Edit) error {
	entry, ok := e.t.Entry(edit.Entries[0])
	if edit.Bye != HalfPoint || !ok {
		return nil
	}
	err := e.t.checkHalfPoints(entry, slices.Concat(entry.Byes, []RequestedBye{{Round: e.round.Number, Bye: HalfPoint}}))
	if err != nil {
		return NotNow("%s already has as many half-point byes as the regulations allow (%d, pairing.half_point_byes); "+
			"give it a zero-point bye, or change the regulation", entry.Name, e.t.Rules.MaxHalfPointByes())
	}
	return nil
}

// all returns all rows, with the added rows last.
func (e *editor) all() []**Pairing {
	var out []**Pairing
	for i := range e.rows {
		out = append(out, &e.rows[i])
	}
	for i := range e.added {
		out = append(out, &e.added[i])
	}
	return out
}

// find returns the row and the seat of an entry; nil if it is not paired.
func (e *editor) find(id string) (row **Pairing, seat int, err error) {
	entry, ok := e.t.Entry(id)
	if !ok || entry.Number == 0 {
		return nil, 0, NotValid("entry %q does not take part", id)
	}
	for _, row := range e.all() {
		if *row == nil {
			continue
		}
		if seat := slices.Index((*row).Seats, id); seat >= 0 {
			return row, seat, e.checkUnplayed(**row)
		}
	}
	return nil, 0, nil
}

// checkUnplayed returns an error for a pairing of a published round that has been played. A forfeit is not played.
func (e *editor) checkUnplayed(p Pairing) error {
	if e.round.Status == Paired || p.Bye != NoBye {
		return nil
	}
	if p.Boards != nil {
		return NotNow("the line-ups of match %d are revealed; its pairing can no longer change", p.Board)
	}
	if p.Result != nil && !p.Result.Forfeit || p.HasDraw() {
		return NotNow("board %d has a result; its pairing can no longer change", p.Board)
	}
	if p.GameID != "" && p.Result == nil {
		if err := e.Begun(p.GameID); err != nil {
			return Refuse(err, "board %d", p.Board)
		}
	}
	return nil
}

// game returns a board with a game that may be changed.
func (e *editor) game(board int) (Pairing, error) {
	if board < 1 || board > len(e.rows) || e.rows[board-1] == nil {
		return Pairing{}, Refuse(ErrNotFound, "board %d in round %d", board, e.round.Number)
	}
	p := *e.rows[board-1]
	if p.Bye != NoBye {
		return p, NotValid("board %d is a bye; pair its entry, or give it another bye", board)
	}
	return p, e.checkUnplayed(p)
}

// newPairing returns a pairing of these entries at a board, without a game yet.
func (e *editor) newPairing(board int, bye Bye, seats ...string) *Pairing {
	p := &Pairing{Board: board, Seats: seats, Bye: bye, Scores: make([]Points, len(seats))}
	for i, id := range seats {
		p.Scores[i] = e.scores[id]
	}
	if bye != NoBye {
		p.Result = e.t.ByeResult(bye)
	}
	return p
}

// replacement returns a pairing of other seats in place of an old pairing, at the same venue.
func (e *editor) replacement(old Pairing, seats ...string) *Pairing {
	p := e.newPairing(old.Board, old.Bye, seats...)
	p.Venue = old.Venue
	return p
}

// swap exchanges the places of two entries; either may be without a pairing.
func (e *editor) swap(ids []string) error {
	if len(ids) != 2 || ids[0] == ids[1] {
		return NotValid("a swap needs two different entries; name both")
	}
	var rows [2]**Pairing
	var seats [2]int
	for i, id := range ids {
		row, seat, err := e.find(id)
		if err != nil {
			return err
		}
		rows[i], seats[i] = row, seat
	}
	if rows[0] == nil && rows[1] == nil {
		return NotValid("neither of the two is paired; pair them, or give them byes")
	}
	for i, row := range rows { // both may be the same row
		if row != nil {
			changed := slices.Clone((*row).Seats)
			changed[seats[i]] = ids[1-i]
			*row = e.replacement(**row, changed...)
		}
	}
	return nil
}

// reseat changes the seats of a board's entries.
func (e *editor) reseat(board int, seats []string) error {
	p, err := e.game(board)
	if err != nil {
		return err
	}
	if len(seats) == 0 {
		seats = slices.Clone(p.Seats)
		slices.Reverse(seats)
	}
	was, will := slices.Sorted(slices.Values(p.Seats)), slices.Sorted(slices.Values(seats))
	if !slices.Equal(was, will) {
		return NotValid("the entries at board %d are %s; name each of them once", board, strings.Join(p.Seats, " and "))
	}
	e.rows[board-1] = e.replacement(p, slices.Clone(seats)...)
	return nil
}

// move seats an entry last at another table. It leaves its own, which must not become too small, or its bye.
func (e *editor) move(board int, ids []string) error {
	if !e.t.AtTables() {
		return NotValid("only at tables can an entry join others; swap two entries, or unpair boards and pair anew")
	}
	if len(ids) != 1 {
		return NotValid("name the one entry that goes to table %d", board)
	}
	to, err := e.game(board)
	if err != nil {
		return err
	}
	row, seat, err := e.find(ids[0])
	if err != nil {
		return err
	}
	sizes := e.t.Rules.Tables.Sizes.List()
	switch most := sizes[len(sizes)-1]; {
	case row == &e.rows[board-1]:
		return NotValid("that entry is at table %d already", board)
	case len(to.Seats) >= most:
		return NotNow("table %d has %d entries, and %v are allowed; swap two entries", board, len(to.Seats), sizes)
	case row == nil:
	case (*row).Bye != NoBye:
		*row = nil
	case len((*row).Seats) <= sizes[0]:
		return NotNow("table %d would have %d entries, and %v are allowed; swap two entries, or unpair the table",
			(*row).Board, len((*row).Seats)-1, sizes)
	default:
		*row = e.replacement(**row, slices.Delete(slices.Clone((*row).Seats), seat, seat+1)...)
	}
	e.rows[board-1] = e.replacement(to, append(slices.Clone(to.Seats), ids[0])...)
	return nil
}

// addRow adds a pairing of entries that are not paired yet, or a bye of a single entry.
func (e *editor) addRow(bye Bye, ids ...string) error {
	for i, id := range ids {
		row, _, err := e.find(id)
		switch {
		case err != nil:
			return err
		case slices.Contains(ids[:i], id):
			return NotValid("entry %q is named twice", id)
		case row != nil && (*row).Bye == NoBye:
			entry, _ := e.t.Entry(id)
			return NotValid("%s is paired at board %d; unpair that board first, or swap", entry.Name, (*row).Board)
		case row != nil:
			*row = nil
		}
	}
	e.added = append(e.added, e.newPairing(0, bye, slices.Clone(ids)...))
	return nil
}

// finish returns the tournament with the edited round.
func (e *editor) finish() (*Revision, error) {
	old := e.round
	pairings, err := e.arrange()
	if err != nil {
		return nil, err
	}
	for _, p := range pairings {
		if err := e.t.checkBotVenue(p); err != nil {
			return nil, err
		}
	}
	e.round.Pairings = pairings
	delta := Delta{}
	if old.Status != Paired {
		if left := e.t.unpaired(e.round); len(left) > 0 {
			return nil, NotNow("%s would be left without a game; pair it in the same request, or give it a bye", left[0].Name)
		}
		if err := e.t.checkTables(e.changed(old)); err != nil {
			return nil, err
		}
		delta.Changes = e.open(old)
		e.round.Status = e.round.Stage()
	} else if len(pairings) == 0 {
		return nil, NotValid("the round would have no pairings; delete it instead")
	}
	next := *e.t
	next.Rounds = slices.Clone(e.t.Rounds)
	next.Rounds[e.round.Number-1] = e.round
	delta.Rounds = []Round{e.round}
	return next.Wrote(delta)
}

// changed returns the round with only the pairings that the edits made.
func (e *editor) changed(old Round) Round {
	r := e.round
	r.Pairings = nil
	for _, p := range e.round.Pairings {
		if p.Board > len(old.Pairings) || !slices.Equal(old.Pairings[p.Board-1].Seats, p.Seats) {
			r.Pairings = append(r.Pairings, p)
		}
	}
	return r
}

// arrange returns the pairings in board order. In a draft round byes go last; in a published round only byes change
// their numbers, to close gaps.
func (e *editor) arrange() ([]Pairing, error) {
	if e.round.Status == Paired {
		var games, byes []Pairing
		for _, row := range e.all() {
			switch p := *row; {
			case p == nil:
			case p.Bye == NoBye:
				games = append(games, *p)
			default:
				byes = append(byes, *p)
			}
		}
		return numbered(append(games, byes...)), nil
	}
	rows := e.rows
	for _, p := range e.added {
		if gap := slices.Index(rows, nil); gap >= 0 {
			rows[gap] = p
		} else {
			rows = append(rows, p)
		}
	}
	for gap := slices.Index(rows, nil); gap >= 0; gap = slices.Index(rows, nil) {
		last := len(rows) - 1
		if p := rows[last]; p != nil && p.Bye == NoBye {
			return nil, NotNow(
				"board %d would be empty while there is a game at board %d; pair other entries there, or give a bye", gap+1, last+1)
		}
		rows[gap], rows = rows[last], rows[:last]
	}
	out := make([]Pairing, len(rows))
	for i, p := range rows {
		out[i] = *p
	}
	return numbered(out), nil
}

func numbered(pairings []Pairing) []Pairing {
	for i := range pairings {
		pairings[i].Board = i + 1
	}
	return pairings
}

// open names games for the new pairings of a published round, and returns the changes of results.
func (e *editor) open(old Round) []Change {
	var changes []Change
	for i := range e.round.Pairings {
		p := &e.round.Pairings[i]
		if p.GameID == "" && p.HallGame == "" && p.Result == nil {
			e.t.OpenPairing(p, e.round.Number, e.NewGame)
		}
		var before *Result
		if i < len(old.Pairings) && old.Pairings[i].Bye == NoBye && !slices.Equal(old.Pairings[i].Seats, p.Seats) {
			before = old.Pairings[i].Result
		}
		if before != nil {
			changes = append(changes, Change{
				Round: e.round.Number, Board: p.Board, Before: before, After: p.Result, By: e.By, At: e.At,
			}.Because(sentence.Fixed("paired anew by hand")))
		}
	}
	return changes
}

// unpaired returns, in formats with pairings by results, the entries that take part but are in none of a round's
// pairings.
func (t *Tournament) unpaired(r Round) []Entry {
	if !t.Format.Arrivals() {
		return nil
	}
	there := make(map[string]bool, len(t.Entries))
	for _, p := range r.Pairings {
		for _, id := range p.Seats {
			there[id] = true
		}
	}
	var out []Entry
	for _, e := range t.Entries {
		if e.Number > 0 && !there[e.ID] && t.Away(e, r.Number) == NoBye {
			out = append(out, e)
		}
	}
	return out
}

// Unpaired returns the entries that take part in a round but are in none of its pairings. There may be some while an
// arbiter edits it.
func (t *Tournament) Unpaired(round int) []Entry {
	if round < 1 || round > len(t.Rounds) {
		return nil
	}
	return t.unpaired(t.Rounds[round-1])
}
