package quits

import (
	"math/bits"
	"slices"
	"strconv"

	"quatuor/engine"
)

// View is the view of a game of Quits for every viewer: all of it.
type View struct {
	Size      int      `json:"size"`                // the length of an edge
	Rows      [][]Tile `json:"rows"`                // as the board is drawn: the farthest rank first, each from file a on
	Players   []Player `json:"players"`             // by seat
	Forbidden string   `json:"forbidden,omitempty"` // the slide that would take the last slide back ("e3>a3")
	Passes    int      `json:"passes"`              // passes in a row just made
	Needed    int      `json:"needed"`              // marbles out that win
}

// Tile is a tile of a [View].
type Tile struct {
	Square string      `json:"square"`          // for example "c1"
	Owner  engine.Seat `json:"owner,omitempty"` // of the marble on it
}

// Player is a seat of a [View].
type Player struct {
	Seat engine.Seat `json:"seat"`
	Goal string      `json:"goal"` // the corner where its marbles leave the board
	Out  int         `json:"out"`  // marbles out
	// 1 if it was the first seat to leave the game, and so on; 0 if it is still in
	Gone int `json:"gone,omitempty"`
}

// View returns the board; it is the same for every viewer.
func (s *state) View(engine.Viewer) engine.View {
	v := View{
		Size: size, Passes: int(s.passes), Needed: s.variant.needed,
		Rows: make([][]Tile, 0, size), Players: make([]Player, 0, s.variant.seats()),
	}
	if s.forbidden != none {
		v.Forbidden = s.forbiddenText()
	}
	owners := s.owners()
	for _, row := range board.Rows() {
		tiles := make([]Tile, len(row))
		for i, n := range row {
			tiles[i] = tileOf(n, owners[n])
		}
		v.Rows = append(v.Rows, tiles)
	}
	for i := range s.variant.seats() {
		v.Players = append(v.Players, s.player(i))
	}
	return v
}

func tileOf(n int, owner uint8) Tile { return Tile{Square: board.Name(n), Owner: engine.Seat(owner)} }

// owners returns the seat of the marble on each square, 0 for none.
func (p *position) owners() (owners [squares]uint8) {
	for i, marbles := range p.marbles {
		for ; marbles != 0; marbles &= marbles - 1 {
			owners[bits.TrailingZeros32(marbles)] = uint8(i + 1)
		}
	}
	return owners
}

// player returns the view of a seat, by its index.
func (s *state) player(i int) Player {
	seat := engine.Seat(i + 1)
	return Player{
		Seat: seat, Goal: board.Name(s.variant.players[i].goal), Out: int(s.out[i]), Gone: slices.Index(s.gone, seat) + 1,
	}
}

// tileTexts are the tiles of a view as JSON, by the owner of the marble on them.
var tileTexts = board.Texts(maxSeats+1, func(n, owner int) any { return tileOf(n, uint8(owner)) })

// AppendView appends a view as JSON without building it.
func (s *state) AppendView(b []byte, _ engine.Viewer) []byte {
	owners := s.owners()
	b = strconv.AppendInt(append(b, `{"size":`...), size, 10)
	b = tileTexts.Append(append(b, `,"rows":`...), owners[:])
	b = append(b, `,"players":`...)
	for i := range s.variant.seats() {
		b = append(b, "[,"[min(i, 1)])
		p := s.player(i)
		b = p.append(b)
	}
	b = append(b, ']')
	if s.forbidden != none {
		b = append(append(append(b, `,"forbidden":"`...), s.forbiddenText()...), '"')
	}
	b = strconv.AppendInt(append(b, `,"passes":`...), int64(s.passes), 10)
	b = strconv.AppendInt(append(b, `,"needed":`...), int64(s.variant.needed), 10)
	return append(b, '}')
}

func (p *Player) append(b []byte) []byte {
	b = strconv.AppendInt(append(b, `{"seat":`...), int64(p.Seat), 10)
	b = append(append(append(b, `,"goal":"`...), p.Goal...), '"')
	b = strconv.AppendInt(append(b, `,"out":`...), int64(p.Out), 10)
	if p.Gone != 0 {
		b = strconv.AppendInt(append(b, `,"gone":`...), int64(p.Gone), 10)
	}
	return append(b, '}')
}
