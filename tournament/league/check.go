package league

import (
	"fmt"
	"slices"

	"quatuor/tournament"
)

// maxMembers bounds a league, with those that leave and join.
const maxMembers = 10_000

// check refuses names that are unknown or come twice.
func (s Season) check() error {
	if s.Up < 0 {
		return tournament.Fault("up", "0 or more, not %d", s.Up)
	}
	if s.Down < 0 {
		return tournament.Fault("down", "0 or more, not %d", s.Down)
	}
	if len(s.Divisions) == 0 {
		return tournament.Fault("divisions", "a league has at least one division")
	}
	members := len(s.Leaving) + len(s.Joining)
	for _, division := range s.Divisions {
		members += len(division)
	}
	if members > maxMembers {
		return tournament.Fault("divisions", "there are %d, and at most %d can be computed", members, maxMembers)
	}
	known := map[string]bool{}
	enter := func(place, name string) error {
		if name == "" || known[name] {
			return tournament.Fault(place, "%q is no name, or comes twice", name)
		}
		known[name] = true
		return nil
	}
	for d, division := range s.Divisions {
		for k, name := range division {
			if err := enter(fmt.Sprintf("divisions[%d][%d]", d, k), name); err != nil {
				return err
			}
		}
	}
	for k, name := range s.Leaving {
		if !known[name] || slices.Contains(s.Leaving[:k], name) {
			return tournament.Fault(fmt.Sprintf("leaving[%d]", k), "%q is in no division, or comes twice", name)
		}
	}
	for k, name := range s.Joining {
		if err := enter(fmt.Sprintf("joining[%d]", k), name); err != nil {
			return err
		}
	}
	return nil
}
