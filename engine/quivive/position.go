package quivive

import (
	"fmt"
	"slices"
	"strings"

	"quatuor/engine"
)

// Position returns ranks 7 to 1, status and phase, and in a melee the seats that are out.
func (s *state) Position() string {
	text := make([]byte, 0, 96)
	contents := s.contents()
	for i, row := range shape.Rows() {
		if i > 0 {
			text = append(text, '/')
		}
		for _, c := range row {
			text = append(text, '0'+contents[c]%heights)
			if side := contents[c] / heights; side != 0 {
				text = append(text, 'a'+side-1)
			}
		}
	}
	text = append(append(text, ' '), s.Pending().Status()...)
	text = append(append(text, ' '), s.phase.String()...)
	if s.rules.melee() {
		text = append(append(text, ' '), s.gone.String()...)
	}
	return string(text)
}

// Parse reads a position. It accepts exactly the texts that Position prints, for positions with possible numbers
// of podiums, pawns and turns.
func (r *rules) Parse(setup engine.Setup, position string) (engine.State, error) {
	s := r.empty(setup)
	fields := strings.Split(position, " ")
	want := 3
	if r.melee() {
		want = 4
	}
	if len(fields) != want {
		return nil, unreadable("it has %d fields, not %d", len(fields), want)
	}
	if err := s.read(fields); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if again := s.Position(); again != position {
		return nil, unreadable("it should read %q", again)
	}
	return s, nil
}

func unreadable(format string, args ...any) error {
	return fmt.Errorf("no position of Quivive: "+format, args...)
}

func (s *state) read(fields []string) error {
	pending, err := engine.ParseStatus(s.rules.info, int(s.seats), fields[1])
	if err != nil {
		return unreadable("%w", err)
	}
	if s.end = pending.Outcome; s.end == nil {
		s.turn = pending.Awaited[0]
	}
	if len(fields) > 3 {
		if s.gone, err = engine.ParseGone(int(s.seats), fields[3]); err != nil {
			return unreadable("%w", err)
		}
	}
	if err := s.readPhase(fields[2]); err != nil {
		return err
	}
	return s.readBoard(fields[0])
}

func (s *state) readPhase(text string) error {
	p := slices.Index(phaseNames[:], text)
	if p < 0 {
		return unreadable("%q is not a phase; the phases are build, pawns and play", engine.Clip(text))
	}
	s.phase = phase(p)
	return nil
}

func (s *state) readBoard(text string) error {
	ranks := strings.Split(text, "/")
	rows := shape.Rows()
	if len(ranks) != len(rows) {
		return unreadable("the board has %d ranks, not %d", len(ranks), len(rows))
	}
	for i, rest := range ranks {
		for _, c := range rows[i] {
			rest = s.readCell(rest, c)
		}
		if rest != "" || ranks[i] == "" {
			return unreadable("rank %d, %q, does not describe %d cells", len(rows)-i, engine.Clip(ranks[i]), len(rows[i]))
		}
	}
	return nil
}

// readCell reads a cell's height and pawn from the start of a text and returns the rest. Unreadable text stays in the
// rest, so that something is left over at the end; a text that is too short leaves cells empty, which shows when the
// position is printed.
func (s *state) readCell(text string, c int) string {
	if text == "" || text[0] < '0' || text[0] > '3' {
		return text
	}
	height := cells(text[0] - '0')
	s.low |= height & 1 << c
	s.high |= height >> 1 << c
	text = text[1:]
	if text == "" || text[0] < 'a' || int(text[0]-'a') >= s.rules.info.SidesAt(int(s.seats)) {
		return text
	}
	s.pawns[text[0]-'a'] |= only(c)
	return text[1:]
}
