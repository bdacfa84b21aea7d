// Package check replays the tournament of a report file: it rebuilds each round from the rounds before it and each rank
// from the file's list of tie-breaks, and returns the differences.
//
// The file decides the participants of a past round: all that have a game, a forfeit against an opponent or the
// pairing-allocated bye. A different round does not spread: the next round is rebuilt from the file's own history.
//
// In a round that the file calls paired by hand (trf.Event), differences are listed apart, as long as all pairs are
// allowed.
//
// A rank is right if it lies within those that the tied players share, so files may number ties or let them share a
// rank. Without a list of tie-breaks only the order of points is compared.
package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/trf"
)

// Options select the rounds and ranks to compare.
type Options struct {
	Round       int      // this round alone; 0 for all
	NoStandings bool     // no ranks
	TieBreaks   []string // instead of the file's list
	Readings    teamswiss.Readings
}

// Finding is a difference between the file and the rules.
type Finding struct {
	Round     int    `json:"round,omitempty"` // 0 for a rank
	Kind      string `json:"kind"`            // pair, colours, bye, left out, unpairable, rank, total
	Players   []int  `json:"players,omitempty"`
	Teams     []int  `json:"teams,omitempty"` // instead of players, in a report of teams
	Line      int    `json:"line"`            // of the first of the players or teams
	Text      string `json:"text"`
	Because   string `json:"because,omitempty"`
	Article   string `json:"article,omitempty"`
	Criterion string `json:"criterion,omitempty"`
}

// Result is the extent of a comparison, with the differences found.
type Result struct {
	Rounds   int       `json:"rounds"` // how many were compared
	Ranks    int       `json:"ranks"`
	Findings []Finding `json:"findings"`
	ByHand   []Finding `json:"by_hand,omitempty"` // differences that the file attributes to the arbiter
	Notes    []string  `json:"notes,omitempty"`
}

// Report replays a report. An error means that some part could not be replayed; the result has the rest.
func Report(r *trf.Report, o Options) (Result, error) {
	c := checker{report: r, result: Result{Findings: []Finding{}}}
	played := r.NextRound() - 1
	if o.Round > played {
		return c.result, fmt.Errorf("round %d: only %d rounds have been paired", o.Round, played)
	}
	err := r.Followed()
	if named := strings.ToUpper(r.System + r.Kind); err == nil && !strings.Contains(named, "DUTCH") && !r.Format().RoundRobin() {
		c.note("the file names no pairing system (192); it is held to the FIDE (Dutch) System of 2026")
	}
	if err == nil {
		compare := c.round
		if r.Format().RoundRobin() {
			compare = c.table
		}
		err = c.rounds(o.Round, played, compare)
	}
	c.open(o.Round, played)
	if !o.NoStandings && o.Round == 0 && r.Individual() == nil {
		err = errors.Join(err, c.ranks(o.TieBreaks))
	}
	return c.result, err
}

type checker struct {
	report *trf.Report
	result Result
}

func (c *checker) note(format string, args ...any) {
	c.result.Notes = append(c.result.Notes, fmt.Sprintf(format, args...))
}

func (c *checker) find(f Finding) {
	if len(f.Players) > 0 {
		f.Line = c.player(f.Players[0]).Line()
	}
	c.result.Findings = append(c.result.Findings, f)
}

func (c *checker) player(number int) *trf.Player {
	i := slices.IndexFunc(c.report.Players, func(p trf.Player) bool { return p.Number == number })
	return &c.report.Players[i]
}

// rounds compares a single round, or all.
func (c *checker) rounds(only, played int, compare func(round int) error) error {
	first, last := 1, played
	if only > 0 {
		first, last = only, only
	}
	for round := first; round <= last; round++ {
		if err := compare(round); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		c.result.Rounds++
	}
	return nil
}

// open notes the games without a result.
func (c *checker) open(only, played int) {
	for round := 1; round <= played; round++ {
		cells := 0
		for _, p := range c.report.Players {
			if cell := p.Cell(round); cell.Opponent > 0 && cell.Result == trf.NoResult {
				cells++
			}
		}
		if cells > 0 && (only == 0 || only == round) {
			c.note("round %d: %d games have no result", round, cells/2)
		}
	}
}

// attempt is a choice of the values that a file leaves open.
type attempt struct {
	initial pairing.Colour
	rounds  int
}

// attempts returns the ways to read the file for a round: the initial colour may be missing, and the number of rounds,
// so that this may have been the last round.
func (c *checker) attempts(round int) []attempt {
	h := attempt{initial: c.report.Initial, rounds: c.report.Rounds}
	all := []attempt{h}
	if h.initial == 0 {
		all = []attempt{{pairing.White, h.rounds}, {pairing.Black, h.rounds}}
	}
	if h.rounds == 0 && round == c.report.NextRound()-1 {
		for _, a := range slices.Clone(all) {
			all = append(all, attempt{a.initial, round})
		}
	}
	return all
}

// RebuiltRound is a round of a Swiss by the rules and as the file has it.
type RebuiltRound struct {
	Drawn, Given swiss.Round
	Differences  []swiss.Difference // how Given differs from Drawn
	History      pairing.History    // input of the draw
}

// Rebuild pairs a past round again. Errors wrap tournament.ErrUnpairable if the rules have no pairing; Differences are
// then the pairs that are not allowed.
func Rebuild(r *trf.Report, round int) (RebuiltRound, error) {
	return (&checker{report: r}).rebuild(round)
}

// rebuild is [Rebuild]. Among the ways to read the file, the fewest differences count.
func (c *checker) rebuild(round int) (best RebuiltRound, failed error) {
	h, given, free := c.history(round)
	pairer := c.pairer(&h)
	for i, a := range c.attempts(round) {
		h.Initial, h.Rounds = a.initial, a.rounds
		drawn, err := pairer.Draw(h)
		one := RebuiltRound{Drawn: drawn, Given: oriented(drawn, given, free), History: h}
		if err == nil && same(drawn, one.Given) {
			return one, nil
		}
		_, one.Differences, err = pairer.Compare(h, one.Given)
		if i == 0 || len(one.Differences) < len(best.Differences) {
			best, failed = one, err
		}
	}
	return best, failed
}

// round compares a round of a Swiss.
func (c *checker) round(round int) error {
	rebuilt, err := c.rebuild(round)
	if err != nil && (!errors.Is(err, tournament.ErrUnpairable) || c.pending(round)) {
		return err
	} else if err != nil {
		c.unpairable(round, rebuilt.Given, err)
	}
	if c.otherColourFirst(round, rebuilt) {
		return nil
	}
	for _, d := range rebuilt.Differences {
		c.difference(round, d)
	}
	return nil
}

// otherColourFirst finds that a round was paired with the other initial colour than that of line 152: several boards have
// exchanged colours, and none is left with it.
func (c *checker) otherColourFirst(round int, r RebuiltRound) bool {
	exchanged := len(r.Differences) > 1
	var players []int
	for _, d := range r.Differences {
		exchanged = exchanged && d.Kind == swiss.WrongColours && d.Rule == swiss.InitialLot
		players = append(players, d.White, d.Black)
	}
	if !exchanged || c.report.Initial == 0 {
		return false
	}
	other := *c.report
	other.Initial = pairing.White + pairing.Black - other.Initial
	if again, err := Rebuild(&other, round); err != nil || len(again.Differences) > 0 {
		return false
	}
	c.find(Finding{
		Round: round, Kind: string(swiss.WrongColours), Players: players, Article: swiss.InitialLot.Article(),
		Text: fmt.Sprintf("all %d boards that it decides have the colours of the other initial colour than that of line 152",
			len(r.Differences)),
	})
	return true
}

// pairer returns the pairing system of the file, and adds the acceleration to the history.
func (c *checker) pairer(h *pairing.History) swiss.Pairer {
	if len(c.report.Virtual) > 0 {
		return swiss.Pairer{Virtual: c.report.VirtualPoints}
	}
	if c.report.Baku() {
		h.GroupA = swiss.GroupA(*h)
	}
	return swiss.Pairer{}
}

// pending reports whether an earlier round has a game without a result that counts as nothing.
func (c *checker) pending(round int) bool {
	return slices.ContainsFunc(c.report.History(round).Field, func(e pairing.Entrant) bool {
		return slices.ContainsFunc(e.Cells, func(x tournament.Cell) bool { return x.Kind == tournament.Pending })
	})
}

// unpairable reports a round that the rules cannot pair.
func (c *checker) unpairable(round int, given swiss.Round, err error) {
	f := Finding{Round: round, Kind: "unpairable", Text: err.Error()}
	for _, g := range given.Games {
		f.Players = append(f.Players, g.White, g.Black)
	}
	c.find(f)
}

func (c *checker) difference(round int, d swiss.Difference) {
	f := Finding{Round: round, Kind: string(d.Kind), Players: []int{d.White}, Text: d.Words()}
	if d.Black > 0 {
		f.Players = append(f.Players, d.Black)
	}
	switch {
	case d.Rule > 0:
		f.Article, f.Because = d.Rule.Article(), "this rule decides their colours"
	case d.Because.Criterion > 0:
		f.Article = d.Because.Article()
		f.Because = d.Because.Words()
		f.Criterion = d.Because.Name()
	default:
		f.Because = "this follows from the pairs above"
	}
	if c.report.HandPaired(round) && d.Allowed() {
		f.Line = c.player(f.Players[0]).Line()
		f.Because = "set by hand"
		f.Article = ""
		c.result.ByHand = append(c.result.ByHand, f)
		return
	}
	c.find(f)
}

// history returns the input of the pairing of a past round, the round of the file, and which of its pairs have no
// colours.
func (c *checker) history(round int) (h pairing.History, given swiss.Round, free map[int]bool) {
	h, free = c.report.Drawn(round), make(map[int]bool)
	lone := c.loneWin(round)
	for i := range c.report.Players {
		p := &c.report.Players[i]
		cell, e := p.Cell(round), &h.Field[p.Number-1]
		switch {
		case cell.Opponent > 0:
			e.Away = tournament.NoBye
			c.game(&given, p.Number, cell, free, round)
		case cell.Result == trf.Allocated || p.Number == lone:
			e.Away, given.Bye = tournament.NoBye, p.Number
		case e.Away == tournament.NoBye:
			e.Away = tournament.ZeroPoint
		}
	}
	return h, given, free
}

// game adds the pair of a player to a round, once.
func (c *checker) game(given *swiss.Round, number int, cell trf.Cell, free map[int]bool, round int) {
	other := c.player(cell.Opponent).Cell(round)
	switch {
	case cell.Colour == pairing.White || cell.Colour == 0 && other.Colour == pairing.Black:
		given.Games = append(given.Games, swiss.Game{White: number, Black: cell.Opponent})
	case cell.Colour == 0 && other.Colour == 0 && number < cell.Opponent:
		given.Games = append(given.Games, swiss.Game{White: number, Black: cell.Opponent})
		free[number], free[cell.Opponent] = true, true
	}
}

// loneWin returns the player with a win without an opponent, as older files write the pairing-allocated bye, if the
// round has a single player like that and no U; else 0.
func (c *checker) loneWin(round int) int {
	found := 0
	for i := range c.report.Players {
		switch cell := c.report.Players[i].Cell(round); {
		case cell.Result == trf.Allocated, found > 0 && cell.Opponent == 0 && cell.Result == trf.ForfeitWin:
			return 0
		case cell.Opponent == 0 && cell.Result == trf.ForfeitWin:
			found = c.report.Players[i].Number
		}
	}
	return found
}

// same reports whether two rounds have the same pairs, colours and bye.
func same(a, b swiss.Round) bool {
	if a.Bye != b.Bye || len(a.Games) != len(b.Games) {
		return false
	}
	black := make(map[int]int, len(b.Games))
	for _, g := range b.Games {
		black[g.White] = g.Black
	}
	return !slices.ContainsFunc(a.Games, func(g swiss.Game) bool { return black[g.White] != g.Black })
}

// oriented returns the given round with the drawn colours where the file has none.
func oriented(drawn, given swiss.Round, free map[int]bool) swiss.Round {
	given.Games = slices.Clone(given.Games)
	for i, g := range given.Games {
		if turned := (swiss.Game{White: g.Black, Black: g.White}); free[g.White] && slices.Contains(drawn.Games, turned) {
			given.Games[i] = turned
		}
	}
	return given
}

// table compares a round of a round-robin with the Berger tables.
func (c *checker) table(round int) error {
	_, given, free := c.history(round)
	b := berger(len(c.report.Players), c.report.Format().Cycles() == 2, c.report.Has)
	found, err := b.compare(round, given, free)
	for _, f := range found {
		c.find(f)
	}
	return err
}

// fixed are rounds that follow from tables.
type fixed struct {
	tables, article string
	rounds          int
	round           func(round int) []roundrobin.Game
	has             func(number int) bool
}

// berger returns the rounds of a round-robin by the Berger tables.
func berger(n int, double bool, has func(number int) bool) fixed {
	return fixed{
		tables: "Berger tables", article: "C.05, Annex: Berger tables", rounds: roundrobin.Rounds(n, double), has: has,
		round: func(round int) []roundrobin.Game { return roundrobin.Round(n, double, round) },
	}
}

// compare returns the differences of a given round; free are the players of pairs without colours.
func (b fixed) compare(round int, given swiss.Round, free map[int]bool) (out []Finding, err error) {
	if round > b.rounds {
		return nil, fmt.Errorf("the %s have %d rounds", b.tables, b.rounds)
	}
	for _, g := range b.round(round) {
		f := Finding{Round: round, Kind: string(swiss.WrongPair), Players: []int{g.White}, Article: b.article}
		if number := max(g.White, g.Black); !b.has(g.White) || g.Black > 0 && !b.has(g.Black) {
			return out, fmt.Errorf("there is no player %d, so the %s do not fit", number, b.tables)
		}
		plays := func(o swiss.Game) bool { return o.White == g.White || o.Black == g.White }
		switch {
		case g.Black == 0 && slices.ContainsFunc(given.Games, plays):
			f.Text = fmt.Sprintf("%d plays, and should be free", g.White)
		case g.Black == 0 || slices.Contains(given.Games, swiss.Game(g)):
			continue
		case slices.Contains(given.Games, swiss.Game{White: g.Black, Black: g.White}):
			if free[g.White] {
				continue
			}
			f.Kind, f.Players = string(swiss.WrongColours), []int{g.Black, g.White}
			f.Text = fmt.Sprintf("%d has White against %d, and should have Black", g.Black, g.White)
		default:
			f.Players = append(f.Players, g.Black)
			f.Text = fmt.Sprintf("%d and %d should meet", g.White, g.Black)
		}
		out = append(out, f)
	}
	return out, nil
}
