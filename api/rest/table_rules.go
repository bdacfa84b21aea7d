package rest

import (
	"fmt"
	"math"

	"quatuor/api/gen"
	"quatuor/tournament"
)

// applyTables puts what a client sent into the rules of tables; what it left out stays.
func applyTables(r *tournament.TableRules, sent *gen.TableSettings) {
	if sent == nil {
		return
	}
	if sent.Sizes != nil {
		r.Sizes = tournament.SizesOf(*sent.Sizes...)
		if !r.Sizes.Has(r.Preferred) {
			r.Preferred = 0 // the usual one
		}
	}
	set(&r.Preferred, sent.Preferred)
	if sent.Meetings != nil {
		r.MeetingsSecond = string(*sent.Meetings) == "second"
	}
	set(&r.Clubs, sent.Clubs)
	if sent.Seeding != nil {
		r.Unseeded = string(*sent.Seeding) == "off"
	}
	if sent.Partners != nil {
		rotate := string(*sent.Partners) == "rotate"
		if rotate != r.Rotate {
			r.Rotate, r.Sizes, r.Preferred = rotate, 0, 0
		}
	}
	set(&r.Short, sent.ShortTables)
}

// tablesView shows the rules of tables; nil in formats without them.
func tablesView(t *tournament.Tournament) *gen.TableRules {
	if !t.Format.Tables() {
		return nil
	}
	r := t.Rules.Tables
	choice := func(second bool, names ...string) *string {
		if second {
			return &names[1]
		}
		return &names[0]
	}
	sizes := r.Sizes.List()
	v := &gen.TableRules{Sizes: &sizes, Preferred: &r.Preferred, ShortTables: &r.Short}
	if t.Format == tournament.TableSwiss {
		v.Meetings, v.Clubs = choice(r.MeetingsSecond, "first", "second"), &r.Clubs
		v.Seeding, v.Partners = choice(r.Unseeded, "balanced", "off"), choice(r.Rotate, "off", "rotate")
	}
	return v
}

// applyPlaces replaces the points for places at tables.
func applyPlaces(s *tournament.Settings, lists gen.PlaceLists) error {
	refusal := &Refusal{Err: ErrInvalid}
	s.Points.Places = tournament.PlacePoints{}
	for i, list := range lists {
		if at := s.Points.Places[len(list)-3]; at != ([5]tournament.Points{}) {
			refusal.Fields = append(refusal.Fields, FieldError{Pointer: fmt.Sprintf("/points/places/%d", i), Detail: "there are two lists of this length"})
		}
		for k, v := range list {
			tenths := math.Round(v * 10)
			if math.Abs(v*10-tenths) > 1e-6 {
				refusal.Fields = append(refusal.Fields, FieldError{Pointer: fmt.Sprintf("/points/places/%d/%d", i, k), Detail: "points have one decimal at most"})
			}
			s.Points.Places[len(list)-3][k] = tournament.Points(tenths)
		}
	}
	if len(refusal.Fields) > 0 {
		return refusal
	}
	return nil
}

// placesView shows the points for places at tables that are not the usual ones; nil for none.
func placesView(p tournament.PlacePoints) *gen.PlaceLists {
	var out gen.PlaceLists
	for i, list := range p {
		if list == ([5]tournament.Points{}) {
			continue
		}
		values := make(gen.PlaceList, i+3)
		for k := range values {
			values[k] = float64(list[k]) / 10
		}
		out = append(out, values)
	}
	if out == nil {
		return nil
	}
	return &out
}
