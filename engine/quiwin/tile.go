package quiwin

const (
	seats    = 2
	handSize = 8 // also the number of rounds, and of slots in a row
	bagSize  = 14
	allTiles = seats*handSize + bagSize
)

// tile is a kind of tile; kinds are numbered in the order of their names.
type tile uint8

const (
	noTile tile = iota
	b24
	g22
	o23
	o25
	r23
	r24
	r25
	y23
	kinds
)

// lengths are in millimetres.
var lengths = [kinds]int{b24: 24, g22: 22, o23: 23, o25: 25, r23: 23, r24: 24, r25: 25, y23: 23}

// box holds the tiles of a game in their order before the shuffle.
var box = []struct {
	tile  tile
	count int
}{{g22, 5}, {r23, 2}, {r24, 2}, {r25, 1}, {y23, 6}, {b24, 6}, {o25, 4}, {o23, 4}}

func tiles() []tile {
	list := make([]tile, 0, allTiles)
	for _, b := range box {
		for range b.count {
			list = append(list, b.tile)
		}
	}
	return list
}

// String returns the tile's name: its colour's letter and its length.
func (t tile) String() string { return texts[t] }

func (t tile) red() bool { return t >= r23 && t <= r25 }

// outside returns the public face of a tile: its colour, which determines the length if it is green, yellow or blue.
func (t tile) outside() string {
	switch {
	case t.red():
		return "r?"
	case t == o23 || t == o25:
		return "o?"
	}
	return t.String()
}

// tierEnds are the last slots of the three tiers.
var tierEnds = [...]int{2, 6, 8}

// tierOf returns the tier, 1 to 3, of a slot from 1 to 8.
func tierOf(slot int) int {
	tier := 1
	for slot > tierEnds[tier-1] {
		tier++
	}
	return tier
}

// tierStart returns the first slot of a slot's tier.
func tierStart(slot int) int {
	if tier := tierOf(slot); tier > 1 {
		return tierEnds[tier-2] + 1
	}
	return 1
}

// token is a move: a tile to lay, an action, or a tile to give. Tokens are numbered so that the choices of a phase
// ascend in the byte order of their texts; the tiles come first, each with its own number.
type token uint8

const (
	change token = token(kinds) + iota
	none
	transfer
	give // with slot 0, so that give-N is give + N
)

// noToken means that a seat has not chosen.
const noToken token = 0

var texts = [...]string{
	"", "b24", "g22", "o23", "o25", "r23", "r24", "r25", "y23", "change", "none", "transfer",
	"", "give-1", "give-2", "give-3", "give-4", "give-5", "give-6", "give-7", "give-8",
}

var tokens = func() map[string]token {
	m := make(map[string]token, len(texts))
	for i, text := range texts {
		if text != "" {
			m[text] = token(i)
		}
	}
	return m
}()

// String returns the token as records spell it.
func (t token) String() string { return texts[t] }

func (t token) isTile() bool { return t > noToken && t < change }

func (t token) isAction() bool { return t == change || t == transfer }

func (t token) isGive() bool { return t > give }

// slot returns the N of give-N.
func (t token) slot() int { return int(t - give) }
