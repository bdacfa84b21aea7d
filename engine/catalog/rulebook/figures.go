package rulebook

// Figure is a game whose last position illustrates a text; what its last move changed is highlighted.
type Figure struct {
	Variant string
	Seed    string // 64 hexadecimal digits, for games with chance
	Moves   string // tokens with spaces between
}

// figures holds the games of all figures, by name.
var figures = map[string]Figure{
	"quixo-push":  {Variant: "quixo/duel", Moves: "c1-c5"},
	"quixo-line":  {Variant: "quixo/duel", Moves: "c1-c5 a1-a5 c1-c5 e1-e5 c1-c5 a1-a5 c1-c5 e1-e5 c1-c5"},
	"quixo-teams": {Variant: "quixo/teams", Moves: "c1-c5>3 a1-a5>4 e2-a2>1 e1-e5>2 b1-b5>1 e1-a1>4 c1-c5>3"},
	"quits-start": {Variant: "quits/duel"},
	"quits-slide": {Variant: "quits/duel", Moves: "a1>e1"},
	"quivive-start": {
		Variant: "quivive/duel",
		Moves:   "+d4 +c3 +e5 +c5 +e3 +d6 +d2 +b4 +f4 +d4 +c3 +e5 @c4 @e4 @d5 @d3",
	},
	"quivive-turn": {
		Variant: "quivive/duel",
		Moves:   "+d4 +c3 +e5 +c5 +e3 +d6 +d2 +b4 +f4 +d4 +c3 +e5 @c4 @e4 @d5 @d3 c4-b5xc3",
	},
	"quiwin-rows": {
		Variant: "quiwin/duel",
		Seed:    "0000000000000000000000000000000000000000000000000000005175697798",
		Moves:   "1:r23 2:o25 1:change 1:r25 2:o23 1:r24 2:g22 1:r23 2:y23 1:g22 2:b24 2:none 1:b24 2:y23 2:none",
	},
}

// FigureOf returns the game of a figure by its name; false if there is none.
func FigureOf(name string) (Figure, bool) {
	f, ok := figures[name]
	return f, ok
}
