package pairing

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// Breaches of rounds of tables.
const (
	TableSize     Breach = "table_size"     // a table that the regulations do not have
	SameClub      Breach = "club"           // of one club, where clubs are kept apart
	PartnersAgain Breach = "partners_again" // partners were partners before
)

// ReviewTables is Review for rounds of tables of three to five. Meetings again are named once for a table.
func ReviewTables(
	h History, rules tournament.TableRules, pairings []tournament.Pairing, unpaired []tournament.Entry,
) []Warning {
	r := reviewer{h: h, of: make(map[string]*Entrant, len(h.Field))}
	for i := range h.Field {
		r.of[h.Field[i].Entry.ID] = &h.Field[i]
	}
	for _, p := range pairings {
		r.table(p, rules)
	}
	for _, e := range unpaired {
		r.warn(NotPaired, 0, sentence.New("%s has neither a game nor a bye", e.Name), e.ID)
	}
	for i := range r.warnings {
		r.warnings[i].Article = "" // the FIDE Handbook knows no tables
	}
	return r.warnings
}

func (r *reviewer) table(p tournament.Pairing, rules tournament.TableRules) {
	var seated []*Entrant
	for _, id := range p.Seats {
		if e := r.of[id]; e != nil {
			seated = append(seated, e)
		}
	}
	if p.Bye != tournament.NoBye {
		if p.Bye == tournament.PairingAllocated && len(seated) == 1 && slices.ContainsFunc(seated[0].Cells, hadBye) {
			r.warn(SecondBye, p.Board, sentence.New("%s has had a bye", seated[0].Entry.Name), p.Seats...)
		}
		return
	}
	if !rules.Sizes.Has(len(p.Seats)) {
		r.warn(TableSize, p.Board, sentence.New("table %d has %d entries, and %v are allowed", p.Board, len(p.Seats),
			rules.Sizes.List()), p.Seats...)
	}
	var met []string
	var texts []sentence.Sentence
	for i, a := range seated {
		if a.Away != tournament.NoBye {
			r.warn(TakesLeave, p.Board, sentence.New("%s has withdrawn, is not checked in, or asked not to be paired",
				a.Entry.Name), a.Entry.ID)
		}
		for _, b := range seated[:i] {
			if rounds := a.meetings(b.Entry.Number); len(rounds) > 0 {
				met = append(met, b.Entry.ID, a.Entry.ID)
				texts = append(texts, sentence.New("%s and %s in round %s", b.Entry.Name, a.Entry.Name, strings.Join(rounds, ", ")))
			}
			r.apart(p.Board, b, a, rules)
		}
	}
	if len(texts) > 0 {
		slices.Sort(met)
		r.warn(MetBefore, p.Board, sentence.New("have met before: %v", sentence.Join("; ", texts...)), slices.Compact(met)...)
	}
	if rules.Rotate && len(seated) == 4 {
		r.partners(p.Board, seated[0], seated[2])
		r.partners(p.Board, seated[1], seated[3])
	}
}

func hadBye(c tournament.Cell) bool { return c.Bye == tournament.PairingAllocated }

// apart warns of two entries at a table that are to be kept apart.
func (r *reviewer) apart(board int, a, b *Entrant, rules tournament.TableRules) {
	ids := []string{a.Entry.ID, b.Entry.ID}
	if slices.ContainsFunc(r.h.Bans, func(group []int) bool {
		return slices.Contains(group, a.Entry.Number) && slices.Contains(group, b.Entry.Number)
	}) {
		r.warn(Forbidden, board, sentence.New("%s are not to meet", sentence.New("%s and %s", a.Entry.Name, b.Entry.Name)),
			ids...)
	}
	if rules.Clubs && a.Entry.Club != "" && a.Entry.Club == b.Entry.Club {
		r.warn(SameClub, board, sentence.New("%s and %s are of one club: %s", a.Entry.Name, b.Entry.Name, a.Entry.Club),
			ids...)
	}
}

// partners warns of repeated partners.
func (r *reviewer) partners(board int, a, b *Entrant) {
	for i, c := range a.Cells {
		if c.Kind == tournament.Played && i < len(b.Cells) && b.Cells[i].Kind == tournament.Played &&
			slices.Contains(c.Opponents, b.Entry.Number) && (c.Seat+b.Cells[i].Seat)%2 == 0 {
			r.warn(PartnersAgain, board, sentence.New("%s and %s were partners in round %d", a.Entry.Name, b.Entry.Name, i+1),
				a.Entry.ID, b.Entry.ID)
			return
		}
	}
}
