package exchange

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// importTeams reads a report file of a tournament of teams; see [Import].
func importTeams(text []byte, o Options, newID func() string) (*Taken, error) {
	report, err := trf.ReadTeams(text, false)
	if err != nil {
		return nil, err
	}
	i := &teamImporter{
		importer: importer{report: &report.Report, options: o, newID: newID, played: report.NextRound() - 1}, file: report,
	}
	i.taken.Original.Text = text
	for _, note := range slices.Concat(report.Notes, report.Warnings) {
		i.note("%s", note)
	}
	for _, step := range []func() error{i.teams, i.settings, i.field, i.rounds, i.bans, i.bonuses} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	i.left()
	i.taken.NewPlayers = len(i.taken.Players)
	return &i.taken, nil
}

// teamImporter is the import of a report of teams. Numbers of places are those of teams, players those of members.
type teamImporter struct {
	importer
	file    *trf.TeamReport
	lines   []trf.TeamLine // by number here
	members map[int]string // player ids by start number
	s       team.Settings
}

// teams numbers the teams from 1 without gaps.
func (i *teamImporter) teams() error {
	if len(i.file.Teams) < 2 {
		return refuse("a tournament of teams needs at least 2 teams, and the file has %d", len(i.file.Teams))
	}
	i.lines = slices.Clone(i.file.Teams)
	slices.SortFunc(i.lines, func(a, b trf.TeamLine) int { return cmp.Compare(a.Number, b.Number) })
	i.members = make(map[int]string)
	i.renumber(len(i.lines), func(n int) int { return i.lines[n].Number })
	return nil
}

// settings combines the settings of the file and of the organiser.
func (i *teamImporter) settings() error {
	r, o, s := i.file, i.options, &i.taken.Settings
	format := tournament.TeamSwiss
	if r.Scheveningen() {
		format = tournament.TeamScheveningen
	} else if r.Table() {
		format = tournament.TeamRoundRobin
		if most := max(r.Rounds, i.played); most > roundrobin.Rounds(len(i.lines), false) {
			format = tournament.TeamDoubleRoundRobin
		}
	}
	*s = tournament.Settings{
		Name: cmp.Or(strings.TrimSpace(o.Name), r.Name, i.unnamed()), Variant: o.Variant, Format: cmp.Or(o.Format, format),
		RoundCount: cmp.Or(o.Rounds, r.Rounds, i.played, 1), TimeControl: cmp.Or(o.TimeControl, r.EncodedTimeControl),
		Options: o.Options, Rated: o.Rated, AutoRounds: o.AutoRounds, TieBreaks: o.TieBreaks, Venue: tournament.InHall,
	}
	switch {
	case !s.Format.Teams() || !s.Format.Reported():
		return tournament.Fault("format", "the file tells of teams; choose team_swiss, team_round_robin, "+
			"team_double_round_robin or team_scheveningen")
	case o.NamesOnly:
		return tournament.Fault("names_only", "members of teams are players; import the file with players")
	case s.RoundCount < i.played:
		return tournament.Fault("rounds",
			"the file tells of %d rounds that have been paired; say how many there will be, not fewer than these", i.played)
	case r.AbsenceAboveLoss():
		return refuse("line 162: an absence (A) is worth more than a loss (L), and a tournament here has none of these")
	case s.TimeControl == "":
		return tournament.Fault("time_control", "the file does not say it in line 222; say it for the games to come")
	}
	i.rules()
	i.taken.Begun.StartedAt, i.taken.Begun.FinishedAt = dayOf(r.Starts), dayOf(r.Ends)
	if s.Format.DrawsColour() {
		initial := r.Drawn(i.played + 1).Initial
		if r.Turned() && initial != 0 {
			initial = tournament.White + tournament.Black - initial
		}
		s.Rules.InitialColour, i.taken.Begun.FirstColour = initial, initial
		s.Rules.FullPointByes = slices.ContainsFunc(r.TeamByes, func(b trf.Bye) bool { return b.Type == trf.FullPoint })
		if size := i.groupA(); size > 0 {
			s.Rules.Acceleration, i.taken.Begun.GroupA = tournament.Baku, size
		}
	}
	if s.TieBreaks == nil {
		i.teamTieBreaks()
	}
	return nil
}

// groupA returns the size of group A of the Baku Acceleration, by its name or by the virtual points of lines 250; 0
// without it, and where they are others.
func (i *teamImporter) groupA() (size int) {
	if i.file.Accelerated() {
		return i.place[i.file.GroupA()]
	}
	for _, t := range i.lines {
		if i.file.VirtualPoints(t.Number, 1) > 0 {
			size = i.place[t.Number]
		}
	}
	worth := i.file.Scoring().Match
	baku := swiss.Baku(size, i.taken.Settings.RoundCount, tournament.PointSystem{Win: worth.Win, Draw: worth.Draw})
	for round := 1; round <= i.taken.Settings.RoundCount; round++ {
		for _, t := range i.lines {
			if i.file.VirtualPoints(t.Number, round) != baku(i.place[t.Number], round) || i.file.Primary() != team.MP {
				return 0
			}
		}
	}
	return size
}

// rules takes the regulations of the file.
func (i *teamImporter) rules() {
	r := i.file
	scoring, allocated := r.Scoring(), r.PABTotals()
	rules := tournament.TeamRules{
		Boards: make([]tournament.TeamBoard, scoring.Boards), Colours: tournament.WhiteFirst(r.Colours), MatchPoints: &scoring.Match,
		GamePoints: &scoring.Game, Primary: r.Primary(), Secondary: r.Secondary(), PAB: &allocated,
		Squad: tournament.SquadLimits{Least: scoring.Boards},
	}
	if r.Turned() {
		rules.Colours = tournament.Opposite(cmp.Or(rules.Colours, strings.Repeat("WB", len(rules.Boards))[:len(rules.Boards)]))
	}
	if !r.Table() {
		rules.Preference = r.Preference()
	}
	for _, t := range r.Teams {
		rules.Squad.Least = min(rules.Squad.Least, max(1, len(t.Members)))
		rules.Squad.Most = max(rules.Squad.Most, len(t.Members), scoring.Boards)
	}
	if r.Scheveningen() {
		rules.Gaps = team.GapsAny
	}
	for _, l := range r.LineUps {
		manned := func(n int) bool { return n > 0 }
		if gap := slices.Index(l.Players, 0); gap >= 0 && slices.ContainsFunc(l.Players[gap:], manned) {
			rules.Gaps = team.GapsAny
		}
	}
	i.taken.Settings.Teams = &rules
	complete := team.Settings(rules)
	complete.Boards = slices.Clone(rules.Boards)
	i.s = complete.Complete()
}

// teamTieBreaks takes the tie-breaks of the file that there are here, and notes the others.
func (i *teamImporter) teamTieBreaks() {
	s := &i.taken.Settings
	for _, code := range codesOf(cmp.Or(i.file.TieBreaks, i.file.Standings)) {
		if code == "MPVGP" {
			code = "MPvGP"
		}
		if err := standings.Check(s.Format, code); err != nil {
			i.note("the tie-break %s of the file is left out: %v", code, err)
		} else if !slices.Contains(s.TieBreaks, code) {
			s.TieBreaks = append(s.TieBreaks, code)
		}
	}
	if len(s.TieBreaks) == 0 {
		s.TieBreaks = standings.Default(s.Format)
	}
}

// field creates the teams, and players for their members.
func (i *teamImporter) field() error {
	names := make(map[int]trf.Player, len(i.file.Players))
	for _, p := range i.file.Players {
		names[p.Number] = p
	}
	for number := range i.options.Players {
		if _, there := names[number]; !there {
			return refuse("players: there is no player %d in the file", number)
		}
	}
	for n, t := range i.lines {
		name, err := club.CleanName(t.Name, 3*maxName)
		if err != nil {
			return refuse("line %d, team %d: the name in columns 9 to 40 cannot be taken: %v", t.Line(), t.Number, err)
		}
		e := tournament.Entry{ID: i.ids[n], Name: name, Status: tournament.Confirmed}
		strength, err := strconv.ParseFloat(strings.TrimSpace(t.Strength), 64)
		if err == nil && strength > 0 && strength <= 5000 {
			e.Rating = strength
		}
		for _, number := range t.Members {
			id, err := i.member(names[number])
			if err != nil {
				return err
			}
			e.Members = append(e.Members, id)
		}
		e.Byes = i.requested(t.Number)
		i.taken.Begun.Entries = append(i.taken.Begun.Entries, e)
	}
	return nil
}

// member returns the player of a 001 line: a player of the club that the options name, or a new player.
func (i *teamImporter) member(p trf.Player) (string, error) {
	written := p.Name
	number, gone := club.GoneNumber(written)
	if gone { // a file of this program, with a deleted person
		written = "N. N. " + strconv.FormatInt(number, 10)
	}
	name, err := club.CleanName(written, 3*maxName)
	if errors.Is(err, club.ErrReserved) {
		return "", refuse("line %d, player %d: the name in columns 15 to 47 cannot be taken: %v", p.Line(), p.Number, err)
	}
	if err != nil || p.Name == "" {
		return "", refuse("line %d, player %d: the name in columns 15 to 47 is missing, or cannot be taken", p.Line(), p.Number)
	}
	id := i.options.Players[p.Number]
	if id == "" {
		id = i.player(name, p)
	}
	i.members[p.Number] = id
	return id, nil
}

// requested returns the byes of a team in rounds to come.
func (i *teamImporter) requested(number int) (byes []tournament.RequestedBye) {
	kinds := map[trf.Result]tournament.Bye{
		trf.FullPoint: tournament.FullPoint, trf.HalfPoint: tournament.HalfPoint, trf.ZeroPoint: tournament.ZeroPoint,
	}
	for _, b := range i.file.TeamByes {
		if b.Round > i.played && b.Round <= i.taken.Settings.RoundCount && slices.Contains(b.Numbers, number) {
			byes = append(byes, tournament.RequestedBye{Round: b.Round, Bye: kinds[b.Type]})
		}
	}
	slices.SortFunc(byes, func(a, b tournament.RequestedBye) int { return cmp.Compare(a.Round, b.Round) })
	return byes
}

// rounds imports the matches and byes of all rounds, in the order of C.04.2, and compares their points with the file.
func (i *teamImporter) rounds() error {
	if i.taken.Settings.Format.Fixed() && len(i.file.TeamByes) > 0 {
		i.note("byes of teams in lines 240 are left out: a round-robin has none on request")
	}
	totals, worth := make([]team.Totals, len(i.lines)), i.file.Outcomes()
	for round := 1; round <= i.played; round++ {
		pairings, err := i.round(round)
		if err != nil {
			return err
		}
		i.order(pairings, totals)
		for n := range pairings {
			p := &pairings[n]
			p.Board = n + 1
			for side, id := range p.Seats {
				own := i.number[id] - 1
				ofOwn := func(t trf.TeamLine) bool { return t.Number == i.lines[own].Number }
				file := worth[slices.IndexFunc(i.file.Teams, ofOwn)][round-1]
				here := i.outcome(*p, side)
				if here.Totals != file.Totals {
					return refuse("round %d, team %d: the file counts %s match and %s game points, and a tournament here would count "+
						"%s and %s; line 330 or 299 may say otherwise than the boards", round, i.lines[own].Number, file.MP, file.GP,
						here.MP, here.GP)
				}
				totals[own] = totals[own].Plus(here.Totals)
			}
		}
		i.taken.Begun.Rounds = append(i.taken.Begun.Rounds, pairings)
		if i.unfinished(pairings) && round < i.played {
			return refuse("round %d: a board has no result, and round %d has been paired since; enter its result in the file",
				round, round+1)
		}
	}
	i.taken.Begun.Finished = i.played >= i.taken.Settings.RoundCount && i.played > 0 &&
		!i.unfinished(i.taken.Begun.Rounds[i.played-1])
	return nil
}

func (i *teamImporter) unfinished(pairings []tournament.Pairing) bool {
	return slices.ContainsFunc(pairings, func(p tournament.Pairing) bool { return p.Result == nil })
}

// outcome returns the points of a pairing here.
func (i *teamImporter) outcome(p tournament.Pairing, side int) team.Outcome {
	if p.Bye != tournament.NoBye {
		return i.s.Scoring().Bye(team.KindOf(p.Bye), *i.s.PAB)
	}
	return i.s.Outcome(p, side)
}

// round imports the pairings of a round.
func (i *teamImporter) round(round int) (pairings []tournament.Pairing, err error) {
	matches, byes := i.file.RoundOf(round)
	i.earlierSeats(round, matches)
	for _, m := range matches {
		if m.White == 0 || m.Black == 0 {
			return nil, refuse("round %d, team %d: no line names the opponent of its match", round, max(m.White, m.Black))
		}
		if i.file.Turned() {
			m = m.Turned()
		}
		p := tournament.Pairing{Seats: []string{i.ids[i.place[m.White]-1], i.ids[i.place[m.Black]-1]}}
		for _, b := range m.Boards {
			p.Boards = append(p.Boards, i.board(round, b))
		}
		p.Result = i.result(p, m.Ruling)
		pairings = append(pairings, p)
	}
	for _, t := range i.lines {
		kind, has := byes[t.Number]
		bye := kind.Bye()
		if !has || i.taken.Settings.Format.Fixed() && bye == tournament.ZeroPoint {
			continue // in a round-robin a team without a match is not in the table of the round
		}
		totals := i.s.Scoring().Bye(kind, *i.s.PAB)
		pairings = append(pairings, tournament.Pairing{
			Seats: []string{i.ids[i.place[t.Number]-1]}, Bye: bye, Result: &tournament.Result{
				Points: []tournament.Points{totals.Of(i.s.Primary)}, Second: []tournament.Points{totals.Of(i.s.Primary.Other())},
				Source: tournament.ByServer, Reason: "bye",
			},
		})
	}
	return pairings, nil
}

// earlierSeats notes whether the rounds of a Scheveningen have the seats of the earlier formula: those of line 352, where
// the table has others.
func (i *teamImporter) earlierSeats(round int, matches []trf.Encounter) {
	table := roundrobin.Scheveningen{Boards: len(i.s.Boards)}
	if !i.file.Scheveningen() || round > table.Boards {
		return
	}
	_, first := table.Meeting(round, 1)
	for _, m := range matches {
		for k, b := range m.Boards {
			_, seatOne := table.Meeting(round, k+1)
			if letter := tournament.WhiteFirst(i.s.Colours)[k] == 'W'; b.Players[0] == 0 || b.Players[1] == 0 {
				continue
			} else if (seatOne == first) != letter && !b.Turned {
				i.taken.Begun.EarlierSeats = true
			}
		}
	}
}

// board imports a board of a match.
func (i *teamImporter) board(round int, b trf.BoardGame) (out tournament.MatchBoard) {
	marks := [2]team.Mark{i.file.MarkOf(b.Players[0], round), i.file.MarkOf(b.Players[1], round)}
	out.Turned = b.Turned && i.file.Scheveningen()
	for side, number := range b.Players {
		out.Players[side] = i.members[number]
	}
	r := &tournament.Result{Source: tournament.ByArbiter, Reason: reason}
	switch {
	case marks[0] == team.Unfinished || marks[1] == team.Unfinished:
		out.HallGame = i.newID()
		return out
	case marks[0].AtBoard() && marks[1].AtBoard():
		r.Ranks = []int{rankOf(marks[0], marks[1]), rankOf(marks[1], marks[0])}
	default:
		r.Forfeit = true
		if marks[0] == team.ForfeitWon {
			r.Ranks = []int{1, 2}
		} else if marks[1] == team.ForfeitWon {
			r.Ranks = []int{2, 1}
		}
	}
	out.Result = r
	for side := range out.Players {
		r.Points = append(r.Points, team.MarkOf(out, side).Points(*i.s.GamePoints))
	}
	return out
}

// rankOf returns the rank of a side by the marks of both: both may have lost.
func rankOf(own, other team.Mark) int {
	if own == team.Won || own == team.Drawn && other == team.Drawn {
		return 1
	}
	return 2
}

// result returns the result of a match: by its boards or, without boards, by its ruling.
func (i *teamImporter) result(p tournament.Pairing, ruling team.Ruling) *tournament.Result {
	if p.Boards != nil {
		// only a knock-out needs the round, and this is none
		return i.s.Result(&tournament.Tournament{Format: i.taken.Settings.Format}, 0, p)
	}
	r := &tournament.Result{Forfeit: true, Source: tournament.ByArbiter, Reason: reason}
	switch ruling {
	case team.GoesTo:
		r.Ranks = []int{1, 2}
	case team.GoesAway:
		r.Ranks = []int{2, 1}
	default:
	}
	p.Result = r
	for side := range p.Seats {
		totals := i.s.Outcome(p, side)
		r.Points, r.Second = append(r.Points, totals.Of(i.s.Primary)), append(r.Second, totals.Of(i.s.Primary.Other()))
	}
	return r
}

// order sorts a round (C.04.2): the higher score of a match, the sum of both, the number; then byes.
func (i *teamImporter) order(pairings []tournament.Pairing, totals []team.Totals) {
	key := func(p tournament.Pairing) []int {
		k := []int{0, 0, 0, len(i.ids)}
		switch p.Bye {
		case tournament.NoBye:
		case tournament.PairingAllocated:
			k[0] = 1
		default:
			k[0] = 2
		}
		for _, id := range p.Seats {
			n := i.number[id]
			k[3] = min(k[3], n)
			points := int(totals[n-1].Of(i.s.Primary))
			if p.Bye == tournament.NoBye && !i.taken.Settings.Format.Fixed() {
				k[1], k[2] = min(k[1], -points), k[2]-points
			}
		}
		return k
	}
	slices.SortFunc(pairings, func(p, q tournament.Pairing) int { return slices.Compare(key(p), key(q)) })
}

// bans imports the groups of teams that must not meet.
func (i *teamImporter) bans() error {
	i.report.Forbidden = i.file.Apart
	return i.importer.bans()
}

// bonuses imports penalties and bonuses.
func (i *teamImporter) bonuses() error {
	worth := func(p *tournament.Points) tournament.Points {
		if p == nil {
			return 0
		}
		return *p
	}
	for _, b := range i.file.Bonuses {
		for _, number := range b.Teams {
			one := tournament.Bonus{MP: worth(b.MP), GP: worth(b.GP), After: b.Round, Why: reason}
			place := i.place[number]
			if place == 0 {
				return refuse("a line 299 names team %d, which is not in the file", number)
			}
			one.Entry = i.ids[place-1]
			if one.MP != 0 || one.GP != 0 {
				i.taken.Begun.Bonuses = append(i.taken.Begun.Bonuses, one)
			}
		}
	}
	return nil
}

// left notes the lines without a counterpart in the tournament here.
func (i *teamImporter) left() {
	var codes []string
	for _, use := range i.file.Uses {
		if use.Treatment == trf.Followed {
			i.taken.Lines = append(i.taken.Lines, use)
		} else if use.Code != "062" && !slices.Contains(codes, use.Code) {
			codes = append(codes, use.Code)
		}
	}
	if len(codes) > 0 {
		i.note("lines that have no place in a tournament of teams here are left out: %s", strings.Join(codes, ", "))
	}
	if n := len(i.file.Boosts); n > 0 && i.taken.Begun.GroupA == 0 {
		i.note("%d lines 250 with virtual points are left out: rounds to come are paired without them", n)
	}
}
