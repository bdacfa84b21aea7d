package slip

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// A match of teams has codes of its own for its captains, who report all boards at once, and each of its boards has
// codes for its two players. Both exist once the line-ups are revealed. The number of a board of a match encodes the
// match and the place in it, so that it is stored like other boards.

// perBoard is more than any number of matches of a round.
const perBoard = 10_000

// Number returns the number of a board, from 1, of a match of teams.
func Number(match, board int) int { return board*perBoard + match }

// Split returns the match and the board of a number; board is 0 for the match itself.
func Split(number int) (match, board int) { return number % perBoard, number / perBoard }

// Label returns how people read the number of a board: "3", "1.3" for board 3 of match 1, "1.1–4" for all its boards.
// A game of an arena in the hall has the number of its table.
func Label(t *tournament.Tournament, number int) string {
	match, board := Split(number)
	switch {
	case Table(number) > 0:
		return strconv.Itoa(Table(number))
	case t.Format.Continuous():
		p, _ := t.Pairing(1, number)
		return strconv.Itoa(p.Place())
	case t.Teams == nil:
		return strconv.Itoa(number)
	case board == 0:
		return fmt.Sprintf("%d.1–%d", match, len(t.Teams.Boards))
	}
	return fmt.Sprintf("%d.%d", match, board)
}

// Pairings returns the pairings with codes in a round: its own and, in matches of teams with revealed line-ups, the
// boards as pairings of players, by side.
func Pairings(t *tournament.Tournament, round int) (list []tournament.Pairing) {
	for _, p := range t.Rounds[round-1].Pairings {
		if p.Bye != tournament.NoBye || t.Teams != nil && p.Boards == nil {
			continue
		}
		list = append(list, p)
		for i := range p.Boards {
			if b := p.Boards[i]; b.Players[0] != "" && b.Players[1] != "" {
				list = append(list, boardOf(p, i+1))
			}
		}
	}
	return list
}

func boardOf(p tournament.Pairing, board int) tournament.Pairing {
	b := p.Boards[board-1]
	return tournament.Pairing{
		Board: Number(p.Board, board), Seats: b.Players[:], GameID: b.GameID, HallGame: b.HallGame, Result: b.Result,
	}
}

// At returns the pairing, or the board of a match, with a number; its errors wrap tournament.ErrNotFound.
func At(t *tournament.Tournament, round, number int) (tournament.Pairing, error) {
	if p, ok := arena.AtTable(t, Table(number)); ok {
		return p, nil
	}
	if t.Teams == nil {
		return t.Pairing(round, number)
	}
	if round >= 1 && round <= len(t.Rounds) {
		for _, p := range Pairings(t, round) {
			if p.Board == number {
				return p, nil
			}
		}
	}
	return tournament.Pairing{}, tournament.Refuse(tournament.ErrNotFound, "board %d in round %d", number, round)
}

// BoardResult is the result of a board of a match as players report it.
type BoardResult struct {
	Board   int
	Verdict tournament.Verdict
}

// played are the results that players report of a board.
var played = []string{"1-0", "1/2-1/2", "0-1"}

// OpenBoards returns the boards of a match that its captains can report: played in the hall and without a result.
func OpenBoards(p tournament.Pairing) (boards []int) {
	for i, b := range p.Boards {
		if b.Result == nil && b.GameID == "" && b.Players[0] != "" && b.Players[1] != "" {
			boards = append(boards, i+1)
		}
	}
	return boards
}

// ReadMatch reads the report of a pairing of a tournament of teams: "1-0" of a board, "1:1-0 3:0-1" of all open boards
// of a match, in any order. It returns them by board, with their canonical spelling. Errors wrap tournament.ErrInvalid.
func ReadMatch(p tournament.Pairing, text string) (results []BoardResult, spelt string, err error) {
	_, own := Split(p.Board)
	words := strings.Fields(text)
	for _, word := range words {
		board, result := own, word
		if own == 0 {
			number, after, _ := strings.Cut(word, ":")
			board, _ = strconv.Atoi(number)
			result = after
		}
		if !slices.Contains(played, result) {
			return nil, "", tournament.NotValid("players report 1-0, 1/2-1/2 or 0-1 of a board; anything else is decided by " +
				"the arbiter")
		}
		v, err := tournament.ParseVerdict(result)
		if err != nil {
			return nil, "", err
		}
		results = append(results, BoardResult{board, v})
	}
	slices.SortFunc(results, func(a, b BoardResult) int { return cmp.Compare(a.Board, b.Board) })
	open := []int{own}
	if own == 0 {
		open = OpenBoards(p)
	}
	if !slices.EqualFunc(results, open, func(r BoardResult, board int) bool { return r.Board == board }) {
		return nil, "", tournament.NotValid("give the result of each board that is open, once")
	}
	parts := make([]string, len(results))
	for i, r := range results {
		parts[i] = r.Verdict.String()
		if own == 0 {
			parts[i] = strconv.Itoa(r.Board) + ":" + parts[i]
		}
	}
	return results, strings.Join(parts, " "), nil
}
