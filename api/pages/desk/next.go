package desk

import (
	"quatuor/api/pages/results"
	"quatuor/tournament"
)

// nextStep is the organiser's next step in a tournament. Its text is "desk.next."+Name, its button "desk.next.to_"+Tab.
type nextStep struct {
	Name  string
	Tab   string // tab of the desk with the step's form
	Count int    // entries, or results that are missing
	Round int
	Waits bool // for people, not for the organiser alone
}

// nextStepOf returns the next step of a tournament; nil once it is over.
func nextStepOf(t *tournament.Tournament) *nextStep {
	switch t.Status {
	case tournament.Draft, tournament.Open, tournament.Closed:
		return firstStep(t)
	case tournament.Running:
		return runningStep(t)
	default:
		return nil
	}
}

func firstStep(t *tournament.Tournament) *nextStep {
	entered := t.Present()
	switch {
	case entered < 2 && !t.Format.Continuous():
		return &nextStep{Name: "add", Tab: "entries"}
	case t.CheckIn == tournament.CheckInOpen && !t.Format.ByEvenings():
		return &nextStep{Name: "check_in", Tab: "entries", Count: entered, Waits: true}
	}
	return &nextStep{Name: "start", Tab: "entries", Count: entered}
}

func runningStep(t *tournament.Tournament) *nextStep {
	if t.Format.Continuous() {
		return nil // it pairs and ends by itself
	}
	if t.CanPair() == nil {
		return &nextStep{Name: "pair", Tab: "round", Round: len(t.Rounds) + 1}
	}
	evening := &nextStep{Name: "evening", Tab: "entries", Round: len(t.Rounds) + 1, Waits: true} // a Keizer season's
	if len(t.Rounds) == 0 {
		if t.Format.ByEvenings() {
			return evening
		}
		return nil
	}
	last := t.Rounds[len(t.Rounds)-1]
	if last.Status == tournament.Paired {
		return &nextStep{Name: "publish", Tab: "round", Round: last.Number}
	}
	if done, all := results.Progress(last); done < all {
		return &nextStep{Name: "missing", Tab: "results", Round: last.Number, Count: all - done, Waits: true}
	}
	if t.Format.ByEvenings() && last.Number < t.LastRound() {
		return evening
	}
	return &nextStep{Name: "finish", Tab: "settings"}
}
