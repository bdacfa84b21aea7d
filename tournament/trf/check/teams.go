package check

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/pairing/teamswiss"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// teamChecker compares a report of teams. Findings have the numbers of teams.
type teamChecker struct {
	checker

	report   *trf.TeamReport
	readings teamswiss.Readings
}

// Teams replays a report of teams that was read leniently: rounds by C.04.6, points from the boards, and ranks. The
// error is as for [Report]; a file with other contradictions than wrong totals is not replayed at all.
func Teams(r *trf.TeamReport, o Options) (Result, error) {
	c := teamChecker{
		checker: checker{report: &r.Report, result: Result{Findings: []Finding{}}}, report: r, readings: o.Readings,
	}
	played := r.NextRound() - 1
	if o.Round > played {
		return c.result, fmt.Errorf("round %d: only %d rounds have been paired", o.Round, played)
	}
	totals := r.WrongTotals()
	if len(r.Warnings) > len(totals) {
		return c.result, errors.New(r.Warnings[0])
	}
	c.noteMisplaced(o.Round, played)
	if r.AbsenceAboveLoss() {
		c.note("line 162: an absence (A) is worth more than a loss (L); it is followed as it stands")
	}
	compare := c.round
	if r.Table() {
		compare = c.table
	}
	err := c.rounds(o.Round, played, compare)
	if o.NoStandings || o.Round > 0 {
		return c.result, err
	}
	for _, w := range totals {
		f := Finding{Kind: "total", Line: w.Line, Text: fmt.Sprintf("%d has %s", w.Player+w.Team, w.Text)}
		if w.Player > 0 {
			f.Players, f.Text = []int{w.Player}, "player "+f.Text
		} else {
			f.Teams, f.Article = []int{w.Team}, "C.07 11.1"
		}
		c.result.Findings = append(c.result.Findings, f)
	}
	return c.result, errors.Join(err, c.ranks(o.TieBreaks))
}

func (c *teamChecker) find(f Finding) {
	f.Line = c.line(f)
	c.result.Findings = append(c.result.Findings, f)
}

// line returns the line of the first team of a finding, 0 without a team.
func (c *teamChecker) line(f Finding) int {
	if len(f.Teams) == 0 {
		return f.Line
	}
	at := slices.IndexFunc(c.report.Teams, func(t trf.TeamLine) bool { return t.Number == f.Teams[0] })
	return c.report.Teams[at].Line()
}

// noteMisplaced notes numbers in lines 240 beside their columns, as their teams look absent and are not.
func (c *teamChecker) noteMisplaced(only, played int) {
	var lines []string
	for round := 1; round <= played; round++ {
		if only > 0 && only != round {
			continue
		}
		for _, line := range c.report.Misplaced(round) {
			lines = append(lines, fmt.Sprint(line))
		}
	}
	if len(lines) > 0 {
		c.note("lines 240 with a number beside the columns of teams, 11 to 14, 16 to 19 …: %s", strings.Join(lines, ", "))
	}
}

// round compares a round. Among the ways to read the file, the fewest differences count.
func (c *teamChecker) round(round int) error {
	given, free, err := c.given(round)
	if err != nil {
		return err
	}
	h, pairer := c.report.Drawn(round), c.pairer()
	initial := h.Initial
	var best []teamswiss.Difference
	var failed error
	for i, a := range c.attempts(round) {
		h.Initial, h.Rounds = cmp.Or(initial, a.initial), a.rounds
		drawn, err := pairer.Draw(h)
		one := oriented(drawn, given, free)
		if err == nil && same(drawn, one) {
			return nil
		}
		_, found, err := pairer.Compare(h, one)
		if i == 0 || len(found) < len(best) {
			best, failed = found, err
		}
	}
	if failed != nil && !errors.Is(failed, tournament.ErrUnpairable) {
		return failed
	} else if failed != nil {
		c.find(Finding{Round: round, Kind: "unpairable", Text: failed.Error(), Teams: teamsOf(given)})
	}
	for _, d := range best {
		c.difference(round, d)
	}
	return nil
}

// table compares a round with the tables; colours are those of the first board.
func (c *teamChecker) table(round int) error {
	given, free, err := c.given(round)
	if err != nil {
		return err
	}
	b := berger(len(c.report.Teams), c.report.Format().Cycles() == 2, c.report.HasTeam)
	if c.report.Scheveningen() {
		match := roundrobin.Scheveningen{Boards: c.report.BoardCount()}
		b = fixed{
			tables: "rounds of a Scheveningen", rounds: match.Boards, has: c.report.HasTeam,
			round: func(round int) []roundrobin.Game { return []roundrobin.Game{match.Game(round)} },
		}
	}
	if table := b.round; c.report.Turned() {
		b.round = func(round int) (games []roundrobin.Game) {
			for _, g := range table(round) {
				games = append(games, roundrobin.Game{White: g.Black, Black: g.White})
			}
			return games
		}
	}
	found, err := b.compare(round, given, free)
	for _, f := range found {
		f.Teams, f.Players = f.Players, nil
		c.find(f)
	}
	if c.report.Scheveningen() {
		c.metBefore(round)
	}
	return err
}

// metBefore finds second meetings between players of a Scheveningen.
func (c *teamChecker) metBefore(round int) {
	for _, p := range c.report.Players {
		now := p.Cell(round).Opponent
		for earlier := 1; earlier < round && now > p.Number; earlier++ {
			if p.Cell(earlier).Opponent == now {
				c.result.Findings = append(c.result.Findings, Finding{
					Round: round, Kind: string(swiss.WrongPair), Players: []int{p.Number, now}, Line: p.Line(),
					Text: fmt.Sprintf("players %d and %d have met in round %d", p.Number, now, earlier),
				})
			}
		}
	}
}

// pairer returns the pairing system of the file.
func (c *teamChecker) pairer() teamswiss.Pairer {
	p := teamswiss.Pairer{
		Preference:  teamswiss.Preference(c.report.Preference()),
		NoSecondary: c.report.Secondary() == team.NoScore, Readings: c.readings,
	}
	if !c.report.Accelerated() {
		p.Virtual = c.report.VirtualPoints
	}
	return p
}

// given returns a round of the file, and the teams of matches without colours.
func (c *teamChecker) given(round int) (out swiss.Round, free map[int]bool, err error) {
	free = make(map[int]bool)
	outcomes := c.report.Outcomes()
	colours := make(map[int]tournament.Colour, len(outcomes))
	for i, rounds := range outcomes {
		colours[c.report.Teams[i].Number] = rounds[round-1].Colour
	}
	for i, rounds := range outcomes {
		o, number := rounds[round-1], c.report.Teams[i].Number
		switch {
		case o.Kind == team.Allocated && out.Bye > 0:
			return out, free, fmt.Errorf("teams %d and %d have the pairing-allocated bye", out.Bye, number)
		case o.Kind == team.Allocated:
			out.Bye = number
		case !o.Kind.Met():
		case o.Opponent == 0:
			return out, free, fmt.Errorf("team %d has boards, and no line names its opponent", number)
		case o.Colour == tournament.White, o.Colour == 0 && colours[o.Opponent] == tournament.Black:
			out.Games = append(out.Games, swiss.Game{White: number, Black: o.Opponent})
		case o.Colour == 0 && colours[o.Opponent] == 0 && number < o.Opponent:
			out.Games = append(out.Games, swiss.Game{White: number, Black: o.Opponent})
			free[number], free[o.Opponent] = true, true
		}
	}
	return out, free, nil
}

func teamsOf(r swiss.Round) (out []int) {
	for _, g := range r.Games {
		out = append(out, g.White, g.Black)
	}
	return out
}

func (c *teamChecker) difference(round int, d teamswiss.Difference) {
	f := Finding{Round: round, Kind: string(d.Kind), Teams: []int{d.White}, Text: d.Words()}
	if d.Black > 0 {
		f.Teams = append(f.Teams, d.Black)
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
		f.Line = c.line(f)
		f.Because = "set by hand"
		f.Article = ""
		c.result.ByHand = append(c.result.ByHand, f)
		return
	}
	c.find(f)
}

// ranks compares the ranks of lines 310 with those by the list of tie-breaks.
func (c *teamChecker) ranks(instead []string) error {
	given, err := c.givenRanks()
	if err != nil || len(given) == 0 {
		return err
	}
	codes, listErr := c.tieBreaks(instead, func(code string) (string, error) {
		return code, teams.Check(c.report.Table(), code)
	})
	field := teams.FieldOfReport(c.report)
	findings, err := rankFindings(field, given, codes)
	if err != nil {
		return errors.Join(err, listErr)
	}
	if earlier, open := beforeOpenMatches(field); len(findings) > 0 && open {
		// while a round is under way, ranks may still be those before it
		if before, err := rankFindings(earlier, given, codes); err == nil && len(before) == 0 {
			findings = nil
		}
	}
	c.result.Ranks = len(given)
	for _, f := range findings {
		f.Teams, f.Players = f.Players, nil
		c.find(f)
	}
	return listErr
}

// givenRanks returns the ranks of lines 310 by the numbers of the teams.
func (c *teamChecker) givenRanks() (map[int]int, error) {
	given := make(map[int]int)
	for _, t := range c.report.Teams {
		if t.Rank == "" {
			continue
		}
		rank, err := strconv.Atoi(strings.TrimSpace(t.Rank))
		if err != nil || rank < 1 {
			return nil, fmt.Errorf("line %d, team %d: %q is not a rank (columns 69 to 71)", t.Line(), t.Number, t.Rank)
		}
		given[t.Number] = rank
	}
	switch n := len(c.report.Teams) - len(given); {
	case len(given) == 0:
		c.note("the file has no ranks")
	case n > 0:
		c.note("%d teams have no rank; the others are compared among themselves", n)
	}
	return given, nil
}

// rankFindings compares ranks with the standings of a field.
func rankFindings(field teams.Field, given map[int]int, codes []string) ([]Finding, error) {
	field.TieBreaks = codes
	computed, err := teams.Rank(field)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, r := range computed {
		score := fmt.Sprintf("%v %s", r.Totals.Of(field.Primary), field.Primary)
		rows = append(rows, row{
			number: r.Number, rank: r.Rank, given: given[r.Number], values: append([]string{score}, r.TieBreaks...),
		})
	}
	return compareRanks(rows, append([]string{string(field.Primary)}, codes...)), nil
}

// beforeOpenMatches returns a field without its last round, and whether a match of that is under way.
func beforeOpenMatches(field teams.Field) (teams.Field, bool) {
	open := false
	field.Teams = slices.Clone(field.Teams)
	for i := range field.Teams {
		t := &field.Teams[i]
		if last := len(t.Rounds) - 1; last >= 0 {
			open = open || t.Rounds[last].Kind == team.Underway
			t.Rounds = t.Rounds[:last]
		}
	}
	return field, open
}
