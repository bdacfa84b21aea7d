package ladder

import "fmt"

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

// Compute computes the places with all deadlines settled that have come. games are those that have ended, or wait for
// players.
func (l *Ladder) Compute(games map[string]Game) (err error) {
	l.Events = Events(l.Acts, games, l.Rules, l.Now)
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
