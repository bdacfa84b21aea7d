package quits

import "quatuor/engine"

// View is what anybody may see of a game of Quits.
type View struct {
	Size      int      `json:"size"`                // the length of an edge
	Rows      [][]Tile `json:"rows"`                // as the board is drawn: the farthest rank first, each from file a on
	Players   []Player `json:"players"`             // by seat
	Forbidden string   `json:"forbidden,omitempty"` // the slide that would take the last one back, such as "e3>a3"
	Passes    int      `json:"passes"`              // passes in a row just made
	Needed    int      `json:"needed"`              // marbles out that win
}

// Tile is one tile of a [View].
type Tile struct {
	Square string      `json:"square"`          // such as "c1"
	Owner  engine.Seat `json:"owner,omitempty"` // whose marble stands on it
}

// Player is one seat of a [View].
type Player struct {
	Seat engine.Seat `json:"seat"`
	Goal string      `json:"goal"`           // the corner where its marbles leave the board
	Out  int         `json:"out"`            // marbles out
	Gone int         `json:"gone,omitempty"` // 1 if it was the first seat to leave the game, and so on; 0 if it is still in
}

// View shows the board; it is the same for everybody.
func (s *state) View(engine.Viewer) engine.View {
	v := View{
		Size: size, Passes: int(s.passes), Needed: s.variant.needed,
		Rows: make([][]Tile, 0, size), Players: make([]Player, 0, s.variant.seats()),
	}
	if s.forbidden != none {
		v.Forbidden = s.forbiddenText()
	}
	all := make([]Tile, board.Len())
	for _, row := range board.Rows() {
		tiles := all[:len(row):len(row)]
		all = all[len(row):]
		for i, n := range row {
			tiles[i] = Tile{Square: board.Name(n), Owner: s.ownerOn(n)}
		}
		v.Rows = append(v.Rows, tiles)
	}
	for i := range s.variant.seats() {
		v.Players = append(v.Players, Player{
			Seat: engine.Seat(i + 1), Goal: board.Name(s.variant.players[i].goal), Out: int(s.out[i]),
		})
	}
	for i, seat := range s.gone {
		v.Players[seat-1].Gone = i + 1
	}
	return v
}

// ownerOn gives the seat whose marble stands on a square, or 0.
func (p *position) ownerOn(n int) engine.Seat {
	for i, marbles := range p.marbles {
		if marbles&(1<<n) != 0 {
			return engine.Seat(i + 1)
		}
	}
	return 0
}
