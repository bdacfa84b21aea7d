package ladder

import (
	"slices"

	"quatuor/tournament"
)

// refusals are the answers to what the rules of ladders do not permit.
var refusals = map[Refusal]error{
	Unknown: tournament.Refuse(ErrRefused, "a challenge is between two players on the ladder"),
	Below:   tournament.Refuse(ErrRefused, "only players above can be challenged"),
	Reach:   tournament.Refuse(ErrRefused, "this player is too many places above"),
	Busy:    tournament.Refuse(ErrRefused, "one of the two has an open challenge"),
	Locked:  tournament.Refuse(ErrRefused, "the last challenge was not played in time, so that a new one has to wait"),
	Again:   tournament.Refuse(ErrRefused, "the same two had a challenge shortly before"),
	Closed:  tournament.Refuse(ErrRefused, "the challenge is over, or has been answered, or was not answered yet"),
}

// Errors of acts on ladders.
var (
	errOnLadder  = tournament.Refuse(ErrRefused, "the player is on the ladder already")
	errOffLadder = tournament.Refuse(ErrRefused, "the player is not on the ladder")
	errHolidays  = tournament.Refuse(ErrRefused,
		"a holiday begins without an open challenge, and lasts 28 days at most; the next one begins a week later")
	errHallGames = tournament.Refuse(ErrRefused, "the results of games on the server are not reported")
	errInPlay    = tournament.Refuse(ErrRefused, "the two have a game already")
)

// May returns why a player may not challenge another now; nil if it may.
func (l *Ladder) May(from, to string) error {
	if refusal, refused := refusals[l.MayChallenge(l.Now/1000, from, to)]; refused {
		return refusal
	}
	if l.Away[from] > 0 || l.Away[to] > 0 {
		return tournament.Refuse(ErrRefused, "one of the two is on holiday")
	}
	return nil
}

// Join returns the act that puts a player at the foot of the ladder.
func (l *Ladder) Join(player string) ([]Act, error) {
	if slices.Contains(l.Order(), player) {
		return nil, errOnLadder
	}
	next, err := New(l.Order(), l.Rules) // a ladder that is full takes no more
	if err == nil {
		err = next.Run([]Event{{At: l.Now / 1000, Type: Join, Player: player}})
	}
	return []Act{{Kind: ActJoin, Player: player}}, err
}

// Leave returns the act that takes a player off the ladder.
func (l *Ladder) Leave(player string) ([]Act, error) {
	if !slices.Contains(l.Order(), player) {
		return nil, errOffLadder
	}
	return []Act{{Kind: ActLeave, Player: player}}, nil
}

// Holiday returns the act that lets a player be away until a time, in ms; 0 ends the holiday.
func (l *Ladder) Holiday(player string, until int64) ([]Act, error) {
	switch {
	case !slices.Contains(l.Order(), player):
		return nil, errOffLadder
	case until != 0 && (until > HolidaySince(l.Acts, player, l.Now)+MaxHoliday || l.Challenge(player) != nil):
		return nil, errHolidays
	}
	return []Act{{Kind: ActHoliday, Player: player, Until: until}}, nil
}

// NewChallenge returns the act of a challenge with an id of its own.
func (l *Ladder) NewChallenge(id, from, to string) ([]Act, error) {
	return []Act{{Kind: ActChallenge, Challenge: id, Player: from, Other: to}}, l.May(from, to)
}

// Answer returns the acts that accept or decline a challenge: on the server, accepting opens a game. There are none
// where that was done before, and the game was not opened.
func (l *Ladder) Answer(challenge string, kind Kind, game string) ([]Act, error) {
	if _, err := l.OpenChallenge(challenge, true); err == nil && kind == ActAccept && l.Unopened(challenge) {
		return nil, nil
	}
	c, err := l.OpenChallenge(challenge, false)
	if err != nil {
		return nil, err
	}
	acts := []Act{{Kind: kind, Challenge: c.ID, Player: c.To}}
	if kind == ActAccept && !l.Hall {
		acts = append(acts, Act{Kind: ActGame, Challenge: c.ID, Game: game})
	}
	return acts, nil
}

// PlayAgain returns the act that opens another game of an accepted challenge after an aborted game; none if the last
// game was never opened.
func (l *Ladder) PlayAgain(challenge, game string) ([]Act, error) {
	switch last := l.Games[challenge]; {
	case l.Hall:
		return nil, errHallGames
	case l.Unopened(challenge):
		return nil, nil
	case last != "" && !l.Ended[last]:
		return nil, errInPlay
	}
	return []Act{{Kind: ActGame, Challenge: challenge, Game: game}}, nil
}

// Report returns the act of a player that reports the challenger's score.
func (l *Ladder) Report(challenge, player string, score float64) ([]Act, error) {
	if _, err := l.OpenChallenge(challenge, true); err != nil {
		return nil, err
	}
	if !l.Hall {
		return nil, errHallGames
	}
	return []Act{{Kind: ActReport, Challenge: challenge, Player: player, Score: score}}, nil
}

// Correct returns the arbiter's act that enters or corrects the challenger's score.
func (l *Ladder) Correct(challenge string, score float64) ([]Act, error) {
	if _, err := l.OpenChallenge(challenge, true); err != nil && !l.Played(challenge) {
		return nil, err
	}
	return []Act{{Kind: ActResult, Challenge: challenge, Score: score}}, nil
}
