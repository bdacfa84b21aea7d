package quiwin

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
