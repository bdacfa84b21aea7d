package pairing

import (
	"encoding/json"
	"fmt"

	"quatuor/tournament"
)

// storedHistory is the JSON form of a history. Names are short, because a large field's history has tens of
// thousands of cells.
type storedHistory struct {
	Round   int                    `json:"round"`
	Rounds  int                    `json:"rounds"`
	Points  tournament.PointSystem `json:"points"`
	Initial Colour                 `json:"initial,omitempty"`
	GroupA  int                    `json:"group_a,omitempty"`
	Bans    [][]int                `json:"bans,omitempty"`
	Third   bool                   `json:"third,omitempty"`
	Legs    int                    `json:"legs,omitempty"`
	Field   []storedEntrant        `json:"field"`
	Found   string                 `json:"found,omitempty"`
}

type storedEntrant struct {
	ID     string              `json:"id"`
	Rating float64             `json:"rating,omitempty"`
	Club   string              `json:"club,omitempty"`
	Away   tournament.Bye      `json:"away,omitempty"`
	Before []tournament.Points `json:"before,omitempty"`
	Cells  []storedCell        `json:"cells,omitempty"`
}

type storedCell struct {
	Kind      tournament.Kind   `json:"k,omitempty"`
	Bye       tournament.Bye    `json:"b,omitempty"`
	Board     int               `json:"n,omitempty"`
	Seat      int               `json:"s,omitempty"`
	Opponents []int             `json:"o,omitempty"`
	Points    tournament.Points `json:"p,omitempty"`
	Balanced  bool              `json:"e,omitempty"`
	GoesOn    bool              `json:"g,omitempty"`
	Secondary tournament.Points `json:"q,omitempty"`
}

// storedPoints is a point system as it is stored. Earlier versions stored the names of Go's fields, which differ by
// more than their case where they have two words.
type storedPoints struct {
	tournament.PointSystem
	ForfeitWin  *tournament.Points
	ForfeitLoss *tournament.Points
}

func (p storedPoints) system() tournament.PointSystem {
	if p.ForfeitWin != nil {
		p.PointSystem.ForfeitWin = *p.ForfeitWin
	}
	if p.ForfeitLoss != nil {
		p.PointSystem.ForfeitLoss = *p.ForfeitLoss
	}
	return p.PointSystem
}

// Text returns the parts of a history that a pairing system uses, as JSON, except the seed, which the tournament keeps.
// [Read] reads it.
func (h History) Text() string {
	k := storedHistory{
		Round: h.Round, Rounds: h.Rounds, Points: h.Points, Initial: h.Initial, GroupA: h.GroupA, Bans: h.Bans,
		Third: h.ThirdPlace, Legs: h.Legs, Field: make([]storedEntrant, len(h.Field)), Found: h.Found,
	}
	for i, e := range h.Field {
		k.Field[i] = storedEntrant{
			ID: e.Entry.ID, Rating: e.Entry.Rating, Club: e.Entry.Club, Away: e.Away, Before: e.Before,
			Cells: make([]storedCell, len(e.Cells)),
		}
		for j, c := range e.Cells {
			k.Field[i].Cells[j] = storedCell(c)
		}
	}
	text, err := json.Marshal(k)
	if err != nil {
		panic("pairing: " + err.Error()) // plain values always encode
	}
	return string(text)
}

// Read reads a history from [History.Text]. Names of entries are not stored.
func Read(text, seed string) (History, error) {
	var k struct {
		storedHistory
		Points storedPoints `json:"points"`
	}
	if err := json.Unmarshal([]byte(text), &k); err != nil {
		return History{}, fmt.Errorf("what the round was paired from cannot be read: %w", err)
	}
	h := History{
		Round: k.Round, Rounds: k.Rounds, Points: k.Points.system(), Seed: seed, Initial: k.Initial, GroupA: k.GroupA,
		Bans: k.Bans, ThirdPlace: k.Third, Legs: k.Legs, Field: make([]Entrant, len(k.Field)), Found: k.Found,
	}
	for i, e := range k.Field {
		h.Field[i].Entry = tournament.Entry{ID: e.ID, Number: i + 1, Rating: e.Rating, Club: e.Club}
		h.Field[i].Away, h.Field[i].Before = e.Away, e.Before
		h.Field[i].Cells = make([]tournament.Cell, len(e.Cells))
		for j, c := range e.Cells {
			h.Field[i].Cells[j] = tournament.Cell(c)
		}
	}
	return h, nil
}
