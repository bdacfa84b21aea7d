package quixo_test

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/enginetest"
	"quatuor/engine/quixo"
)

func TestRefereed(t *testing.T) {
	must := map[string][]string{
		"quixo/duel":  {"line", "opponent-line", "repetition", "agreement", "resignation", "time", "forfeit"},
		"quixo/teams": {"line", "opponent-line", "pass", "agreement", "resignation", "time", "forfeit"},
	}
	for _, rules := range quixo.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) {
			enginetest.Refereed(t, rules, func(setup engine.Setup) enginetest.Referee {
				return &referee{seats: setup.Seats, cubes: map[string]string{}, turn: 1}
			}, must[rules.Info().ID]...)
		})
	}
}

// referee has the cubes by the name of their square, with their letters; cubes without a letter are blank.
type referee struct {
	seats int
	cubes map[string]string
	turn  int
	end   string
}

const (
	files = "abcde"
	ranks = "12345"
)

// letters that a seat's side may see on its cubes: those that the seat may take, and those that it may push in.
func (r *referee) letters(seat int) (takes string, puts []string) {
	if r.seats == 2 {
		letter := map[int]string{1: "x", 2: "o"}[seat]
		return letter, []string{letter}
	}
	takes = map[int]string{1: "s", 2: "w", 3: "n", 4: "e"}[seat]
	if seat%2 == 1 {
		return takes, []string{"s", "n"}
	}
	return takes, []string{"w", "e"}
}

func (r *referee) Awaited() []int {
	if r.end != "" {
		return []int{}
	}
	return []int{r.turn}
}

func (r *referee) Outcome() string { return r.end }

func (r *referee) Moves(seat int) []string {
	var list []string
	takes, puts := r.letters(seat)
	for _, from := range border() {
		if c := r.cubes[from]; c != "" && c != takes {
			continue
		}
		for _, end := range ends(from) {
			for _, p := range puts {
				token := from + "-" + end
				if r.seats == 4 {
					token += ">" + map[string]string{"s": "1", "w": "2", "n": "3", "e": "4"}[p]
				}
				list = append(list, token)
			}
		}
	}
	if len(list) == 0 {
		list = []string{"pass"}
	}
	return list
}

func border() []string {
	var list []string
	for _, f := range files {
		for _, r := range ranks {
			if strings.ContainsRune("ae", f) || strings.ContainsRune("15", r) {
				list = append(list, string(f)+string(r))
			}
		}
	}
	return list
}

// ends are the ends of the row and of the column of a square, without the square itself.
func ends(square string) []string {
	var list []string
	for _, end := range []string{"a" + square[1:], "e" + square[1:], square[:1] + "1", square[:1] + "5"} {
		if end != square {
			list = append(list, end)
		}
	}
	return list
}

func (r *referee) Move(seat int, token string) {
	if token != "pass" {
		r.push(seat, token)
		r.look(seat)
	}
	if r.end == "" {
		r.turn = seat%r.seats + 1
	}
}

// push takes the cube out and moves the hole, square by square, to the end where the cube goes in.
func (r *referee) push(seat int, token string) {
	hole, end := token[:2], token[3:5]
	letter, _ := r.letters(seat)
	if len(token) == 7 {
		letter = map[byte]string{'1': "s", '2': "w", '3': "n", '4': "e"}[token[6]]
	}
	for hole != end {
		next := toward(hole, end)
		r.cubes[hole] = r.cubes[next]
		hole = next
	}
	r.cubes[end] = letter
}

// toward is the next square on the straight way to another.
func toward(from, to string) string {
	step := func(a, b byte) byte {
		switch {
		case a < b:
			return a + 1
		case a > b:
			return a - 1
		}
		return a
	}
	return string([]byte{step(from[0], to[0]), step(from[1], to[1])})
}

// look ends the game if the board has a line: the other side's before the mover's own.
func (r *referee) look(seat int) {
	odd, even := r.line("xsn"), r.line("owe")
	mine, theirs := odd, even
	if seat%2 == 0 {
		mine, theirs = even, odd
	}
	switch {
	case theirs:
		r.lose(seat, "opponent-line")
	case mine:
		r.lose(seat+1, "line")
	}
}

func (r *referee) line(letters string) bool {
	var rising, falling int
	for i := range 5 {
		var row, column int
		for j := range 5 {
			row += r.bears(files[j], ranks[i], letters)
			column += r.bears(files[i], ranks[j], letters)
		}
		if row == 5 || column == 5 {
			return true
		}
		rising += r.bears(files[i], ranks[i], letters)
		falling += r.bears(files[i], ranks[4-i], letters)
	}
	return rising == 5 || falling == 5
}

func (r *referee) bears(file, rank byte, letters string) int {
	if c := r.cubes[string([]byte{file, rank})]; c != "" && strings.Contains(letters, c) {
		return 1
	}
	return 0
}

// lose ends the game against the side of a seat.
func (r *referee) lose(seat int, reason string) {
	ranks := []string{"1", "2", "1", "2"}
	if seat%2 == 1 {
		ranks = []string{"2", "1", "2", "1"}
	}
	r.end = fmt.Sprintf("=%s:%s", strings.Join(ranks[:r.seats], ","), reason)
}

func (r *referee) Leave(seat int, reason string) { r.lose(seat, reason) }

func (r *referee) Draw(reason string) {
	r.end = "=" + strings.Join([]string{"1", "1", "1", "1"}[:r.seats], ",") + ":" + reason
}

func (r *referee) Position() string {
	var text string
	for i := 4; i >= 0; i-- {
		for _, f := range files {
			if c := r.cubes[string(f)+ranks[i:i+1]]; c != "" {
				text += c
			} else {
				text += "."
			}
		}
		if i > 0 {
			text += "/"
		}
	}
	if r.end != "" {
		return text + " " + r.end
	}
	return fmt.Sprint(text, " ", r.turn)
}
