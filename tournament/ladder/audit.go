package ladder

import (
	"fmt"
	"slices"
)

// Audit returns an error that names the first impossible stored act, for example a challenge by a player that was not
// on the ladder, or an act that lies before the act before it. Acts are judged before they are stored, so the stored
// log was damaged from outside; no state can be computed from it.
func Audit(acts []Act) error {
	a := auditing{on: map[string]bool{}, challenges: map[string][2]string{}}
	for i, act := range acts {
		fault := a.fault(act)
		if i > 0 && act.At < acts[i-1].At {
			fault = "it lies before the act before it"
		}
		if fault != "" {
			return fmt.Errorf("act %d (%s) cannot have been done: %s", act.N, act.Kind, fault)
		}
	}
	return nil
}

// auditing is the state of a ladder while its acts are audited.
type auditing struct {
	on         map[string]bool      // players on the ladder
	challenges map[string][2]string // challenger and defender
}

// fault describes why an act cannot have been done; "" if it can.
func (a *auditing) fault(act Act) string {
	switch act.Kind {
	case ActJoin:
		if act.Player == "" || a.on[act.Player] {
			return fmt.Sprintf("player %q is on the ladder already, or nobody", act.Player)
		}
		a.on[act.Player] = true
	case ActLeave, ActHoliday:
		if !a.on[act.Player] {
			return offLadder(act.Player)
		}
		if act.Kind == ActLeave {
			delete(a.on, act.Player)
		}
	case ActChallenge:
		return a.challenge(act)
	case ActAccept, ActDecline, ActGame, ActReport, ActResult:
		return a.answer(act)
	default:
		return "there is no such kind of act"
	}
	return ""
}

func offLadder(player string) string { return fmt.Sprintf("player %q is not on the ladder", player) }

func (a *auditing) challenge(act Act) string {
	if _, twice := a.challenges[act.Challenge]; twice || act.Challenge == "" {
		return fmt.Sprintf("challenge %q was made before, or has no id", act.Challenge)
	}
	for _, player := range []string{act.Player, act.Other} {
		if !a.on[player] {
			return offLadder(player)
		}
	}
	a.challenges[act.Challenge] = [2]string{act.Player, act.Other}
	return ""
}

// answer describes why an act on a challenge cannot have been done.
func (a *auditing) answer(act Act) string {
	pair, made := a.challenges[act.Challenge]
	switch {
	case !made:
		return fmt.Sprintf("nobody has made challenge %q", act.Challenge)
	case (act.Kind == ActAccept || act.Kind == ActDecline) && act.Player != "" && act.Player != pair[1]:
		return fmt.Sprintf("player %q was not challenged", act.Player)
	case act.Kind == ActReport && !slices.Contains(pair[:], act.Player):
		return fmt.Sprintf("player %q has no part in challenge %q", act.Player, act.Challenge)
	case (act.Kind == ActReport || act.Kind == ActResult) && !slices.Contains([]float64{0, 0.5, 1}, act.Score):
		return fmt.Sprintf("%v is no score", act.Score)
	}
	return ""
}
