package quivive

import (
	"strconv"
	"strings"

	"quatuor/engine"
)

// Position prints ranks 7 to 1, status and phase, and in a melee the seats that are out.
func (s *state) Position() string {
	text := make([]byte, 0, 96)
	for i, row := range rows {
		if i > 0 {
			text = append(text, '/')
		}
		for _, c := range row {
			text = append(text, byte('0'+s.height(c)))
			if side := s.pawnOn(c); side != 0 {
				text = append(text, byte('a'+side-1))
			}
		}
	}
	text = append(text, ' ')
	if s.over != "" {
		text = append(text, s.outcome().String()...)
	} else {
		text = append(text, byte('0'+s.turn))
	}
	text = append(append(text, ' '), phaseNames[s.phase]...)
	if s.rules.melee() {
		text = s.appendGone(append(text, ' '))
	}
	return string(text)
}

func (s *state) appendGone(text []byte) []byte {
	if s.out == 0 {
		return append(text, '-')
	}
	for i, seat := range s.left() {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, byte('0'+seat))
	}
	return text
}

// Parse reads a position. It accepts exactly the texts that Position prints for positions that keep the counts of
// podiums, pawns and turns; errors are *engine.MoveError of kind engine.ErrNotation.
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
	reads := []func(string) error{s.readBoard, s.readStatus, s.readPhase, s.readGone}[:want]
	for i, read := range reads {
		if err := read(fields[i]); err != nil {
			return nil, err
		}
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
	return engine.Refuse(engine.ErrNotation, "no position of Quivive: "+format, args...)
}

func (s *state) readBoard(text string) error {
	ranks := strings.Split(text, "/")
	if len(ranks) != width {
		return unreadable("the board has %d ranks, not %d", len(ranks), width)
	}
	for i, rank := range ranks {
		rest := rank
		for _, c := range rows[i] {
			if rest == "" {
				return unreadable("rank %d (%.40q) is too short", width-i, rank)
			}
			if rest[0] < '0' || rest[0] > '3' {
				return unreadable("rank %d (%.40q) has a height that is not 0 to 3", width-i, rank)
			}
			height := cells(rest[0] - '0')
			s.low |= height & 1 << c
			s.high |= height >> 1 << c
			if rest = rest[1:]; rest != "" && rest[0] >= 'a' {
				side := int(rest[0] - 'a')
				if side >= s.rules.info.SidesAt(int(s.seats)) {
					return unreadable("rank %d (%.40q) has a pawn of nobody", width-i, rank)
				}
				s.pawns[side] |= c.set()
				rest = rest[1:]
			}
		}
		if rest != "" {
			return unreadable("rank %d (%.40q) is too long", width-i, rank)
		}
	}
	return nil
}

func (s *state) readStatus(text string) error {
	if ranks, reason, over := strings.Cut(text, ":"); over {
		s.over = engine.Reason(reason)
		return s.readWinner(ranks)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > int(s.seats) {
		return unreadable("%.40q is no seat on turn", text)
	}
	s.turn = engine.Seat(n)
	return nil
}

// readWinner takes who won from the ranks. That the ranks fit in all else shows when the position is printed again.
func (s *state) readWinner(ranks string) error {
	list := strings.Split(strings.TrimPrefix(ranks, "="), ",")
	if len(list) != int(s.seats) {
		return unreadable("%.40q does not rank %d seats", ranks, s.seats)
	}
	for i, rank := range list {
		if rank == "1" && !s.drawn() {
			s.won = s.side(engine.Seat(i + 1))
		}
	}
	return nil
}

// drawn reports whether the game ended for a reason that makes a draw.
func (s *state) drawn() bool {
	return s.over == engine.ReasonLength || s.over == engine.ReasonRepetition || s.over == engine.ReasonAgreement
}

func (s *state) readPhase(text string) error {
	for p, name := range phaseNames {
		if text == name {
			s.phase = phase(p)
			return nil
		}
	}
	return unreadable("%.40q is no phase; there are build, pawns and play", text)
}

func (s *state) readGone(text string) error {
	if text == "-" {
		return nil
	}
	for _, word := range strings.Split(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > int(s.seats) || s.isOut(engine.Seat(n)) || s.out == s.seats-1 {
			return unreadable("%.40q does not list seats that are out", text)
		}
		s.gone[s.out] = engine.Seat(n)
		s.out++
	}
	return nil
}
