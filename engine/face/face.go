// Package face is the interface between a game and its presentation: drawing, words, move texts and bot. Each game
// implements [Face] in its own subpackage and registers it in the catalogue, so that no other code depends on a
// particular game.
//
// Drawings are SVG with CSS classes and no colours, which the style sheet adds for light, dark and print. Colour is
// never the only distinction: each piece has a mark or digit, each drawing a title and a description. The only input is
// a viewer's [engine.Projection].
package face

import (
	"math/rand/v2"
	"strings"

	"quatuor/engine"
	"quatuor/engine/player/alphabeta"
)

// Words returns a text of boards in a language, by its name and with arguments as names and values in turn; "" for an
// unknown name.
type Words func(name string, args ...any) string

// Face is a game's outside. Implementations embed [Plain] for the parts that their game does not have.
type Face interface {
	// Draw draws a projection and describes it in words.
	Draw(*Drawing, engine.Projection)
	// Cells returns the edge of the board and the contents of its squares; 0 for a game without a board of squares.
	Cells(Words, engine.View) (edge int, cells []Cell)
	// TwoSquares reports whether two squares name every move: where it begins and where it ends.
	TwoSquares() bool
	// Did describes a move without its player and token: "moves a marble from b2 to c3". named is true if the text names
	// the players itself, as for choices that are revealed together. It may be "".
	Did(Words, Move) (words string, named bool)
	// Choice describes a move that a seat may choose, for a game without a board of squares.
	Choice(w Words, view engine.View, seat engine.Seat, token string) Choice
	// Sealed returns the token of the secret choice that a seat has made for this turn; "" if the viewer may not know it.
	Sealed(engine.View, engine.Seat) string
	// Figures returns the games that illustrate the rules, by the names that their texts use.
	Figures() map[string]Figure
	// Search returns the position as a bot of a level searches it, of a game without secrets; nil if no bot plays it.
	Search(seen Seen, level int) *Search
	// Blind returns a bot for a game with secrets; nil for other games.
	Blind() Blind
}

// Cell is a square of a board in words. A place where the board has no square has an empty name.
type Cell struct {
	Square string // for example "c1"
	Words  string // its contents
}

// Move is a move with the positions on both sides of it, as a viewer may see them.
type Move struct {
	Event         engine.Event
	Before, After engine.View
	Name          func(seat engine.Seat) string // name of a seat
}

// Choice is a move in words.
type Choice struct {
	Words string
	Kind  string // the letter of a tile's colour; "" for anything else
	Note  string // its effect in this position; "" if the words are enough
	Count int    // the number of these tiles in the seat's hand
}

// Figure is a game with a last position that illustrates a text; the changes of its last move are highlighted.
type Figure struct {
	Variant string
	Seed    string // 64 hexadecimal digits, for games with chance
	Moves   string // tokens with spaces between
}

// Search is a position as bots search it.
type Search struct {
	Game       alphabeta.Game // a maxn.Game as well for more than two sides
	Nodes      int            // maximum number of nodes of level 2
	Undirected bool           // all moves are equivalent so far: every level plays like level 1
	Careless   bool           // level 1 makes half of its moves at random
	Progresses bool           // positions never repeat
}

// Blind chooses moves from a seat's view, and keeps memory between choices. It is used by a single goroutine at a time.
type Blind interface {
	// Choose returns a move and the number of playouts looked at, at most nodes (0 for no limit), for level 1 to 3.
	Choose(seen Seen, level, nodes int, stop func() bool, chance *rand.Rand) (engine.Move, int)
}

// Seen is a seat's knowledge of a game.
type Seen struct {
	Variant string
	Seat    engine.Seat
	Legal   []engine.Move
	View    engine.View
	State   engine.Walkable        // nil in a game with secrets
	Past    func() map[uint64]bool // keys of earlier positions; nil if repetition does not count
}

// Plain is the default face: positions as text, moves as their tokens, no bot.
type Plain struct{}

// Draw writes the position's text, a line for each of its parts.
func (Plain) Draw(d *Drawing, p engine.Projection) {
	parts := strings.FieldsFunc(p.Position, func(r rune) bool { return r == ' ' || r == '/' })
	const line = 24
	for i, part := range parts {
		d.Text("position", 6*line, float64(i+1)*line, part)
	}
	d.Width, d.Height = 12*line, float64(len(parts)+1)*line
	d.Say("position", "Text", p.Position)
}

// Cells returns nothing.
func (Plain) Cells(Words, engine.View) (int, []Cell) { return 0, nil }

// TwoSquares returns false.
func (Plain) TwoSquares() bool { return false }

// Did names a pass; it returns "" for any other move.
func (Plain) Did(w Words, m Move) (string, bool) {
	if m.Event.Text == "pass" {
		return w("did.pass"), false
	}
	return "", false
}

// Choice returns the token.
func (Plain) Choice(_ Words, _ engine.View, _ engine.Seat, token string) Choice {
	return Choice{Words: token}
}

// Sealed returns "".
func (Plain) Sealed(engine.View, engine.Seat) string { return "" }

// Figures returns none.
func (Plain) Figures() map[string]Figure { return nil }

// Search returns nil.
func (Plain) Search(Seen, int) *Search { return nil }

// Blind returns nil.
func (Plain) Blind() Blind { return nil }
