package quiwin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
)

// Parse reads a position as Position prints it. It accepts every distribution of the tiles that the rules allow,
// whether or not the setup's seed deals it; the seed serves for later draws.
func (r *rules) Parse(setup engine.Setup, position string) (engine.State, error) {
	f := &full{rules: r, seed: setup.Seed}
	if err := f.read(position); err != nil {
		return nil, fmt.Errorf("no position of Qui'win: %w", err)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("no position of Qui'win: %w", err)
	}
	s := state{f}
	if again := s.Position(); again != position {
		return nil, fmt.Errorf("no position of Qui'win: it should read %q", again)
	}
	return s, nil
}

// read reads all fields. It need not find every fault: those it overlooks show when the position is printed again.
func (f *full) read(rest string) error {
	for _, field := range []struct {
		label string
		read  func(string) error
	}{
		{"rows ", f.readRows},
		{"", f.readStatus},
		{"hands ", f.readHands},
		{"chosen ", f.readChosen},
		{"bag ", f.readBag},
		{"out ", f.readLosses},
		{"change ", number(&f.change, seats)},
		{"transfer ", f.readTransfer},
		{"measured ", number(&f.measured, len(tierEnds))},
		{"lead ", number(&f.lead, seats)},
		{"words ", number(&f.words, 1<<20)},
	} {
		labelled, found := strings.CutPrefix(rest, field.label)
		if !found {
			return fmt.Errorf("it lacks the field %safter the fields before", field.label)
		}
		var word string
		word, rest, _ = strings.Cut(labelled, " ")
		if err := field.read(word); err != nil {
			return err
		}
	}
	return nil
}

// number returns a reader of a whole number from 0 to limit.
func number[N engine.Seat | int | uint64](into *N, limit int) func(string) error {
	return func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > limit {
			return fmt.Errorf("%q is not a number from 0 to %d", engine.Clip(text), limit)
		}
		*into = N(n)
		return nil
	}
}

// readTiles reads tiles joined by commas; - is an empty place.
func readTiles(text string) ([]tile, error) {
	var list []tile
	for _, word := range strings.Split(text, ",") {
		t := tokens[word]
		if !t.isTile() && word != "-" {
			return nil, fmt.Errorf("%q is not a tile", engine.Clip(word))
		}
		list = append(list, tile(t))
	}
	return list, nil
}

// readSeats reads the tiles of both seats, joined by a slash.
func readSeats(text string, take func(i int, list []tile)) error {
	for i, part := range strings.SplitN(text, "/", seats) {
		list, err := readTiles(part)
		if err != nil {
			return err
		}
		take(i, list)
	}
	return nil
}

func (f *full) readRows(text string) error {
	var filled [seats]int
	err := readSeats(text, func(i int, list []tile) {
		copy(f.rows[i][:], list)
		filled[i] = len(slices.DeleteFunc(list, func(t tile) bool { return t == noTile }))
	})
	f.laid = filled[0]
	if err == nil && (filled[0] != filled[1] || f.laid > handSize) {
		err = fmt.Errorf("the rows have %d and %d tiles", filled[0], filled[1])
	}
	return err
}

func (f *full) readHands(text string) error {
	return readSeats(text, func(i int, list []tile) {
		for _, t := range list {
			f.hands[i][t]++
		}
		f.hands[i][noTile] = 0
	})
}

func (f *full) readStatus(text string) error {
	void := engine.Outcome{Reason: engine.ReasonReplay}
	switch i := slices.Index(phaseNames[:], text); {
	case text == void.String():
		f.end = &void
		return nil
	case i >= 0:
		f.phase = phase(i)
		return nil
	case !strings.HasPrefix(text, "="):
		return fmt.Errorf("%q is neither a phase nor an outcome", engine.Clip(text))
	}
	pending, err := engine.ParseStatus(f.rules.info, seats, text)
	f.end = pending.Outcome
	return err
}

func (f *full) readChosen(text string) error {
	for i, word := range strings.SplitN(text, ",", seats) {
		t, ok := tokens[word]
		if !ok && word != "-" {
			return fmt.Errorf("%q is not a choice", engine.Clip(word))
		}
		f.chosen[i] = t
	}
	return nil
}

func (f *full) readBag(text string) error {
	list, err := readTiles(text)
	if err != nil {
		return err
	}
	if len(list) > bagSize {
		return fmt.Errorf("the bag has %d tiles, more than %d", len(list), bagSize)
	}
	f.drawn = bagSize - len(list)
	copy(f.bag[f.drawn:], list)
	return nil
}

func (f *full) readLosses(text string) error {
	if text == "-" {
		return nil
	}
	for _, word := range strings.Split(text, ",") {
		name, place, _ := strings.Cut(word, "@")
		seat, slot, _ := strings.Cut(place, ".")
		l := loss{tile: tile(tokens[name])}
		if err := number(&l.seat, seats)(seat); err != nil {
			return err
		}
		if err := number(&l.slot, handSize)(slot); err != nil {
			return err
		}
		if l.seat == 0 || l.slot == 0 || !token(l.tile).isTile() {
			return fmt.Errorf("%q is not a tile out of the game", engine.Clip(word))
		}
		f.out = append(f.out, l)
	}
	return nil
}

func (f *full) readTransfer(text string) error {
	if text == "-" {
		return nil
	}
	by, slots, _ := strings.Cut(text, "@")
	slot, into, _ := strings.Cut(slots, ">")
	if err := number(&f.transfer.by, seats)(by); err != nil {
		return err
	}
	if err := number(&f.transfer.slot, handSize)(slot); err != nil {
		return err
	}
	return number(&f.transfer.into, handSize)(into)
}

// Position returns the complete position, for the server's eyes only until the game is over: the rows, the phase or the
// end of the game, both hands, the sealed choices, the bag, the tiles out of the game with seat and slot (1.4), the
// seat that used the change, how the transfer was used (1@4>5: seat 1 moved its tile of slot 4 into the other's slot
// 5), how many tiers have been measured, which seat leads, and how many words of the seed's stream are used up.
func (s state) Position() string {
	f := s.full
	text := append(make([]byte, 0, 400), "rows "...)
	text = append(appendTiles(text, f.rows[0][:]), '/')
	text = append(appendTiles(text, f.rows[1][:]), ' ')
	if f.end != nil {
		text = append(text, f.end.String()...)
	} else {
		text = append(text, f.phase.String()...)
	}
	text = append(appendTiles(append(text, " hands "...), f.hand(1)), '/')
	text = appendTiles(text, f.hand(2))
	text = append(appendToken(append(text, " chosen "...), f.chosen[0]), ',')
	text = appendToken(text, f.chosen[1])
	text = appendTiles(append(text, " bag "...), f.bag[f.drawn:])
	text = f.appendLosses(append(text, " out "...))
	return string(fmt.Appendf(text, " change %d transfer %s measured %d lead %d words %d",
		f.change, f.transfer, f.measured, f.lead, f.words))
}

// appendToken appends a choice, or - for none.
func appendToken(text []byte, t token) []byte {
	if t == noToken {
		return append(text, '-')
	}
	return append(text, t.String()...)
}

// appendTiles appends tiles, with - for a place without a tile, and - for an empty list.
func appendTiles(text []byte, tiles []tile) []byte {
	if len(tiles) == 0 {
		return append(text, '-')
	}
	for i, t := range tiles {
		if i > 0 {
			text = append(text, ',')
		}
		text = appendToken(text, token(t))
	}
	return text
}

func (f *full) appendLosses(text []byte) []byte {
	if len(f.out) == 0 {
		return append(text, '-')
	}
	for i, l := range f.out {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%s@%d.%d", l.tile, l.seat, l.slot)
	}
	return text
}

// String returns the transfer as a position prints it.
func (x exchange) String() string {
	if x.by == 0 {
		return "-"
	}
	return fmt.Sprintf("%d@%d>%d", x.by, x.slot, x.into)
}
