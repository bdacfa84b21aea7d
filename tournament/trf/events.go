package trf

import (
	"fmt"
	"strconv"
	"strings"
)

// Event is an act that the other lines of a report do not show: a comment (###) of this program. Players are numbers,
// in a report of teams those of teams.
//
//	### quatuor hand round 3            the arbiter set pairings of the round
//	### quatuor late round 3 player 17  the player entered before this round
//	### quatuor bye round 4 player 5 H  the arbiter granted the bye
//	### quatuor undo round 2            an act was undone while this round was the latest
//	### quatuor rating round 2 player 5 0  this counts for the ratings, the cell for standings and pairings; the opponent
//	                                    has this line, too
//	### quatuor colours B               of teams: the letters of the tournament are the opposite of line 352, so that its
//	                                    tables name the teams the other way round
type Event struct {
	Kind   EventKind
	Round  int    // 0 for none
	Player int    // 0 for none
	Result Result // of ByeGranted and RatedAs, and B of ColoursTurned; else 0
}

// EventKind is the kind of an event.
type EventKind string

// The events.
const (
	ByHand     EventKind = "hand"
	LateEntry  EventKind = "late"
	ByeGranted EventKind = "bye"
	Undone     EventKind = "undo"
	RatedAs    EventKind = "rating"

	ColoursTurned EventKind = "colours"
)

const (
	comment     = "###"
	eventPrefix = comment + " quatuor "
)

// readEvent reads a comment of this program; false for other comments.
func readEvent(line string) (e Event, ok bool) {
	text, ok := strings.CutPrefix(line, eventPrefix)
	words := strings.Fields(text)
	if !ok || len(words) == 0 {
		return e, false
	}
	e.Kind, words = EventKind(words[0]), words[1:]
	for len(words) > 1 {
		n, err := strconv.Atoi(words[1])
		switch {
		case err != nil || n < 0 || n > maxPlayers:
			return e, false
		case words[0] == "round":
			e.Round = n
		case words[0] == "player":
			e.Player = n
		default:
			return e, false
		}
		words = words[2:]
	}
	if len(words) == 1 && (e.Kind == ByeGranted || e.Kind == RatedAs || e.Kind == ColoursTurned) && len(words[0]) == 1 {
		e.Result, words = Result(words[0][0]), nil
	}
	return e, len(words) == 0 && e.complete()
}

// complete reports whether an event has the fields that its kind needs.
func (e Event) complete() bool {
	switch e.Kind {
	case ByHand:
		return e.Round > 0 && e.Player == 0
	case LateEntry:
		return e.Round > 0 && e.Player > 0
	case ByeGranted:
		return e.Round > 0 && e.Player > 0 && (e.Result == HalfPoint || e.Result == FullPoint || e.Result == ZeroPoint)
	case RatedAs:
		return e.Round > 0 && e.Player > 0 && (e.Result == Win || e.Result == Draw || e.Result == Loss)
	case Undone:
		return e.Player == 0
	case ColoursTurned:
		return e.Round == 0 && e.Player == 0 && e.Result == 'B'
	}
	return false
}

// write returns the line of an event.
func (e Event) write() string {
	text := eventPrefix + string(e.Kind)
	if e.Round > 0 {
		text += fmt.Sprint(" round ", e.Round)
	}
	if e.Player > 0 {
		text += fmt.Sprint(" player ", e.Player)
	}
	if e.Result != 0 {
		text += " " + string(rune(e.Result))
	}
	return text
}

// HandPaired reports whether the arbiter set pairings of a round.
func (r *Report) HandPaired(round int) bool {
	for _, e := range r.Events {
		if e.Kind == ByHand && e.Round == round {
			return true
		}
	}
	return false
}
