package director

import (
	"slices"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Advice returns warnings for the organiser until the first round is paired: a number of rounds that cannot be played
// or may end badly, and unconfirmed registrations. A tournament without entries has none.
func (d *Director) Advice(t *tournament.Tournament) []pairing.Warning {
	started := t.Status == tournament.Running
	before := t.CanDelete() == nil
	if !before && !started || len(t.Rounds) > 0 {
		return nil
	}
	var out []pairing.Warning
	if field := t.Field(); field > 0 {
		if text := roundAdvice(t, field); !text.IsZero() {
			out = append(out, pairing.Warning{Breach: pairing.RoundCount, Text: text})
		}
	}
	if before {
		out = append(out, unconfirmed(t)...)
	}
	return out
}

// roundAdvice returns the pairing system's advice on the number of rounds.
func roundAdvice(t *tournament.Tournament, field int) sentence.Sentence {
	pairer, err := pairerFor(t)
	if err != nil {
		return sentence.Sentence{} // without a pairing system it cannot be started
	}
	if _, err := pairer.Rounds(field, t.RoundCount); err != nil {
		return sentence.New("cannot be started as it stands: %v", sentence.Of(err))
	}
	adviser, ok := pairer.(pairing.Adviser)
	if !ok {
		return sentence.Sentence{}
	}
	return adviser.Advice(field, t.RoundCount)
}

// unconfirmed returns warnings that name the registrations that take part without being confirmed, and those that do
// not take part because members have not agreed.
func unconfirmed(t *tournament.Tournament) []pairing.Warning {
	confirm := named{Warning: pairing.Warning{Breach: pairing.Unconfirmed}}
	wait := named{Warning: pairing.Warning{Breach: pairing.Waiting}}
	for _, e := range t.Entries {
		switch {
		case e.Status != tournament.Registered:
		case e.Waits():
			wait.add(e)
		default:
			confirm.add(e)
		}
	}
	return slices.Concat(
		confirm.warn(sentence.New("registered but not confirmed: %s; they take part unless they withdraw", confirm.list())),
		wait.warn(sentence.New("waiting for members to agree: %s; teams that still wait at the start take no part, unless "+
			"you confirm them", wait.list())),
	)
}

// named is a warning that names entries.
type named struct {
	pairing.Warning
	names []string
}

func (n *named) add(e tournament.Entry) {
	n.Entries, n.names = append(n.Entries, e.ID), append(n.names, e.Name)
}

func (n *named) list() string { return strings.Join(n.names, ", ") }

// warn returns the warning with its text; none if no entry is named.
func (n *named) warn(text sentence.Sentence) []pairing.Warning {
	if len(n.names) == 0 {
		return nil
	}
	n.Text = text
	return []pairing.Warning{n.Warning}
}
