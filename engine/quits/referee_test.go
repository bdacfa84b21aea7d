package quits_test

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/enginetest"
	"quatuor/engine/quits"
)

func TestRefereed(t *testing.T) {
	left := []string{"resignation", "time", "forfeit"}
	must := map[string][]string{
		"quits/duel":  append(left, "out", "repetition", "length", "agreement"),
		"quits/short": append(left, "out", "repetition", "length", "agreement"),
		"quits/four":  append(left, "out", "length", "pass"),
	}
	for _, rules := range quits.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) {
			enginetest.Refereed(t, rules, func(setup engine.Setup) enginetest.Referee {
				return newReferee(rules.Info().ID, setup)
			}, must[rules.Info().ID]...)
		})
	}
}

// spot is a square: file and rank from 0.
type spot struct{ file, rank int }

func (s spot) String() string { return string("abcde"[s.file]) + string("12345"[s.rank]) }

func (s spot) onBoard() bool { return s.file >= 0 && s.file < 5 && s.rank >= 0 && s.rank < 5 }

func (s spot) plus(by spot) spot { return spot{s.file + by.file, s.rank + by.rank} }

// referee has the marbles' owners by square.
type referee struct {
	seats, needed int
	quarters      int // quarter turns from one seat to the next
	forward       bool
	owner         map[spot]int
	out           []int
	turn          int
	forbidden     string
	passes        int
	gone          []int
	end           string
}

func newReferee(id string, setup engine.Setup) *referee {
	r := &referee{
		seats: setup.Seats, needed: 1, quarters: 4 / setup.Seats, turn: 1, forbidden: "-",
		owner: map[spot]int{}, out: make([]int, setup.Seats), forward: setup.Regulations.Option("steps") == "forward",
	}
	marbles := []spot{{0, 1}, {1, 0}, {1, 1}}
	if id == "quits/duel" {
		r.needed = 3
		marbles = append(marbles, spot{0, 2}, spot{2, 0})
	}
	for seat := 1; seat <= r.seats; seat++ {
		for _, m := range marbles {
			r.owner[r.seenFrom(seat, m)] = seat
		}
	}
	return r
}

// seenFrom returns the square that a seat sees where seat 1 sees s: the board turned clockwise by quarters.
func (r *referee) seenFrom(seat int, s spot) spot {
	for range (seat - 1) * r.quarters {
		s = spot{s.rank, 4 - s.file}
	}
	return s
}

// direction does the same for a direction.
func (r *referee) direction(seat int, by spot) spot {
	for range (seat - 1) * r.quarters {
		by = spot{by.rank, -by.file}
	}
	return by
}

func (r *referee) goal(seat int) spot { return r.seenFrom(seat, spot{4, 4}) }

func (r *referee) Awaited() []int {
	if r.end != "" {
		return []int{}
	}
	return []int{r.turn}
}

func (r *referee) Outcome() string { return r.end }

func (r *referee) Moves(seat int) []string {
	ways := []spot{{1, 1}, {1, -1}, {-1, 1}}
	if r.forward {
		ways = []spot{{1, 1}, {1, 0}, {0, 1}}
	}
	var list []string
	for from, owner := range r.owner {
		for _, way := range ways {
			to := from.plus(r.direction(seat, way))
			if owner == seat && to.onBoard() && r.owner[to] == 0 {
				list = append(list, fmt.Sprint(from, "-", to))
			}
		}
	}
	for n := range 5 {
		for _, line := range [][]spot{row(n), column(n), backwards(row(n)), backwards(column(n))} {
			slide := fmt.Sprint(line[0], ">", line[4])
			if r.owner[line[0]] == 0 && r.holds(line, seat) && slide != r.forbidden {
				list = append(list, slide)
			}
		}
	}
	if len(list) == 0 {
		return []string{"pass"}
	}
	return list
}

func row(n int) []spot { return []spot{{0, n}, {1, n}, {2, n}, {3, n}, {4, n}} }

func column(n int) []spot { return []spot{{n, 0}, {n, 1}, {n, 2}, {n, 3}, {n, 4}} }

func backwards(line []spot) []spot { return []spot{line[4], line[3], line[2], line[1], line[0]} }

func (r *referee) holds(line []spot, seat int) bool {
	for _, s := range line {
		if r.owner[s] == seat {
			return true
		}
	}
	return false
}

func at(name string) spot { return spot{int(name[0] - 'a'), int(name[1] - '1')} }

func (r *referee) Move(seat int, token string) {
	r.forbidden = "-"
	if token == "pass" {
		r.passes++
	} else {
		r.passes = 0
		r.shift(seat, token)
		r.takeOut()
	}
	for s, n := range r.out {
		if n >= r.needed {
			r.finish(s+1, "out")
			return
		}
	}
	if r.passes == r.seats-len(r.gone) {
		r.Draw("blocked")
		return
	}
	r.pass()
}

func (r *referee) shift(seat int, token string) {
	from, to := at(token[:2]), at(token[3:])
	if token[2] == '-' {
		delete(r.owner, from)
		r.owner[to] = seat
		return
	}
	r.forbidden = token[3:] + ">" + token[:2]
	line := column(from.file)
	if from.rank == to.rank {
		line = row(from.rank)
	}
	if line[0] != from {
		line = backwards(line)
	}
	for i := range 4 {
		r.owner[line[i]] = r.owner[line[i+1]]
	}
	r.owner[line[4]] = 0
}

func (r *referee) takeOut() {
	for seat := 1; seat <= r.seats; seat++ {
		if r.owner[r.goal(seat)] == seat {
			r.owner[r.goal(seat)] = 0
			r.out[seat-1]++
		}
	}
}

// pass hands the turn to the next seat that is in.
func (r *referee) pass() {
	r.turn = r.turn%r.seats + 1
	for r.isGone(r.turn) {
		r.turn = r.turn%r.seats + 1
	}
}

func (r *referee) isGone(seat int) bool {
	for _, s := range r.gone {
		if s == seat {
			return true
		}
	}
	return false
}

// finish ends the game with a winner, or with none: 0.
func (r *referee) finish(winner int, reason string) {
	ranks := make([]string, r.seats)
	for seat := 1; seat <= r.seats; seat++ {
		ranks[seat-1] = "1"
		if winner != 0 && seat != winner {
			ranks[seat-1] = "2"
		}
	}
	for i, seat := range r.gone {
		ranks[seat-1] = fmt.Sprint(r.seats - i)
	}
	r.end = "=" + strings.Join(ranks, ",") + ":" + reason
}

func (r *referee) Draw(reason string) { r.finish(0, reason) }

func (r *referee) Leave(seat int, reason string) {
	if r.seats == 2 {
		r.finish(3-seat, reason)
		return
	}
	for s, owner := range r.owner {
		if owner == seat {
			delete(r.owner, s)
		}
	}
	r.gone = append(r.gone, seat)
	r.passes = 0
	switch {
	case len(r.gone) == r.seats-1:
		r.finish(0, reason)
	case r.turn == seat:
		r.pass()
	}
}

func (r *referee) Position() string {
	var lines []string
	for n := range 5 {
		line := ""
		for _, s := range row(4 - n) {
			line += string(".1234"[r.owner[s]])
		}
		lines = append(lines, line)
	}
	status := r.end
	if status == "" {
		status = fmt.Sprint(r.turn)
	}
	text := fmt.Sprintf("%s %s %s %s %d", strings.Join(lines, "/"), status, r.forbidden, commas(r.out), r.passes)
	switch {
	case r.seats == 2:
		return text
	case len(r.gone) == 0:
		return text + " -"
	}
	return text + " " + commas(r.gone)
}

func commas(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ",")
}
