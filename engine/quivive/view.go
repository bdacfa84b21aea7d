package quivive

import (
	"strconv"

	"quatuor/engine"
)

// View is the view of a game of Quivive for every viewer: all of it.
type View struct {
	// Phase is build, pawns or play.
	Phase string `json:"phase"`
	// Rows is the board as it is drawn: the farthest rank first, each from its first file on. Ranks have 3, 5 or 7
	// cells and are centred.
	Rows [][]Cell `json:"rows"`
	// PodiumsLeft is the number of podiums still to be placed, from 12 down.
	PodiumsLeft int `json:"podiums_left"`
	// PodiumsOn is the height, 1 or 2, of the cells that may take the next podium; 0 when all are placed.
	PodiumsOn int `json:"podiums_on"`
	// Gone lists the seats that are out, in the order of leaving; always empty in duel and teams.
	Gone []engine.Seat `json:"gone"`
}

// Cell is a cell of a [View].
type Cell struct {
	Square string `json:"square"`         // for example "d4"
	Height int    `json:"height"`         // podiums on it, 0 to 3
	Pawn   int    `json:"pawn,omitempty"` // side of the pawn on it, in a melee also its seat; 0 for none
}

// View returns the whole board; it is the same for every viewer.
func (s *state) View(engine.Viewer) engine.View {
	v := View{
		Phase: s.phase.String(), Gone: append([]engine.Seat{}, s.gone...), Rows: make([][]Cell, 0, len(shape.Rows())),
	}
	contents := s.contents()
	for _, row := range shape.Rows() {
		cells := make([]Cell, len(row))
		for i, c := range row {
			cells[i] = cellOf(c, contents[c])
		}
		v.Rows = append(v.Rows, cells)
	}
	v.PodiumsLeft, v.PodiumsOn = s.podiumsLeft()
	return v
}

// podiumsLeft returns the number of podiums still to be placed, and the height of the cells that may take the next.
func (s *state) podiumsLeft() (left, on int) {
	if s.phase != build {
		return 0, 0
	}
	return extras - s.built(), s.height(s.open().first())
}

// contents returns the content of each cell: its height plus the side of its pawn times the number of heights.
func (b *board) contents() (contents [cellCount]uint8) {
	for c := range contents {
		contents[c] = uint8(b.height(c))
	}
	for i, set := range b.pawns {
		for ; set != 0; set &= set - 1 {
			contents[set.first()] += uint8(heights * (i + 1))
		}
	}
	return contents
}

func cellOf(c int, content uint8) Cell {
	return Cell{Square: shape.Name(c), Height: int(content % heights), Pawn: int(content / heights)}
}

// Redact returns the log unchanged: nothing in it is secret.
func (s *state) Redact(_ engine.Viewer, events []engine.Event) []engine.Event { return events }

// cellTexts are the cells of a view as JSON, by their contents.
var cellTexts = shape.Texts(heights*(maxSides+1), func(c, content int) any { return cellOf(c, uint8(content)) })

// AppendView appends a view as JSON without building it.
func (s *state) AppendView(b []byte, _ engine.Viewer) []byte {
	contents := s.contents()
	b = append(append(append(b, `{"phase":"`...), s.phase.String()...), `","rows":`...)
	b = cellTexts.Append(b, contents[:])
	left, on := s.podiumsLeft()
	b = strconv.AppendInt(append(b, `,"podiums_left":`...), int64(left), 10)
	b = strconv.AppendInt(append(b, `,"podiums_on":`...), int64(on), 10)
	b = append(b, `,"gone":[`...)
	for i, seat := range s.gone {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(seat), 10)
	}
	return append(b, "]}"...)
}
