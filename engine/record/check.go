package record

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/chance"
)

// Fault is an error in a record.
type Fault struct {
	Entry   int    // index of the entry that is wrong, -1 if it is none
	Tag     string // the tag that is wrong, "" if it is none
	Message string
}

// Report is the result of checking a record.
type Report struct {
	Faults []Fault
	Notes  []string      // parts that were not checked, and why
	Match  *engine.Match // the match after the entries before the first that is refused; nil if the game could not start
}

// Check replays a record and compares its claims with the consequences of its moves: that each is legal, the clocks,
// the positions, the result; of a game with chance, the commitments too. It does not stop at the first fault where the
// rest can still be judged.
func Check(r Record) Report {
	c := &checker{r: r}
	if c.start() {
		c.play()
		c.end()
	}
	return c.Report
}

// checker replays a record.
type checker struct {
	Report
	r       Record
	rules   engine.Rules
	clocks  *clockwork // nil where they are not, or no longer, checked
	plies   int
	refused bool     // an entry could not be carried out; the game ends there
	paused  []string // causes
	aborted bool
}

func (c *checker) tag(name, format string, args ...any) {
	c.Faults = append(c.Faults, Fault{-1, name, fmt.Sprintf(format, args...)})
}

func (c *checker) entry(i int, format string, args ...any) {
	c.Faults = append(c.Faults, Fault{i, "", c.name(i) + ": " + fmt.Sprintf(format, args...)})
}

func (c *checker) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// name returns the description of an entry for messages.
func (c *checker) name(i int) string {
	e := c.r.Entries[i]
	if e.Kind == Move {
		return fmt.Sprintf("move %d, %s", c.plies, clip(e.token()))
	}
	return clip(e.token()) + " after move " + fmt.Sprint(c.plies)
}

// start sets the game up and reports whether it can be replayed.
func (c *checker) start() bool {
	c.checkChance()
	game := c.r.game()
	rules, setup, err := game.setup()
	if rules == nil {
		c.tag(tagVariant, "%v", err)
		return false
	}
	c.rules = rules
	if rules.Info().Secret && c.r.Chance.Seed == "" {
		c.lacksSeed()
		return false
	}
	if err == nil {
		c.Match, err = engine.NewMatch(rules, setup)
	}
	if err != nil {
		c.tag(c.tagOfSetup(), "%v", err)
		return false
	}
	c.clocks = c.startClocks()
	return true
}

// lacksSeed reports a game with chance that has no seed: a fault once the game is over.
func (c *checker) lacksSeed() {
	if c.r.Outcome != nil {
		c.tag(tagSeed, "the game is over, but its seed is missing: without it the moves cannot be checked")
		return
	}
	c.note("the seed is shown when the game is over; until then its moves cannot be judged")
}

// tagOfSetup guesses the tag that made the setup be refused.
func (c *checker) tagOfSetup() string {
	info := c.rules.Info()
	switch {
	case len(c.r.Seats) > 0 && !slices.Contains(info.Seats, len(c.r.Seats)):
		return numbered(tagSeat, 0)
	case !info.Secret && c.r.Chance.Seed != "":
		return tagSeed
	}
	return tagOptions
}

// game returns the parts of a record that the rules need, without its moves.
func (r Record) game() Game {
	g := Game{Variant: r.Variant, Seed: r.Chance.Seed, Options: r.Options}
	if n := len(r.Seats); n > 0 {
		g.Seats = &n
	}
	return g
}

// play applies the entries until the first refusal.
func (c *checker) play() {
	for i, e := range c.r.Entries {
		c.plies = e.countPly(c.plies)
		if !c.carryOut(i, e) {
			c.refused = true
			if rest := len(c.r.Entries) - i - 1; rest > 0 {
				c.note("the %s after that were not judged", plural(rest, "line", "lines"))
			}
			return
		}
		if e.Position != "" && e.Position != c.Match.Position() {
			c.entry(i, "it leads to the position %s, not %s", c.Match.Position(), e.Position)
		}
	}
}

// carryOut judges an entry and advances the match and its clocks. It reports whether the game can go on.
func (c *checker) carryOut(i int, e Entry) bool {
	if e.hidden() {
		c.note("move %d is not told; the moves from there on were not judged", c.plies)
		return false
	}
	if why := c.outOfPlace(e); why != "" {
		c.entry(i, "%s", why)
		return false
	}
	before, after := c.Match, c.Match
	if e.ofTheGame() {
		next, err := before.AfterToken(e.token())
		if err != nil {
			c.entry(i, "%v%s", err, legalText(before, err))
			return false
		}
		after = next
	}
	if e.Kind == Takeback {
		first, _ := strconv.Atoi(e.Text)
		next, err := before.TakeBack(first)
		if err != nil {
			c.entry(i, "%v", err)
			return false
		}
		after = next
	}
	if c.clocks != nil {
		if why := c.clocks.follow(e, before, after); why != "" {
			c.entry(i, "%s", why)
			c.note("the clocks after that were not checked")
			c.clocks = nil
		}
	}
	c.Match = after
	switch cause := e.cause(); e.Kind {
	case Pause:
		c.paused = append(c.paused, cause)
	case Resume:
		c.paused = slices.DeleteFunc(c.paused, func(p string) bool { return p == cause })
	}
	c.aborted = c.aborted || e.Kind == Abort
	return true
}

// outOfPlace returns why an entry is impossible at this point under any rules; "" if it is possible.
func (c *checker) outOfPlace(e Entry) string {
	pending := c.Match.Pending()
	switch {
	case c.aborted:
		return "the game was broken off before that"
	case pending.Over():
		return fmt.Sprintf("the game is over by then (%s)", pending.Outcome.Reason)
	case int(e.Seat) > c.Match.Setup().Seats:
		return fmt.Sprintf("there is no seat %d in this game", e.Seat)
	case len(c.paused) > 0 && e.Kind == Move:
		return "the game is paused, and no move counts before it is resumed"
	case e.Kind == Pause && slices.Contains(c.paused, e.cause()):
		return "the game is paused already"
	case e.Kind == Resume && !slices.Contains(c.paused, e.cause()):
		return "there is no pause to resume from"
	}
	return ""
}

// cause returns the cause in a pause or a resume.
func (e Entry) cause() string {
	if e.Text == "" {
		return "arbiter"
	}
	return e.Text
}

// legalText returns the legal moves after a refusal if they matter for it and are few.
func legalText(m *engine.Match, refusal error) string {
	const limit = 12
	pending := m.Pending()
	if errors.Is(refusal, engine.ErrTurn) || len(pending.Awaited) != 1 {
		return ""
	}
	legal := m.State().Legal(pending.Awaited[0])
	if len(legal) > limit {
		return ""
	}
	return "; legal: " + strings.Trim(fmt.Sprint(legal), "[]")
}

// end compares the result and the final position.
func (c *checker) end() {
	if c.refused {
		return
	}
	c.compareOutcome()
	if p := c.r.Position; p != "" && p != c.Match.Position() {
		c.tag(tagPosition, "the moves lead to %s, not to %s", c.Match.Position(), p)
	}
	if c.aborted && !c.r.Aborted {
		c.tag(tagTermination, "the game was broken off, so it must be %s", aborted)
	}
}

func (c *checker) compareOutcome() {
	got, want := c.r.Outcome, c.Match.Pending().Outcome
	switch {
	case want == nil && got == nil:
	case want == nil:
		c.tag(tagResult, "the game is not over after the last move, but the result is %s", c.r.Result())
	case got == nil:
		c.tag(tagResult, "the last move ends the game with %s (%s), but the record says it is %s",
			resultOf(want), want.Reason, c.r.Termination())
	case !slices.Equal(got.Ranks, want.Ranks):
		c.tag(tagResult, "the moves end the game with %s (%s), not with %s", resultOf(want), want.Reason, c.r.Result())
	case got.Reason == "":
		c.note("the tag Termination is missing; it would be %s", want.Reason)
	case got.Reason != want.Reason:
		c.tag(tagTermination, "the game ends by %s, not by %s", want.Reason, clip(string(got.Reason)))
	}
}

func resultOf(o *engine.Outcome) string { return Record{Outcome: o}.Result() }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// checkChance compares seeds and commitments as far as the record has them.
func (c *checker) checkChance() {
	for _, f := range c.r.Chance.statements() {
		if !f.holds {
			c.tag(f.tag, "%s", f.otherwise)
		}
	}
}

// statement is a relation that must hold between the parts of a game's chance.
type statement struct {
	tag       string
	holds     bool
	text      string // the message if it holds
	otherwise string // the message if it does not
}

// statements returns the relations between the known parts, in the order of their origin.
func (c Chance) statements() (list []statement) {
	if c.ServerSeed != "" && c.ServerCommitment != "" {
		list = append(list, commitmentHolds(tagServerCommitment, "the server's seed", c.ServerSeed, c.ServerCommitment))
	}
	if c.ServerSeed != "" && c.Seed != "" {
		seed, want := seedOf(c.Seed).Reveal(), chance.GameSeed(seedOf(c.ServerSeed), c.nonces()).Reveal()
		list = append(list, statement{
			tag: tagSeed, holds: seed == want,
			text: "the game's seed is made of the server's seed and of what the seats added",
			otherwise: "the server's seed and what the seats added make the seed " + hex.EncodeToString(want[:]) +
				", another than the game's",
		})
	}
	if c.contributed() && c.ServerSeed == "" && c.Seed != "" {
		list = append(list, statement{
			tag:       tagServerSeed,
			otherwise: "the seats added to the seed, but the server's part is missing, so what they added cannot be checked",
		})
	}
	if c.contributed() && c.ServerSeed != "" && c.ServerCommitment == "" {
		list = append(list, statement{
			tag:       tagServerCommitment,
			otherwise: "the server's commitment is missing, so it may have chosen its seed last",
		})
	}
	if c.Seed != "" && c.Commitment != "" {
		list = append(list, commitmentHolds(tagCommitment, "the game's seed", c.Seed, c.Commitment))
	}
	return list
}

func commitmentHolds(tag, what, seed, commitment string) statement {
	got := seedOf(seed).Commitment()
	return statement{
		tag: tag, holds: got == commitment, text: what + " has the commitment that was published, " + commitment,
		otherwise: what + " has the commitment " + got + ", another than the one published: it was changed afterwards",
	}
}

// contributed reports whether a seat added to the seed.
func (c Chance) contributed() bool {
	return slices.ContainsFunc(c.Nonces, func(nonce string) bool { return nonce != "" })
}

// nonces returns the seats' nonces; a text that is not a nonce counts as none.
func (c Chance) nonces() []chance.Nonce {
	list := make([]chance.Nonce, len(c.Nonces))
	for i, text := range c.Nonces {
		if n, err := chance.ParseNonce(text); err == nil {
			list[i] = n
		}
	}
	return list
}

// seedOf reads a seed of 64 hexadecimal digits; any other text counts as zeros.
func seedOf(text string) engine.Seed {
	var b [32]byte
	if raw, err := hex.DecodeString(text); err == nil {
		copy(b[:], raw)
	}
	return engine.NewSeed(b)
}
