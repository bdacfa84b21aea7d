package exchange

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/tournament"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

// Audience is the readership of a report.
type Audience uint8

// The audiences. Public reports leave out which players must not meet, sexes and dates of birth, and the
// original's unknown lines.
const (
	Public Audience = iota
	Staff
)

// maxName and maxTeamName are the greatest numbers of characters of names in a report.
const (
	maxName     = 33
	maxTeamName = 32
)

func notReported(f tournament.Format) error {
	return refuse("a report file tells of a swiss or a round-robin, and this is a %s; there are csv, json and record", f)
}

// Export returns a tournament as a report file: everything up to the last published round, and the byes of the rounds
// to come. original is the imported file, nil if the tournament was started here. Errors wrap tournament.ErrState
// before the start, and tournament.ErrInvalid for formats that a report cannot hold.
func Export(t *tournament.Tournament, original *Original, audience Audience) (*trf.Report, error) {
	switch {
	case !t.Format.Reported():
		return nil, notReported(t.Format)
	case len(t.Numbered()) == 0:
		return nil, tournament.NotNow("the tournament has not started, so its entries have no numbers yet")
	}
	kept, err := original.read()
	if err != nil {
		return nil, err
	}
	table, err := standings.After(t, 0)
	if err != nil {
		return nil, err
	}
	e := &exporter{t: t, audience: audience, rounds: t.PublishedRounds(), kept: keptOf(t, kept, original)}
	e.header()
	e.players(table)
	e.records()
	return &e.out, nil
}

// exporter writes a report.
type exporter struct {
	t        *tournament.Tournament
	audience Audience
	rounds   int // rounds that are written
	kept     kept
	out      trf.Report
}

// header writes the data of the whole tournament.
func (e *exporter) header() {
	t, r, k := e.t, &e.out, e.kept.report
	*r = trf.Report{
		Name: t.Name, City: k.City, Federation: k.Federation, Starts: k.Starts, Ends: k.Ends,
		RatedPlayers: k.RatedPlayers, Teams: k.Teams, Kind: cmp.Or(k.Kind, t.Format.Traits().Report.Kind), Arbiter: k.Arbiter,
		Deputies: k.Deputies, TimeControl: cmp.Or(k.TimeControl, t.TimeControl), RoundDates: e.dates(),
		Rounds: t.RoundCount, Initial: t.FirstColour, Points: t.Points, Unknown: t.Points.Draw,
		Controller: cmp.Or(k.Controller, "quatuor"), System: cmp.Or(k.System, e.system()),
		TieBreaks: strings.Join(t.TieBreaks, ","), Standings: strings.Join(append([]string{"PTS"}, t.TieBreaks...), ","),
		EncodedTimeControl: k.EncodedTimeControl,
	}
	if !e.kept.original {
		r.Starts = day(t.StartedAt)
	}
	if r.Ends == "" && (!e.kept.original || e.rounds > e.kept.rounds) {
		r.Ends = day(t.FinishedAt)
	}
	r.Points.ForfeitWin = r.Points.Win // the format has no code for it; lines 299 have it
	if e.kept.original {
		r.Unknown = k.Unknown
		if slices.Equal(codesOf(k.TieBreaks), t.TieBreaks) {
			r.TieBreaks = k.TieBreaks
		}
		if slices.Equal(codesOf(k.Standings), t.TieBreaks) {
			r.Standings = k.Standings
		}
	}
	if r.EncodedTimeControl == "" && plainControl(t.TimeControl) {
		r.EncodedTimeControl = t.TimeControl
	}
	numbered := t.Numbered()
	if r.RatedPlayers == "" || len(numbered) != len(k.Players) {
		numbered = slices.DeleteFunc(numbered, func(entry tournament.Entry) bool { return entry.Rating <= 0 })
		r.RatedPlayers = strconv.Itoa(len(numbered))
	}
}

// system returns the code of the pairing system; round-robins are identified by their type.
func (e *exporter) system() string {
	code := e.t.Format.Traits().Report.System
	if e.t.Rules.Acceleration == tournament.Baku {
		return code + "_BAKU"
	}
	return code
}

// plainControl reports whether a time control is spelled the same in reports: seconds, or seconds+seconds.
func plainControl(text string) bool {
	base, extra, plus := strings.Cut(text, "+")
	_, err := strconv.Atoi(base)
	if plus && err == nil {
		_, err = strconv.Atoi(extra)
	}
	return err == nil
}

// day formats a date as reports do; "" for none.
func day(at int64) string {
	if at == 0 {
		return ""
	}
	return time.UnixMilli(at).UTC().Format("2006/01/02")
}

// dates returns the dates of the rounds, in ten columns each: those of the file, then those of publication here.
func (e *exporter) dates() string {
	const width = 10
	b := []rune(e.kept.report.RoundDates)
	for round := range e.rounds {
		if e.kept.original && round < e.kept.rounds || len(b) > width*round {
			continue
		}
		blank := strings.Repeat(" ", width*round-len(b))
		b = append(b, []rune(blank+time.UnixMilli(e.t.Rounds[round].PublishedAt).UTC().Format("06/01/02"))...)
	}
	return string(b)
}

// records writes byes to come, virtual points, forbidden pairs and unknown lines.
func (e *exporter) records() {
	t, r := e.t, &e.out
	for round := e.rounds + 1; round <= t.RoundCount; round++ {
		for _, letter := range []trf.Result{trf.HalfPoint, trf.FullPoint, trf.ZeroPoint} {
			bye := trf.Bye{Type: letter, Round: round}
			for _, entry := range t.Numbered() {
				if letters[entry.Away(round)] == letter {
					bye.Numbers = append(bye.Numbers, entry.Number)
				}
			}
			if len(bye.Numbers) > 0 {
				r.Byes = append(r.Byes, bye)
			}
		}
	}
	e.virtual()
	for _, event := range e.kept.report.Events {
		event.Player = e.kept.number(event.Player)
		if event.Kind != trf.RatedAs {
			r.Events = append(r.Events, event)
		}
	}
	e.ratedAs()
	if e.audience != Staff {
		return
	}
	r.Forbidden = forbidden(t)
	r.Other = e.kept.other(len(r.Players))
}

// ratedAs writes the results that were corrected for the ratings alone.
func (e *exporter) ratedAs() {
	for _, round := range e.t.Rounds[:e.rounds] {
		for _, p := range round.Pairings {
			if p.Result == nil || p.Result.RatedAs == nil {
				continue
			}
			for seat, id := range p.Seats {
				entry, _ := e.t.Entry(id)
				e.out.Events = append(e.out.Events, trf.Event{
					Kind: trf.RatedAs, Round: round.Number, Player: entry.Number, Result: letterOf(p.Result.RatedAs, seat),
				})
			}
		}
	}
}

// virtual writes the virtual points, or those of the original where they no longer affect any player.
func (e *exporter) virtual() {
	t, r := e.t, &e.out
	group := t.GroupA()
	if group == 0 {
		for _, v := range e.kept.report.Virtual {
			v.From, v.To = e.kept.number(v.From), e.kept.number(v.To)
			r.Virtual = append(r.Virtual, v)
		}
		return
	}
	points := swiss.Baku(group, t.RoundCount, t.Points)
	for round := 1; round <= t.RoundCount; round++ {
		worth := points(1, round)
		last := len(r.Virtual) - 1
		switch {
		case worth == 0:
		case last >= 0 && r.Virtual[last].Points == worth:
			r.Virtual[last].Last = round
		default:
			r.Virtual = append(r.Virtual, trf.Virtual{Points: worth, First: round, Last: round, From: 1, To: group})
		}
	}
}
