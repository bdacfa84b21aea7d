package enginetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine"
)

var update = flag.Bool("update", false, "write the golden games anew")

// Golden replays the games of the files that match a pattern and compares each with its file. With -update it
// writes the files instead, to be read before they are committed.
//
// A file starts with comments (#) and settings: variant, seats, seed, option KEY=VALUE, and from, a position to start
// from. After an empty line follow the tokens of a record, a line each, and under each, indented, what it led to: the
// position and each seat's legal moves, or the refusal, after which the game goes on from where it was.
func Golden(t *testing.T, variants []engine.Rules, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (error %v)", pattern, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := replay(variants, string(text))
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				err = os.WriteFile(file, []byte(got), 0o644)
			}
			if err != nil || !*update && got != string(text) {
				t.Errorf("the game goes otherwise (error %v):\n%s", err, got)
			}
		})
	}
}

// story is the state of a golden game while it is replayed.
type story struct {
	out      strings.Builder
	settings map[string]string
	options  map[string]string
	match    *engine.Match
}

// resumed is a set of rules that start from a position.
type resumed struct {
	engine.Rules
	position string
}

func (r resumed) Start(setup engine.Setup) (engine.State, error) { return r.Parse(setup, r.position) }

func replay(variants []engine.Rules, text string) (string, error) {
	s := &story{settings: map[string]string{}, options: map[string]string{}}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, " "):
			continue
		case strings.HasPrefix(line, "#"):
		case line == "" && s.match == nil:
			if err := s.start(variants); err != nil {
				return "", err
			}
		case s.match == nil:
			s.set(line)
		}
		fmt.Fprintln(&s.out, line)
		if line != "" && line[0] != '#' && s.match != nil {
			s.step(line)
		}
	}
	return s.out.String(), nil
}

func (s *story) set(line string) {
	key, value, _ := strings.Cut(line, " ")
	if name, choice, found := strings.Cut(value, "="); key == "option" && found {
		s.options[name] = choice
		return
	}
	s.settings[key] = value
}

func (s *story) start(variants []engine.Rules) error {
	i := slices.IndexFunc(variants, func(r engine.Rules) bool { return r.Info().ID == s.settings["variant"] })
	if i < 0 {
		return fmt.Errorf("no variant %q", s.settings["variant"])
	}
	rules := variants[i]
	if position, given := s.settings["from"]; given {
		rules = resumed{rules, position}
	}
	seats, _ := strconv.Atoi(s.settings["seats"])
	setup, err := engine.NewSetup(rules.Info(), seats, s.settings["seed"], s.options)
	if err != nil {
		return err
	}
	s.match, err = engine.NewMatch(rules, setup)
	return err
}

func (s *story) step(token string) {
	next, err := s.match.AfterToken(token)
	if err != nil {
		fmt.Fprintf(&s.out, "    %s: %v\n", engine.KindOf(err), err)
		return
	}
	s.match = next
	fmt.Fprintf(&s.out, "    %s\n", next.State().Position())
	for _, seat := range next.Pending().Awaited {
		fmt.Fprintf(&s.out, "    seat %d: %s\n", seat, few(next.State().Legal(seat)))
	}
}

// few returns a short list of moves in full, and the length of a long list.
func few(moves []engine.Move) string {
	const limit = 8
	if len(moves) > limit {
		return fmt.Sprintf("%d moves", len(moves))
	}
	return strings.Trim(fmt.Sprint(moves), "[]")
}
