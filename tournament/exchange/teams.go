package exchange

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/standings/teams"
	"quatuor/tournament/team"
	"quatuor/tournament/trf"
)

// ExportTeams returns a tournament of teams as a report file, up to the last round with all line-ups revealed. squads
// are by entry id. Errors are those of [Export].
func ExportTeams(t *tournament.Tournament, squads map[string]team.Squad, audience Audience) (*trf.TeamReport, error) {
	if !t.Format.Reported() {
		return nil, notReported(t.Format)
	}
	if len(t.Numbered()) == 0 {
		return nil, tournament.NotNow("the tournament has not started, so its entries have no numbers yet")
	}
	e := teamExporter{t: t, s: team.Of(t), players: make(map[string]int), rounds: t.PublishedRounds()}
	if e.rounds > 0 && slices.ContainsFunc(t.Rounds[e.rounds-1].Pairings, t.Sealed) {
		e.rounds--
	}
	e.header()
	for _, entry := range t.Numbered() {
		e.team(entry, squads[entry.ID])
	}
	for _, r := range t.Rounds[:e.rounds] {
		e.round(r)
	}
	if err := e.out.SetTotals(); err != nil {
		return nil, err
	}
	e.byes()
	e.accelerate()
	if audience == Staff {
		e.out.Apart = forbidden(t)
	}
	return &e.out, e.rank()
}

// teamExporter writes a report of teams.
type teamExporter struct {
	t       *tournament.Tournament
	s       team.Settings
	rounds  int
	players map[string]int // start numbers by player id
	out     trf.TeamReport
}

// header writes the data of the whole tournament.
func (e *teamExporter) header() {
	t, s := e.t, e.s
	report := t.Format.Traits().Report
	e.out.Report = trf.Report{
		Name: t.Name, Kind: report.Kind, TimeControl: t.TimeControl, Rounds: t.RoundCount, Initial: t.FirstColour,
		Controller: "quatuor", Starts: day(t.StartedAt), Ends: day(t.FinishedAt), TieBreaks: strings.Join(t.TieBreaks, ","),
		Standings: strings.Join(append([]string{"PTS"}, t.TieBreaks...), ","), System: report.System,
	}
	if !t.Format.Fixed() && s.Preference != "none" {
		e.out.System += "_TYPE" + s.Preference
	}
	e.out.System += "_" + string(s.Primary)
	if s.Secondary != team.NoScore {
		e.out.System += "_" + string(s.Secondary)
	}
	e.out.Colours = tournament.WhiteFirst(s.Colours)
	if e.turned() {
		e.out.SetTurned()
		if t.FirstColour != 0 {
			e.out.Initial = tournament.White + tournament.Black - t.FirstColour
		}
	}
	e.out.GamePoints = []trf.SymbolPoints{
		{Symbol: "W", Points: s.GamePoints.Win},
		{Symbol: "D", Points: s.GamePoints.Draw},
		{Symbol: "L", Points: s.GamePoints.Loss},
		{Symbol: "A", Points: s.GamePoints.Absence},
	}
	e.out.MatchWorth = []trf.SymbolPoints{
		{Symbol: "TW", Points: s.MatchPoints.Win},
		{Symbol: "TD", Points: s.MatchPoints.Draw},
		{Symbol: "TL", Points: s.MatchPoints.Loss},
	}
	for _, b := range t.Bonuses {
		entry, _ := t.Entry(b.Entry)
		if entry.Number > 0 {
			e.out.Bonuses = append(e.out.Bonuses, trf.Bonus{MP: &b.MP, GP: &b.GP, Round: b.After, Teams: []int{entry.Number}})
		}
	}
	e.out.Allocated = &trf.AllocatedLine{Totals: *s.PAB}
}

// turned reports whether Black has seat 1 on the first board, and so is White in a file. In a Scheveningen White has
// that seat by the table, whatever the letters.
func (e *teamExporter) turned() bool {
	return e.out.Colours != e.s.Colours && (e.t.Format.FilesLineUps() || e.t.EarlierSeats)
}

// accelerate writes the acceleration: by its name or, where late teams made group A another size, by its virtual
// points.
func (e *teamExporter) accelerate() {
	size := e.t.GroupA()
	if size == 0 {
		return
	}
	if size == tournament.GroupASize(len(e.t.Numbered())) && size == e.out.GroupA() {
		e.out.System += "_BAKU"
		return
	}
	virtual := swiss.Baku(size, e.t.RoundCount, e.t.Points)
	for round := 1; round <= e.t.RoundCount; round++ {
		points, n := virtual(1, round), len(e.out.Boosts)
		switch {
		case points == 0:
		case n > 0 && *e.out.Boosts[n-1].MP == points:
			e.out.Boosts[n-1].Last = round
		default:
			e.out.Boosts = append(e.out.Boosts, trf.TeamVirtual{MP: &points, First: round, Last: round, From: 1, To: size})
		}
	}
}

// cut returns the first characters of a name, as many as its columns hold.
func cut(name string, most int) string {
	if characters := []rune(name); len(characters) > most {
		return strings.TrimSpace(string(characters[:most]))
	}
	return name
}

// team writes a team and its members, with ratings in the list of the member's own game: that of the member's board in
// the order of registration, and for the others that of board 1.
func (e *teamExporter) team(entry tournament.Entry, squad team.Squad) {
	line := trf.TeamLine{Number: entry.Number, Name: cut(entry.Name, maxTeamName)}
	if entry.Rating > 0 {
		line.Strength = strconv.Itoa(int(entry.Rating))
	}
	for i, m := range squad.Members {
		p := trf.Player{Number: len(e.out.Players) + 1, Name: cut(m.Name, maxName)}
		own := 1
		if i < len(e.s.Boards) {
			own = i + 1
		}
		if r := int(math.Floor(m.Ratings[e.s.ListOf(squad, own)] + 0.5)); r > 0 {
			p.Rating = strconv.Itoa(r)
		}
		e.players[m.Player] = p.Number
		line.Members = append(line.Members, p.Number)
		e.out.Players = append(e.out.Players, p)
	}
	e.out.Teams = append(e.out.Teams, line)
}

var boardLetters = map[team.Mark]trf.Result{
	team.Unfinished: trf.NoResult, team.Won: trf.Win, team.Drawn: trf.Draw, team.Lost: trf.Loss,
	team.ForfeitWon: trf.ForfeitWin, team.ForfeitLost: trf.ForfeitLoss, team.Empty: trf.NoResult,
}

// round writes the cells of a round.
func (e *teamExporter) round(r tournament.Round) {
	byes := make(map[int]team.Kind)
	var matches []trf.Encounter
	number := func(id string) int { entry, _ := e.t.Entry(id); return entry.Number }
	for _, p := range r.Pairings {
		if p.Bye != tournament.NoBye {
			byes[number(p.Seats[0])] = team.KindOf(p.Bye)
			continue
		}
		m := trf.Encounter{White: number(p.Seats[0]), Black: number(p.Seats[1]), Ruling: e.s.Ruling(p)}
		own, _ := e.s.Split(p) // the file has a single game of a player in a round
		white := 0
		if e.turned() {
			white = 1
		}
		for i, b := range own {
			m.Boards = append(m.Boards, trf.BoardGame{
				Turned:  (e.t.Teams.SeatOne(i+1, b) == white) != (e.out.Colours[i] == 'W'),
				Players: [2]int{e.players[b.Players[0]], e.players[b.Players[1]]},
				Results: [2]trf.Result{boardLetters[team.MarkOf(b, 0)], boardLetters[team.MarkOf(b, 1)]},
			})
		}
		if e.turned() {
			m = m.Turned()
		}
		matches = append(matches, m)
	}
	e.out.AddRound(matches, byes)
}

// byes writes the byes that are requested for rounds to come.
func (e *teamExporter) byes() {
	for round := e.rounds + 1; round <= e.t.RoundCount; round++ {
		for _, letter := range []trf.Result{trf.FullPoint, trf.HalfPoint, trf.ZeroPoint} {
			bye := trf.Bye{Type: letter, Round: round}
			for _, entry := range e.t.Numbered() {
				if letters[entry.Away(round)] == letter {
					bye.Numbers = append(bye.Numbers, entry.Number)
				}
			}
			if len(bye.Numbers) > 0 {
				e.out.TeamByes = append(e.out.TeamByes, bye)
			}
		}
	}
}

// rank writes the ranks.
func (e *teamExporter) rank() error {
	rows, err := teams.Rank(teams.FieldOf(e.t, e.rounds))
	for _, row := range rows {
		if row.Rank > 0 {
			e.out.Teams[row.Number-1].Rank = strconv.Itoa(row.Rank)
		}
	}
	return err
}

// forbidden returns the forbidden pairings.
func forbidden(t *tournament.Tournament) (out []trf.Forbidden) {
	for _, ban := range t.Forbidden {
		f := trf.Forbidden{First: max(1, ban.First), Last: cmp.Or(ban.Last, trf.EveryRound)}
		for _, id := range ban.Entries {
			if entry, _ := t.Entry(id); entry.Number > 0 {
				f.Numbers = append(f.Numbers, entry.Number)
			}
		}
		if len(f.Numbers) > 1 {
			out = append(out, f)
		}
	}
	return out
}
