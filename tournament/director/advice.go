package director

import (
	"fmt"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Advice lists what an organiser should think of until the first round is drawn up: a number of rounds that cannot be
// played or may end badly, and registrations that nobody has confirmed. It is empty for a tournament without entries.
func (d *Director) Advice(t *tournament.Tournament) []pairing.Warning {
	started := t.Status == tournament.Running
	before := t.CanDelete() == nil
	field := t.Field()
	if field == 0 || !before && !started || len(t.Rounds) > 0 {
		return nil
	}
	var out []pairing.Warning
	if text := roundAdvice(t, field); text != "" {
		out = append(out, pairing.Warning{Breach: pairing.RoundCount, Text: text})
	}
	if w := unconfirmed(t); before && len(w.Entries) > 0 {
		out = append(out, w)
	}
	return out
}

// roundAdvice asks the pairing system about the number of rounds.
func roundAdvice(t *tournament.Tournament, field int) string {
	pairer, err := pairerFor(t)
	if err != nil {
		return "" // such a tournament cannot be started
	}
	if _, err := pairer.Rounds(field, t.RoundCount); err != nil {
		return "cannot be started as it stands: " + strings.TrimSuffix(err.Error(), ": "+tournament.ErrInvalid.Error())
	}
	adviser, ok := pairer.(pairing.Adviser)
	if !ok {
		return ""
	}
	return adviser.Advice(field, t.RoundCount)
}

// unconfirmed names the registrations that take part though nobody has confirmed them.
func unconfirmed(t *tournament.Tournament) pairing.Warning {
	w := pairing.Warning{Breach: pairing.Unconfirmed}
	var names []string
	for _, e := range t.Entries {
		if e.Status == tournament.Registered {
			w.Entries = append(w.Entries, e.ID)
			names = append(names, e.Name)
		}
	}
	w.Text = fmt.Sprintf("registered but not confirmed: %s; whoever does not withdraw takes part", strings.Join(names, ", "))
	return w
}
