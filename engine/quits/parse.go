package quits

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
)

// Parse reads a position as Position prints it.
func (r *rules) Parse(setup engine.Setup, text string) (engine.State, error) {
	v := r.under(setup)
	s, err := v.read(strings.Split(text, " "))
	if err == nil {
		err = s.consistent()
	}
	if err == nil && s.Position() != text {
		err = fmt.Errorf("%q is spelled %q", engine.Clip(text), s.Position())
	}
	if err != nil {
		return nil, fmt.Errorf("position of %s: %w", v.info.ID, err)
	}
	return s, nil
}

// read reads the fields of a position into a state.
func (v *variant) read(fields []string) (*state, error) {
	want, names := 5, "board, status, forbidden slide, marbles out and passes"
	if v.seats() > 2 {
		want, names = 6, "board, status, forbidden slide, marbles out, passes and seats out"
	}
	if len(fields) != want {
		return nil, fmt.Errorf("it has %d fields, want %d: %s", len(fields), want, names)
	}
	s := &state{variant: v}
	if err := board.Scan(fields[0], s.place); err != nil {
		return nil, err
	}
	pending, err := engine.ParseStatus(v.info, v.seats(), fields[1])
	if err != nil {
		return nil, err
	}
	if s.end = pending.Outcome; s.end == nil {
		s.turn = pending.Awaited[0]
	}
	if err := s.readSlide(fields[2]); err != nil {
		return nil, err
	}
	if err := s.readCounts(fields[3], fields[4]); err != nil {
		return nil, err
	}
	if want == 6 {
		s.gone, err = engine.ParseGone(v.seats(), fields[5])
	}
	return s, err
}

// place sets a square from its character.
func (s *state) place(n int, c byte) bool {
	i := int(c) - '1'
	if i < 0 || i >= s.variant.seats() {
		return c == '.'
	}
	s.marbles[i] |= 1 << n
	return true
}

func (s *state) readSlide(text string) error {
	s.forbidden = none
	if text == "-" {
		return nil
	}
	i := slices.IndexFunc(slides, func(s slide) bool { return string(s.token) == text })
	if i < 0 {
		return fmt.Errorf("the forbidden slide is %q, want one such as e3>a3, or -", engine.Clip(text))
	}
	s.forbidden = int8(i)
	return nil
}

func (s *state) readCounts(out, passes string) error {
	words := strings.Split(out, ",")
	if len(words) != s.variant.seats() {
		return fmt.Errorf("the marbles out are %q, want %d numbers", engine.Clip(out), s.variant.seats())
	}
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 8)
		if err != nil || n < 0 {
			return fmt.Errorf("%q is not a number of marbles out", engine.Clip(word))
		}
		s.out[i] = int8(n)
	}
	n, err := strconv.ParseInt(passes, 10, 8)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a number of passes", engine.Clip(passes))
	}
	s.passes = int8(n)
	return nil
}

// consistent returns an error if no game can lead to the position.
func (s *state) consistent() error {
	v := s.variant
	for i := range v.seats() {
		seat, onBoard := engine.Seat(i+1), bits.OnesCount32(s.marbles[i])
		switch {
		case s.marbles[i]&(1<<v.players[i].goal) != 0:
			return fmt.Errorf("a marble of seat %d stands on its goal, where it would have left the board", seat)
		case s.gone.Has(seat) && (onBoard > 0 || int(s.out[i]) >= v.needed):
			return fmt.Errorf("seat %d is out of the game and has %d marbles on the board, %d out", seat, onBoard, s.out[i])
		case !s.gone.Has(seat) && onBoard+int(s.out[i]) != v.marbles:
			return fmt.Errorf("seat %d has %d marbles on the board and %d out, want %d together", seat, onBoard, s.out[i],
				v.marbles)
		}
	}
	if s.forbidden != none && (s.passes > 0 || s.occupied()&(1<<slides[s.forbidden].lifted) != 0) {
		return fmt.Errorf("%s cannot be forbidden: no slide came just before", s.forbiddenText())
	}
	if !s.consistentStatus() {
		return fmt.Errorf("its status is %s, which does not go with its other fields", s.Pending().Status())
	}
	return nil
}

// consistentStatus reports whether the status agrees with the other fields.
func (s *state) consistentStatus() bool {
	v := s.variant
	winner, blocked, in := s.winner(v), s.blocked(v), s.in(v)
	if s.end == nil {
		return winner == 0 && !blocked && in > 1 && !s.gone.Has(s.turn)
	}
	ranks, drawn := s.end.Ranks, s.gone.Ranks(v.seats())
	switch s.end.Reason {
	case engine.ReasonOut:
		return winner != 0 && in > 1 && !blocked && slices.Equal(ranks, s.ranksFor(winner))
	case engine.ReasonBlocked:
		return winner == 0 && in > 1 && int(s.passes) == in && slices.Equal(ranks, drawn)
	case engine.ReasonRepetition, engine.ReasonLength, engine.ReasonAgreement:
		return winner == 0 && in > 1 && !blocked && slices.Equal(ranks, drawn)
	case engine.ReasonResignation, engine.ReasonTime, engine.ReasonForfeit:
		if v.seats() > 2 {
			return winner == 0 && in == 1 && s.passes == 0 && slices.Equal(ranks, drawn)
		}
		return winner == 0 && !blocked && (slices.Equal(ranks, s.ranksFor(1)) || slices.Equal(ranks, s.ranksFor(2)))
	case engine.ReasonAdjudication:
		return winner == 0 && !blocked && in > 1
	}
	return false
}
