package enginetest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine"
)

// Games plays the golden games in the files that fit a pattern, such as "testdata/*.game". Each line of a file is
// empty, a comment after #, or one of
//
//	game quits/duel steps=forward     start this variant; seats=N and seed=HEX may stand among the options
//	play b2-c3 e4-d3                  these tokens are taken
//	refuse illegal a1-a2              this token is refused with this kind
//	position …                        the position is this text
//	legal pass                        these are the legal moves of the seats awaited, and all of them
//	count 44                          so many legal moves there are
//	turn 3                            the turn has this number
func Games(t *testing.T, variants []engine.Rules, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s fits %d files, error %v", pattern, len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			script := script{variants: variants}
			lines := bufio.NewScanner(file)
			for number := 1; lines.Scan(); number++ {
				line, _, _ := strings.Cut(lines.Text(), "#")
				if err := script.run(strings.TrimSpace(line)); err != nil {
					t.Fatalf("line %d, %s: %v", number, line, err)
				}
			}
			if err := lines.Err(); err != nil || script.tested == 0 {
				t.Errorf("%d lines tested something, error %v", script.tested, err)
			}
		})
	}
}

// script is a file of golden games on its way.
type script struct {
	variants []engine.Rules
	match    *engine.Match
	tested   int
}

func (s *script) run(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "":
		return nil
	case "game":
		return s.start(strings.Fields(rest))
	}
	if s.match == nil {
		return fmt.Errorf("no game yet")
	}
	s.tested++
	switch word {
	case "play":
		return s.play(strings.Fields(rest))
	case "refuse":
		return s.refuse(rest)
	case "position":
		return differ(s.match.State().Position(), rest)
	case "legal":
		return differ(strings.Join(s.legal(), " "), rest)
	case "count":
		return differ(strconv.Itoa(len(s.legal())), rest)
	case "turn":
		return differ(strconv.Itoa(s.match.Turn()), rest)
	}
	return fmt.Errorf("unknown word %q", word)
}

func (s *script) start(words []string) error {
	i := slices.IndexFunc(s.variants, func(r engine.Rules) bool { return len(words) > 0 && r.Info().ID == words[0] })
	if i < 0 {
		return fmt.Errorf("no such variant here")
	}
	seats, seed, options := 0, "", map[string]string{}
	for _, word := range words[1:] {
		switch key, value, _ := strings.Cut(word, "="); key {
		case "seats":
			seats, _ = strconv.Atoi(value)
		case "seed":
			seed = value
		default:
			options[key] = value
		}
	}
	setup, err := engine.NewSetup(s.variants[i].Info(), seats, seed, options)
	if err != nil {
		return err
	}
	s.match, err = engine.NewMatch(s.variants[i], setup)
	return err
}

func (s *script) play(tokens []string) error {
	for _, token := range tokens {
		next, err := s.match.AfterToken(token)
		if err != nil {
			return fmt.Errorf("%s in %s: %w", token, s.match.State().Position(), err)
		}
		s.match = next
	}
	return nil
}

func (s *script) refuse(rest string) error {
	kind, token, _ := strings.Cut(rest, " ")
	_, err := s.match.AfterToken(token)
	if got := engine.KindOf(err); got != kind {
		return fmt.Errorf("refused as %q: %v", got, err)
	}
	return nil
}

func (s *script) legal() []string {
	var list []string
	for _, seat := range s.match.Pending().Awaited {
		for _, mv := range s.match.State().Legal(seat) {
			list = append(list, string(mv))
		}
	}
	return list
}

func differ(got, want string) error {
	if got != want {
		return fmt.Errorf("got %s", got)
	}
	return nil
}
