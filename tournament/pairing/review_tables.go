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
	SameClub      Breach = "club"           // of the same club, where clubs are kept apart
	PartnersAgain Breach = "partners_again" // partners were partners before
)

// ReviewTables is Review for rounds of tables of three to five. Meetings again are named once for a table.
func ReviewTables(
	h History, rules tournament.TableRules, pairings []tournament.Pairing, unpaired []tournament.Entry,
) []Warning {
	r := reviewer{h: h}
	r.review(pairings, unpaired, func(p tournament.Pairing, seated []*Entrant) { r.table(p, seated, rules) })
	for i := range r.warnings {
		r.warnings[i].Article = "" // the FIDE Handbook knows no tables
	}
	return r.warnings
}

func (r *reviewer) table(p tournament.Pairing, seated []*Entrant, rules tournament.TableRules) {
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
			r.takesLeave(p.Board, a)
		}
		for _, b := range seated[:i] {
			if rounds := a.meetings(b.Entry.Number); len(rounds) > 0 {
				met = append(met, b.Entry.ID, a.Entry.ID)
				texts = append(texts, sentence.New("%s and %s in round %s", b.Entry.Name, a.Entry.Name, strings.Join(rounds, ", ")))
			}
			r.forbidden(p.Board, b, a)
			if rules.Clubs && a.Entry.Club != "" && a.Entry.Club == b.Entry.Club {
				r.warn(SameClub, p.Board, sentence.New("%s and %s are of one club: %s", b.Entry.Name, a.Entry.Name, a.Entry.Club),
					b.Entry.ID, a.Entry.ID)
			}
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
