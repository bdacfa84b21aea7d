package ladder

import (
	"fmt"
	"math"
)

// Ladder is a stored ladder: its places are computed from the acts and from the games that have ended.
type Ladder struct {
	Settings
	*State
	Acts   []Act
	Events []Event              // what the state was computed from, as `quatuor season ladder` reads them
	Now    int64                // ms UTC
	Away   map[string]int64     // ends of holidays, ms UTC
	Games  map[string]string    // the last game on the server, by challenge
	Pairs  map[string][2]string // challenger and defender, by challenge
	Opened map[string]bool      // games that exist
	Ended  map[string]bool      // games that are over
}

// Stored returns a ladder with its challenges at a time, in ms, or at its last act if that is later: the clock of
// another instance may be ahead. Its places are left to [Ladder.Compute]. An error names the ladder and the act if a
// stored act cannot have been done.
func Stored(s Settings, acts []Act, now int64) (*Ladder, error) {
	if err := Audit(acts); err != nil {
		return nil, fmt.Errorf("the log of ladder %s is damaged: %w", s.ID, err)
	}
	l := &Ladder{
		Settings: s, Acts: acts, Now: now, Games: map[string]string{}, Pairs: map[string][2]string{},
		Opened: map[string]bool{}, Ended: map[string]bool{},
	}
	for _, act := range acts {
		l.Now = max(l.Now, act.At)
		switch act.Kind {
		case ActChallenge:
			l.Pairs[act.Challenge] = [2]string{act.Player, act.Other}
		case ActGame:
			l.Games[act.Challenge] = act.Game
		}
	}
	l.Away = Away(acts, l.Now)
	return l, nil
}

// GameIDs returns the ids of all games on the server.
func (l *Ladder) GameIDs() (ids []string) {
	for _, act := range l.Acts {
		if act.Kind == ActGame {
			ids = append(ids, act.Game)
		}
	}
	return ids
}

// Compute computes the places with all deadlines settled that have come, from the existing games on the server.
func (l *Ladder) Compute(games []Game) (err error) {
	byID := map[string]Game{}
	for _, g := range games {
		byID[g.ID] = g
		l.Opened[g.ID] = true
		l.Ended[g.ID] = g.Over
	}
	l.Events = Events(l.Acts, byID, l.Rules, l.Now)
	l.State, err = New(nil, l.Rules)
	if err != nil {
		return err
	}
	if err := l.Run(l.Events); err != nil {
		return err
	}
	l.Until(l.Now / 1000)
	return nil
}

// Deadline returns when the places or the holidays change next by themselves, in ms.
func (l *Ladder) Deadline(games []Game) int64 {
	next := int64(math.MaxInt64)
	for _, open := range l.Open() { // a game that was not joined ends in the second before the deadline
		next = min(next, (open.Deadline-1)*1000)
	}
	for _, until := range l.Away {
		next = min(next, until)
	}
	for _, g := range games {
		if g.At > l.Now {
			next = min(next, g.At)
		}
	}
	return next
}

// Challenge returns an open challenge of a player; nil if there is none.
func (l *Ladder) Challenge(player string) *Open {
	for _, c := range l.Open() {
		if c.From == player || c.To == player {
			return &c
		}
	}
	return nil
}

// OpenChallenge returns an open challenge that was accepted, or was not answered yet. The error is ErrNotFound, or a
// refusal.
func (l *Ladder) OpenChallenge(id string, accepted bool) (Open, error) {
	if _, known := l.Pairs[id]; !known {
		return Open{}, ErrNotFound
	}
	for _, c := range l.Open() {
		if c.ID == id && c.Accepted == accepted {
			return c, nil
		}
	}
	return Open{}, refusals[Closed]
}

// Unopened reports whether the last game of a challenge was to be opened and was not, because the server died in
// between.
func (l *Ladder) Unopened(challenge string) bool {
	game := l.Games[challenge]
	return game != "" && !l.Opened[game]
}

// Played reports whether a challenge has ended by a result.
func (l *Ladder) Played(challenge string) bool {
	for _, e := range l.Log() {
		if e.ID == challenge && (e.End == Won || e.End == Drawn || e.End == Lost) {
			return true
		}
	}
	return false
}
