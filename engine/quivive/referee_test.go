package quivive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/enginetest"
	"quatuor/engine/quivive"
)

func TestRefereed(t *testing.T) {
	must := []string{"last", "length", "resignation", "time", "forfeit"}
	for _, rules := range quivive.Variants() {
		t.Run(rules.Info().ID, func(t *testing.T) {
			enginetest.Refereed(t, rules, func(setup engine.Setup) enginetest.Referee {
				return newReferee(rules.Info().ID, setup)
			}, must...)
		})
	}
}

// spot is a cell: file and rank from 1.
type spot struct{ file, rank int }

func (s spot) String() string { return fmt.Sprintf("%c%d", 'a'+s.file-1, s.rank) }

func at(name string) spot { return spot{int(name[0]-'a') + 1, int(name[1] - '0')} }

// referee has a height for each cell and the side of the pawn there.
type referee struct {
	melee, kept bool
	seats       int
	sides       int
	height      map[spot]int
	pawn        map[spot]int
	phase       string
	todo        []string // the heights still to be placed as podiums, then the seats that have pawns to place
	turn        int
	gone        []int
	end         string
}

func newReferee(id string, setup engine.Setup) *referee {
	r := &referee{
		melee: id == "quivive/melee", kept: setup.Regulations.Option("stuck") == "kept",
		seats: setup.Seats, sides: 2, height: map[spot]int{}, pawn: map[spot]int{}, phase: "build", turn: 1,
	}
	if r.melee {
		r.sides = r.seats
	}
	for rank, files := range map[int]string{
		1: "cde", 2: "bcdef", 3: "abcdefg", 4: "abcdefg", 5: "abcdefg", 6: "bcdef",
		7: "cde",
	} {
		for _, f := range files {
			r.height[spot{int(f-'a') + 1, rank}] = 1
		}
	}
	r.todo = strings.Fields("1 1 1 1 1 1 1 1 1 2 2 2")
	return r
}

func (r *referee) Awaited() []int {
	if r.end != "" {
		return []int{}
	}
	return []int{r.turn}
}

func (r *referee) Outcome() string { return r.end }

func (r *referee) sideOf(seat int) int { return (seat-1)%r.sides + 1 }

func (r *referee) Moves(seat int) []string {
	var list []string
	for s, h := range r.height {
		switch {
		case r.phase == "build" && fmt.Sprint(h) == r.todo[0]:
			list = append(list, "+"+s.String())
		case r.phase == "pawns" && r.pawn[s] == 0:
			list = append(list, "@"+s.String())
		case r.phase == "play" && r.pawn[s] == r.sideOf(seat):
			list = append(list, r.turns(s)...)
		}
	}
	return list
}

// steps are the cells that the pawn on s can step to.
func (r *referee) steps(s spot) []spot {
	var list []spot
	for file := s.file - 1; file <= s.file+1; file++ {
		for rank := s.rank - 1; rank <= s.rank+1; rank++ {
			if to := (spot{file, rank}); r.height[to] > 0 && r.pawn[to] == 0 {
				list = append(list, to)
			}
		}
	}
	return list
}

func (r *referee) turns(from spot) []string {
	var list []string
	for _, to := range r.steps(from) {
		side := r.pawn[from]
		r.pawn[from], r.pawn[to] = 0, side
		for stack, h := range r.height {
			if h > 0 && r.pawn[stack] == 0 {
				list = append(list, fmt.Sprintf("%s-%sx%s", from, to, stack))
			}
		}
		r.pawn[from], r.pawn[to] = side, 0
	}
	return list
}

func (r *referee) Move(seat int, token string) {
	switch token[0] {
	case '+':
		r.height[at(token[1:])]++
		r.todo = r.todo[1:]
	case '@':
		r.pawn[at(token[1:])] = r.sideOf(seat)
		r.todo = r.todo[1:]
	default:
		from, to := at(token[:2]), at(token[3:])
		r.pawn[to], r.pawn[from] = r.pawn[from], 0
		r.height[at(token[6:])]--
	}
	r.hand(seat)
}

// hand passes the turn on after a seat, into the next phase at the end of this.
func (r *referee) hand(seat int) {
	r.turn = r.after(seat)
	if r.phase == "build" && len(r.todo) == 0 {
		r.phase, r.turn = "pawns", r.after(0)
		r.todo = r.placers()
	}
	if r.phase == "pawns" && len(r.todo) == 0 {
		r.phase, r.turn = "play", r.after(0)
	}
	if r.phase == "play" {
		r.eliminate()
	}
}

// placers are the seats that have a pawn to place, in order.
func (r *referee) placers() []string {
	rounds := 1
	if r.seats == 2 {
		rounds = 2
	}
	var list []string
	for range rounds {
		for seat := 1; seat <= r.seats; seat++ {
			if !slices.Contains(r.gone, seat) {
				list = append(list, fmt.Sprint(seat))
			}
		}
	}
	return list
}

func (r *referee) after(seat int) int {
	for {
		seat = seat%r.seats + 1
		if !slices.Contains(r.gone, seat) {
			return seat
		}
	}
}

// eliminate checks the seat on turn, and the next seat if that is out.
func (r *referee) eliminate() {
	for r.end == "" {
		side, stuck, able := r.sideOf(r.turn), []spot{}, 0
		for s, p := range r.pawn {
			switch {
			case p != side:
			case len(r.steps(s)) == 0:
				stuck = append(stuck, s)
			default:
				able++
			}
		}
		if able == 0 || !r.kept {
			for _, s := range stuck {
				r.pawn[s] = 0
			}
		}
		if able > 0 {
			return
		}
		out := r.turn
		r.strike(out, "last")
		if r.end == "" {
			r.turn = r.after(out)
		}
	}
}

// strike takes a seat out of a melee, or its side out of any other game, and ends the game when a single side is left.
func (r *referee) strike(seat int, reason string) {
	if !r.melee {
		r.finish(3-r.sideOf(seat), reason)
		return
	}
	r.gone = append(r.gone, seat)
	if len(r.gone) == r.seats-1 {
		r.finish(0, reason)
	}
}

// finish ends the game: eliminated sides share no ranks, all others come first but for a side that lost.
func (r *referee) finish(winner int, reason string) {
	var ranks []string
	for seat := 1; seat <= r.seats; seat++ {
		rank := 1
		if i := slices.Index(r.gone, seat); i >= 0 {
			rank = r.seats - i
		} else if winner != 0 && r.sideOf(seat) != winner {
			rank = 2
		}
		ranks = append(ranks, fmt.Sprint(rank))
	}
	r.end = "=" + strings.Join(ranks, ",") + ":" + reason
}

func (r *referee) Draw(reason string) { r.finish(0, reason) }

func (r *referee) Leave(seat int, reason string) {
	if !r.melee {
		r.strike(seat, reason)
		return
	}
	for s, p := range r.pawn {
		if p == seat {
			r.pawn[s] = 0
		}
	}
	r.strike(seat, reason)
	if r.phase == "pawns" {
		r.todo = slices.DeleteFunc(r.todo, func(s string) bool { return s == fmt.Sprint(seat) })
	}
	if r.end == "" && r.turn == seat {
		r.hand(seat)
	}
}

func (r *referee) Position() string {
	text := ""
	for rank := 7; rank >= 1; rank-- {
		for file := 1; file <= 7; file++ {
			s := spot{file, rank}
			if h, ok := r.height[s]; ok {
				text += fmt.Sprint(h)
			}
			if p := r.pawn[s]; p > 0 {
				text += "-abcde"[p : p+1]
			}
		}
		if rank > 1 {
			text += "/"
		}
	}
	status := r.end
	if status == "" {
		status = fmt.Sprint(r.turn)
	}
	text += " " + status + " " + r.phase
	switch {
	case !r.melee:
		return text
	case len(r.gone) == 0:
		return text + " -"
	}
	return text + " " + strings.Trim(strings.ReplaceAll(fmt.Sprint(r.gone), " ", ","), "[]")
}
