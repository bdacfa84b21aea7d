package textbot_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quatuor/cmd/quatuor/textbot"
	"quatuor/engine"
	"quatuor/engine/catalog"
)

// asProgram names, in the environment, what the test binary plays as a program: see programs.
const asProgram = "QUATUOR_TEXTBOT_TEST"

func TestMain(m *testing.M) {
	if play := programs[os.Getenv(asProgram)]; play != nil {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			if !play(lines.Text()) {
				os.Exit(0)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// ready answers the first line of the protocol.
func ready(line string) bool {
	if line == "quatuor 1" {
		fmt.Println("# a comment\n\nready Tester")
	}
	return line != "quit"
}

// said is what a program was sent since its last move.
var said []string

// programs answer a line, and return false to end.
var programs = map[string]func(line string) bool{
	"first": func(line string) bool { // plays the first legal move
		if words := strings.Fields(line); words[0] == "go" {
			fmt.Println("# thinking\nmove " + words[3])
		}
		return ready(line)
	},
	"echo": func(line string) bool { // fails with all that it was sent
		if said = append(said, line); strings.HasPrefix(line, "go ") {
			fmt.Println(strings.Join(said, "|"))
			said = nil
		}
		return ready(line)
	},
	"illegal": func(line string) bool {
		if strings.HasPrefix(line, "go ") {
			fmt.Println("move z9")
		}
		return ready(line)
	},
	"silent": ready,
	"ending": func(line string) bool { return ready(line) && !strings.HasPrefix(line, "go ") },
	"rude":   func(string) bool { fmt.Println("hello"); return true },
	"dead":   func(string) bool { return false },
}

// start starts a program of the test binary.
func start(t *testing.T, name string, moveTime time.Duration) (*textbot.Program, error) {
	t.Helper()
	t.Setenv(asProgram, name)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := textbot.Start(t.Context(), self, moveTime)
	if err == nil {
		t.Cleanup(p.Stop)
	}
	return p, err
}

// turn is the turn that programs are sent.
var turn = textbot.Turn{
	Variant: "quixo/duel", Seats: 2, Seat: 1, Position: "board 1", Legal: []engine.Move{"a1-a5", "c1-c5"}, Left: time.Minute,
}

// TestAnswers sends a turn to programs that answer well, badly or not at all.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		program string
		left    time.Duration
		move    engine.Move
		want    error
	}{
		{"first", time.Minute, "a1-a5", nil},
		{"illegal", time.Minute, "z9", textbot.ErrAnswer},
		{"echo", time.Minute, "", textbot.ErrAnswer},
		{"silent", 20 * time.Millisecond, "", textbot.ErrSilent},
		{"ending", time.Minute, "", textbot.ErrEnded},
	} {
		t.Run(tt.program, func(t *testing.T) {
			p, err := start(t, tt.program, time.Second)
			if err != nil {
				t.Fatal(err)
			}
			if p.Name != "Tester" {
				t.Errorf("the program is called %q, want the name that it gave itself", p.Name)
			}
			mine := turn
			mine.Left = tt.left
			if move, err := p.Move(mine); move != tt.move || !errors.Is(err, tt.want) || tt.want == nil && err != nil {
				t.Errorf("%q, %v; want %q, %v", move, err, tt.move, tt.want)
			}
		})
	}
}

// TestStarts starts programs that are not ready.
func TestStarts(t *testing.T) {
	for name, want := range map[string]error{"rude": textbot.ErrAnswer, "dead": textbot.ErrEnded} {
		if p, err := start(t, name, time.Second); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v; want %v", name, p, err, want)
		}
	}
	for _, command := range []string{"", "  ", "/nowhere/to/be/found"} {
		if p, err := textbot.Start(t.Context(), command, time.Second); err == nil {
			t.Errorf("%q starts %v", command, p)
		}
	}
}

// TestLines checks what programs are sent: the game when it is new, then the position or the view, and the turn.
func TestLines(t *testing.T) {
	p, err := start(t, "echo", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	hidden := turn
	hidden.Position, hidden.View = "", map[string]int{"hand": 8}
	four := turn
	four.Variant, four.Seats, four.Seat = "quixo/teams", 4, 3
	over := func() { p.Over(&engine.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonLine}) }
	for _, tt := range []struct {
		name   string
		before func()
		turn   textbot.Turn
		want   string
	}{
		{"the first turn", func() {}, turn, "quatuor 1|new quixo/duel 2|position board 1|go 1 60000 a1-a5 c1-c5"},
		{"the next turn", func() {}, turn, "position board 1|go 1 60000 a1-a5 c1-c5"},
		{"a turn with secrets", func() {}, hidden, `view {"hand":8}|go 1 60000 a1-a5 c1-c5`},
		{"another game", func() {}, four, "new quixo/teams 4|position board 1|go 3 60000 a1-a5 c1-c5"},
		{"a game after one that is over", over, four, "over 1 2 line|new quixo/teams 4|position board 1|go 3 60000 a1-a5 c1-c5"},
	} {
		tt.before()
		_, err := p.Move(tt.turn)
		if want := fmt.Sprintf("%q", tt.want); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want the lines %s", tt.name, err, want)
		}
	}
	over()
	over() // between games nothing is over
	if _, err := p.Move(turn); err == nil || strings.Count(err.Error(), "over ") != 1 {
		t.Errorf("after the end of a game: %v, want it once", err)
	}
}

// TestWholeGame lets a program play both seats of a game with secrets and of one without.
func TestWholeGame(t *testing.T) {
	p, err := start(t, "first", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if p.MoveTime() != time.Minute {
		t.Errorf("it has %s for a move", p.MoveTime())
	}
	for _, id := range []string{"quixo/duel", "quiwin/duel"} {
		rules, err := catalog.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		seed := ""
		if rules.Info().Secret {
			seed = strings.Repeat("5a", 32)
		}
		setup, err := engine.NewSetup(rules.Info(), 2, seed, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := engine.NewMatch(rules, setup)
		for ply := 0; err == nil && ply < 10 && !m.Pending().Over(); ply++ {
			seat := m.Pending().Awaited[0]
			var move engine.Move
			if move, err = p.Choose(m, seat); err != nil {
				break
			}
			if legal := m.State().Legal(seat); !slices.Contains(legal, move) || move != legal[0] {
				t.Fatalf("%s: it chooses %s of %v", id, move, legal)
			}
			m, err = m.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: string(move)})
		}
		if err != nil {
			t.Errorf("%s: %v", id, err)
		}
		p.Over(&engine.Outcome{Ranks: []int{1, 2}, Reason: engine.ReasonLine})
	}
}
