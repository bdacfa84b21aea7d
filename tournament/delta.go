package tournament

import (
	"cmp"
	"slices"
)

// Delta lists the parts that a change wrote, so that a store need not write more.
type Delta struct {
	Entries       []Entry
	RemovedEntry  []string
	Order         []string `json:",omitempty"` // ids in their places after the change; nil if new entries come last
	Rounds        []Round  // with all their pairings
	RemovedRounds []int
	Pairings      []RoundPairing // single pairings of rounds that are not in Rounds
	Changes       []Change
	Inputs        []PairingInput `json:"Snapshots"` // named as in stored undo texts
	Acts          []Act
	Records       []RecordText `json:",omitempty"`
	LineUps       []LineUp     `json:"-"` // sealed: stored texts of changes leave them out

	// Filed is the number of line-ups by round that were stored when the change was made. The store returns [ErrStale]
	// if the number differs by now: replacing a line-up changes no version.
	Filed map[int]int `json:"-"`
	// Unseen is set if the line-ups replace others that stay sealed. Staff see only whether a line-up is filed, so
	// neither version changes and no notification is sent.
	Unseen bool `json:"-"`
}

// Revision is a tournament after an act, with the parts that the act wrote. If the act changed nothing, Tournament is the
// tournament before it.
type Revision struct {
	*Tournament
	Delta Delta
}

// Wrote returns t as the tournament after an act that wrote these parts.
func (t *Tournament) Wrote(d Delta) (*Revision, error) { return &Revision{t, d}, nil }

// Unchanged returns t as the tournament after an act that changed nothing.
func (t *Tournament) Unchanged() (*Revision, error) { return t.Wrote(Delta{}) }

// Then returns r and the result of a later act on its tournament as a single revision, or the error of the later act.
func (r *Revision) Then(later *Revision, err error) (*Revision, error) {
	if err != nil {
		return nil, err
	}
	return later.Wrote(r.Delta.Then(later.Delta))
}

// After returns the entries and rounds of a tournament after the change. Entries are sorted by number, and those
// without a number come last in their order; rounds are sorted by number, their pairings by board. The tournament and
// its lists are not modified.
func (d *Delta) After(t *Tournament) ([]Entry, []Round) {
	return d.entries(t.Entries), d.rounds(t.Rounds)
}

func (d *Delta) entries(old []Entry) []Entry {
	if len(d.Entries)+len(d.RemovedEntry) == 0 {
		return old
	}
	removed := make(map[string]bool, len(d.RemovedEntry))
	for _, id := range d.RemovedEntry {
		removed[id] = true
	}
	index, entries := make(map[string]int, len(old)+len(d.Entries)), []Entry{}
	for _, e := range slices.Concat(old, d.Entries) {
		i, known := index[e.ID]
		switch {
		case removed[e.ID]:
		case known:
			entries[i] = e
		default:
			index[e.ID] = len(entries)
			entries = append(entries, e)
		}
	}
	if d.Order != nil {
		place := d.Places()
		slices.SortStableFunc(entries, func(a, b Entry) int { return place(a.ID) - place(b.ID) })
	}
	last := len(entries) + 1
	slices.SortStableFunc(entries, func(a, b Entry) int {
		return cmp.Compare(cmp.Or(a.Number, last), cmp.Or(b.Number, last))
	})
	return entries
}

// Places returns the index of an entry's id in Order; entries that are not listed come last.
func (d *Delta) Places() func(id string) int {
	index := make(map[string]int, len(d.Order))
	for i, id := range d.Order {
		index[id] = i
	}
	return func(id string) int {
		if i, listed := index[id]; listed {
			return i
		}
		return len(d.Order)
	}
}

func (d *Delta) rounds(old []Round) []Round {
	rounds := slices.DeleteFunc(slices.Clone(old), func(r Round) bool {
		return slices.Contains(d.RemovedRounds, r.Number)
	})
	for _, r := range d.Rounds {
		r.Pairings = OrNil(slices.Clone(r.Pairings))
		slices.SortFunc(r.Pairings, func(a, b Pairing) int { return a.Board - b.Board })
		rounds = put(rounds, r, func(r Round) int { return r.Number })
	}
	for _, p := range d.Pairings {
		i := slices.IndexFunc(rounds, func(r Round) bool { return r.Number == p.Round })
		if i >= 0 {
			rounds[i].Pairings = put(slices.Clone(rounds[i].Pairings), p.Pairing, func(p Pairing) int { return p.Board })
		}
	}
	return rounds
}

// put inserts a part into a list by its number, or replaces the part that has it.
func put[T any](list []T, part T, number func(T) int) []T {
	i, found := slices.BinarySearchFunc(list, number(part), func(t T, n int) int { return number(t) - n })
	if found {
		list[i] = part
		return list
	}
	return slices.Insert(list, i, part)
}
