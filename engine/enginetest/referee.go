package enginetest

import (
	"cmp"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
)

var refereed = flag.Int("referee.games", 0, "how many games of each way to play are refereed; 0 for 40")

// Referee is an oracle: a second implementation of a game's rules, plain and slow, written apart from the code
// under test. It receives only events that the code under test allowed, so it need not refuse any.
type Referee interface {
	// Awaited returns the seats that may act, ascending; none once the game is over.
	Awaited() []int
	// Outcome returns the result as a position spells it, for example "=1,2:line"; "" while the game goes on.
	Outcome() string
	// Moves returns the legal moves of a seat that is awaited, in any order.
	Moves(seat int) []string
	// Move carries out a legal move.
	Move(seat int, token string)
	// Leave takes a seat out of the game that is still in it.
	Leave(seat int, reason string)
	// Draw ends the game as a draw between those still in.
	Draw(reason string)
	// Position returns the canonical text.
	Position() string
}

// Watcher is a referee that also judges each viewer's view. It is called after every event.
type Watcher interface {
	Watch(*engine.Match) error
}

// Refereed plays random games with every number of seats and every choice of the game's own options, leavings and
// agreements among them, and compares every position, every list of moves and every end with the referee's. It also
// fails if any of the ends in must, or the pass, was never met. With -short it plays a few games, and must is ignored.
func Refereed(t *testing.T, rules engine.Rules, referee func(engine.Setup) Referee, must ...string) {
	info := rules.Info()
	met := map[string]int{}
	for n := range cmp.Or(*refereed, amount(4, 40, 100)) {
		for _, seats := range info.Seats {
			for _, options := range combinations(info.Options) {
				chance := rand.New(rand.NewPCG(uint64(n), uint64(seats)))
				c := contest{chance: chance, info: info, seen: map[string]int{}, met: met, mood: mood(n % 3)}
				c.begin(t, rules, seats, options, referee)
				if err := c.play(); err != nil {
					t.Fatalf("game %d with %s: %v\nlog: %v", n, name(seats, options), err, c.match.Events())
				}
			}
		}
	}
	if testing.Short() {
		return
	}
	for _, end := range missing(met, must) {
		t.Errorf("no game met %s: %v", end, met)
	}
	t.Logf("%v", met)
}

// missing returns the ends that must be met and were not.
func missing(met map[string]int, must []string) []string {
	return slices.DeleteFunc(slices.Clone(must), func(end string) bool { return met[end] > 0 })
}

// mood is the way of choosing the moves of a random game.
type mood int

const (
	careless mood = iota // any
	tight                // those that leave few moves
	tiresome             // those that lead back to earlier positions
)

// contest is a refereed game.
type contest struct {
	chance  *rand.Rand
	info    engine.Info
	match   *engine.Match
	referee Referee
	plies   int
	seen    map[string]int // occurrences by position
	met     map[string]int // ends and passes, over all games
	mood    mood
	unrest  int // every unrest-th event, on average, is a leaving or an agreement; 0 for none
}

func (c *contest) begin(
	t *testing.T, rules engine.Rules, seats int, own map[string]string, referee func(engine.Setup) Referee,
) {
	t.Helper()
	pick := func(values ...string) string { return values[c.chance.IntN(len(values))] }
	options := map[string]string{"repetition": pick("0", "2", "3"), "max_plies": pick("0", "40", "400")}
	maps.Copy(options, own)
	seed := ""
	if c.info.Secret {
		var b [32]byte
		for i := range b {
			b[i] = byte(c.chance.Uint32())
		}
		seed = hex.EncodeToString(b[:])
	}
	setup, err := engine.NewSetup(c.info, seats, seed, options)
	if err == nil {
		c.match, err = engine.NewMatch(rules, setup)
	}
	if err != nil {
		t.Fatal(err)
	}
	c.referee = referee(setup)
	c.unrest = []int{0, 15, 60}[c.chance.IntN(3)]
}

// play plays to the end, or to a length after which nothing new is to be expected.
func (c *contest) play() error {
	const longest = 300
	c.seen[c.referee.Position()]++
	for range longest {
		if err := c.compare(); err != nil {
			return err
		}
		if c.match.Pending().Over() {
			c.met[string(c.match.Pending().Outcome.Reason)]++
			return nil
		}
		if err := c.advance(c.choose()); err != nil {
			return err
		}
	}
	c.met["unfinished"]++
	return nil
}

// compare compares a position in both implementations.
func (c *contest) compare() error {
	state, pending := c.match.State(), c.match.Pending()
	if got, want := state.Position(), c.referee.Position(); got != want {
		return fmt.Errorf("the position is\n%s, the referee has\n%s", got, want)
	}
	outcome := ""
	if pending.Over() {
		outcome = pending.Outcome.String()
	}
	if want := c.referee.Outcome(); outcome != want {
		return fmt.Errorf("the outcome is %q, the referee has %q", outcome, want)
	}
	awaited := []int{}
	for _, s := range pending.Awaited {
		awaited = append(awaited, int(s))
		want := c.referee.Moves(int(s))
		slices.Sort(want)
		same := func(mv engine.Move, text string) bool { return string(mv) == text }
		if got := state.Legal(s); !slices.EqualFunc(got, want, same) {
			return fmt.Errorf("%s: seat %d may %v, the referee has %v", state.Position(), s, got, want)
		}
	}
	if want := c.referee.Awaited(); !slices.Equal(awaited, want) {
		return fmt.Errorf("awaited are %v, the referee has %v", awaited, want)
	}
	if w, ok := c.referee.(Watcher); ok {
		return w.Watch(c.match)
	}
	return nil
}

func (c *contest) choose() engine.Event {
	if c.unrest > 0 && c.chance.IntN(c.unrest) == 0 {
		reasons := []engine.Reason{engine.ReasonResignation, engine.ReasonTime, engine.ReasonForfeit}
		if n := c.chance.IntN(4); n < len(reasons) {
			seat := engine.Seat(1 + c.chance.IntN(c.match.Setup().Seats))
			return engine.Event{Kind: engine.Left, Seat: seat, Text: string(reasons[n])}
		}
		return engine.Event{Kind: engine.Agreed}
	}
	sample := 6
	if c.mood == tiresome {
		sample = 24
	}
	best, value := engine.Event{}, 0
	for n := range sample {
		seat := c.match.Pending().Awaited[c.chance.IntN(len(c.match.Pending().Awaited))]
		moves := c.match.State().Legal(seat)
		e := engine.Event{Kind: engine.Moved, Seat: seat, Text: string(moves[c.chance.IntN(len(moves))])}
		if c.mood == careless {
			return e
		}
		if v := c.value(e); n == 0 || v > value {
			best, value = e, v
		}
	}
	return best
}

// value returns how well a legal move fits the mood.
func (c *contest) value(e engine.Event) int {
	next, err := c.match.State().Apply(e)
	if err != nil {
		return 0 // the comparison that follows finds it
	}
	if c.mood == tiresome {
		return c.seen[next.Position()]
	}
	n := 0
	for _, s := range next.Pending().Awaited {
		n -= len(next.Legal(s))
	}
	return n
}

// advance applies an event in both implementations.
func (c *contest) advance(e engine.Event) error {
	next, err := c.match.After(e)
	if want := c.refusal(e); engine.KindOf(err) != want {
		return fmt.Errorf("%s: %v, the referee has %q", e.Token(true), err, want)
	}
	if err != nil {
		return nil
	}
	c.match = next
	switch e.Kind {
	case engine.Left:
		c.referee.Leave(int(e.Seat), e.Text)
	case engine.Agreed:
		c.referee.Draw("agreement")
	default:
		c.referee.Move(int(e.Seat), e.Text)
		if e.Text == "pass" {
			c.met["pass"]++
		}
	}
	c.regulate(e)
	return nil
}

// refusal returns the kind of an event's refusal; moves are chosen among legal moves.
func (c *contest) refusal(e engine.Event) string {
	gone := func() bool {
		fields := strings.Fields(c.referee.Position())
		return slices.Contains(strings.Split(fields[len(fields)-1], ","), fmt.Sprint(e.Seat))
	}
	sides := c.info.SidesAt(c.match.Setup().Seats)
	switch {
	case e.Kind == engine.Agreed && (sides > 2 || c.info.Secret), e.Kind == engine.Left && sides > 2 && gone():
		return "illegal"
	}
	return ""
}

// regulate applies the rules on repetition and length, with nothing but a count of each position.
func (c *contest) regulate(e engine.Event) {
	if !c.info.Endless || c.referee.Outcome() != "" {
		return
	}
	position := c.referee.Position()
	c.seen[position]++
	if e.Kind != engine.Moved {
		return
	}
	c.plies++
	switch r := c.match.Setup().Regulations; {
	case r.Repetition > 0 && c.seen[position] >= r.Repetition:
		c.referee.Draw("repetition")
	case r.MaxPlies > 0 && c.plies >= r.MaxPlies:
		c.referee.Draw("length")
	}
}
