package exchange

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/club"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/roundrobin"
	"quatuor/tournament/standings"
	"quatuor/tournament/trf"
)

// Taken is an imported tournament, to be checked by [Imported].
type Taken struct {
	Settings tournament.Settings
	Begun    Begun         // without a seed
	Players  []club.Player // players to be created; the caller fills in CreatedBy and the time
	Original Original
	Summary
}

// Summary is the effect of an import, for the organiser to confirm.
type Summary struct {
	Notes      []sentence.Sentence // what was assumed, left open or is against the rules; at most [maxNotes]
	Lines      []trf.Use
	NewPlayers int
}

// maxNotes is the greatest number of notes.
const maxNotes = 100

// Import reads a report file. Errors wrap tournament.ErrInvalid and name line and player where they can.
func Import(text []byte, o Options, newID func() string) (*Taken, error) {
	report, err := trf.Read(text)
	if err == nil {
		err = report.Individual()
	}
	if err != nil && trf.HasTeams(text) {
		return importTeams(text, o, newID)
	}
	if err != nil {
		return nil, err
	}
	i := &importer{report: report, options: o, newID: newID, played: report.Held()}
	i.taken.Original.Text = text
	for _, note := range report.Notes {
		i.note("%s", note)
	}
	i.order()
	for _, step := range []func() error{i.settings, i.system, i.penalties, i.group, i.field, i.results, i.bans} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	i.rematches()
	i.replay()
	i.taken.Lines, i.taken.NewPlayers = report.Uses, len(i.taken.Players)
	if more := len(i.taken.Notes) - maxNotes; more > 0 {
		i.taken.Notes = i.taken.Notes[:maxNotes-1]
		i.note("there are %d notes more", more+1)
	}
	return &i.taken, nil
}

// importer is the import of a report.
type importer struct {
	report  *trf.Report
	options Options
	newID   func() string
	played  int // rounds that have been paired
	taken   Taken

	players []trf.Player // by number
	place   map[int]int  // number in the file to number here: gaps are closed
	ids     []string     // entry ids by number here, from 0
	number  map[string]int
	history pairing.History       // of all rounds, by the numbers in the file
	rated   map[[2]int]trf.Result // for the ratings alone, by round and number in the file
}

// order numbers the players from 1 without gaps.
func (i *importer) order() {
	i.players = slices.Clone(i.report.Players)
	slices.SortFunc(i.players, func(a, b trf.Player) int { return cmp.Compare(a.Number, b.Number) })
	i.rated = make(map[[2]int]trf.Result)
	for _, e := range i.report.Events {
		if e.Kind == trf.RatedAs {
			i.rated[[2]int{e.Round, e.Player}] = e.Result
		}
	}
	i.renumber(len(i.players), func(n int) int { return i.players[n].Number })
}

// renumber numbers a field from 1 without gaps; inFile returns the number in the file by place.
func (i *importer) renumber(field int, inFile func(n int) int) {
	i.place, i.number = make(map[int]int, field), make(map[string]int, field)
	gaps := false
	for n := range field {
		i.place[inFile(n)] = n + 1
		gaps = gaps || inFile(n) != n+1
		i.ids = append(i.ids, i.newID())
		i.number[i.ids[n]] = n + 1
	}
	if gaps {
		i.note("the numbers in the file have gaps; here they run from 1 to %d in the same order", field)
	}
	i.taken.Original.Entries = i.ids
}

// player returns the id of a new player for a line of the file.
func (i *importer) player(name string, p trf.Player) string {
	player := club.Player{ID: i.newID(), Name: name, BirthYear: birthYear(p.Birth)}
	i.taken.Players = append(i.taken.Players, player)
	return player.ID
}

func (i *importer) note(format string, args ...any) {
	i.taken.Notes = append(i.taken.Notes, sentence.New(format, args...))
}

func refuse(format string, args ...any) error { return tournament.NotValid(format, args...) }

// settings combines the settings of the file and of the organiser.
func (i *importer) settings() error {
	r, o := i.report, i.options
	s := &i.taken.Settings
	*s = tournament.Settings{
		Name: cmp.Or(strings.TrimSpace(o.Name), r.Name, i.unnamed()), Variant: o.Variant,
		Format: cmp.Or(o.Format, i.format()), RoundCount: cmp.Or(o.Rounds, r.Rounds), TimeControl: cmp.Or(o.TimeControl, r.EncodedTimeControl), Options: o.Options,
		Points: r.Points, Rated: o.Rated, AutoRounds: o.AutoRounds, TieBreaks: o.TieBreaks,
	}
	if err := i.rounds(); err != nil {
		return err
	}
	i.history = r.History(s.RoundCount + 1)
	if s.TimeControl == "" {
		return tournament.Fault("time_control", "the file does not say it in line 222; say it for the games to come")
	}
	if s.Format.Arrivals() {
		s.Rules.FullPointByes = i.has(trf.FullPoint)
	}
	if i.swiss() {
		s.Rules.InitialColour = i.history.Initial
		i.taken.Begun.FirstColour = i.history.Initial
	}
	i.taken.Begun.StartedAt, i.taken.Begun.FinishedAt = dayOf(r.Starts), dayOf(r.Ends)
	if s.TieBreaks != nil {
		return nil
	}
	return i.tieBreaks()
}

// rounds determines the number of rounds.
func (i *importer) rounds() error {
	s := &i.taken.Settings
	switch {
	case !s.Format.Reported():
		return tournament.Fault("format", "a report file tells of a swiss, round_robin or double_round_robin")
	case s.RoundCount == 0 && s.Format.RoundRobin():
		s.RoundCount = roundrobin.Rounds(len(i.players), s.Format.Cycles() == 2)
	case s.RoundCount == 0:
		s.RoundCount = max(1, i.played, (len([]rune(i.report.RoundDates))+9)/10) // a date has ten columns
		i.note("the file does not say how many rounds there are (line 142): %d, as many as it tells of; say it if there "+
			"are more (rounds)", s.RoundCount)
	case s.RoundCount < i.played:
		return tournament.Fault("rounds",
			"the file tells of %d rounds that have been paired; say how many there will be, not fewer than these", i.played)
	}
	return nil
}

// swiss reports whether the players are paired by the results.
func (i *importer) swiss() bool {
	f := i.taken.Settings.Format
	return !f.Fixed() && !f.Teams()
}

// unnamed returns a name for the tournament of a file that has none.
func (i *importer) unnamed() string {
	if strings.TrimSpace(i.options.Name) != "" || i.report.Name != "" {
		return ""
	}
	name := strings.TrimSpace("Tournament " + i.report.Starts)
	i.note("the file does not name the tournament (line 012): here it is called %s; say another name if you like (name)",
		name)
	return name
}

// system refuses a Swiss that is to go on by other rules than those here.
func (i *importer) system() error {
	if !i.swiss() || i.played >= i.taken.Settings.RoundCount {
		return nil
	}
	return i.report.Followed()
}

// format returns the format of the report; a double round-robin is also recognised by its number of rounds.
func (i *importer) format() tournament.Format {
	format := i.report.Format()
	if n := len(i.players); format.Cycles() == 1 && i.report.Rounds > n {
		return tournament.DoubleRoundRobin
	}
	return format
}

// has reports whether the report has a bye of this type, given or requested.
func (i *importer) has(letter trf.Result) bool {
	return slices.ContainsFunc(i.report.Byes, func(b trf.Bye) bool { return b.Type == letter }) ||
		slices.ContainsFunc(i.players, func(p trf.Player) bool {
			return slices.ContainsFunc(p.Cells, func(c trf.Cell) bool {
				return c.Result == letter || letter == trf.FullPoint && alone(c)
			})
		})
}

// alone reports whether a cell is a win by forfeit without an opponent.
func alone(c trf.Cell) bool { return c.Result == trf.ForfeitWin && c.Opponent == 0 }

// tieBreaks reads line 202, or 212 if that is missing.
func (i *importer) tieBreaks() error {
	s := &i.taken.Settings
	codes := codesOf(cmp.Or(i.report.TieBreaks, i.report.Standings))
	if len(codes) == 0 {
		s.TieBreaks = standings.Default(s.Format)
		return nil
	}
	for _, code := range codes {
		if err := standings.Check(s.Format, code); err != nil {
			return refuse("line 202, tie-breaks %s: %v; say which tie-breaks are to be used here (tie_breaks)",
				cmp.Or(i.report.TieBreaks, i.report.Standings), err)
		}
	}
	s.TieBreaks = codes
	return nil
}

// codesOf splits a list of tie-breaks; points, which come first anyway, are left out.
func codesOf(text string) []string {
	words := strings.FieldsFunc(strings.ToUpper(text), func(c rune) bool { return strings.ContainsRune(",; \t", c) })
	return slices.DeleteFunc(words, func(code string) bool { return code == "PTS" })
}

// dayOf returns the beginning of a day as reports write it, in ms UTC; 0 for any other text.
func dayOf(text string) int64 {
	for _, form := range []string{"2006/01/02", "2006-01-02", "2006.01.02"} {
		if day, err := time.Parse(form, strings.TrimSpace(text)); err == nil && day.Unix() > 0 {
			return day.UnixMilli()
		}
	}
	return 0
}

// penalties refuses points that belong to no round: a tournament cannot store them.
func (i *importer) penalties() error {
	for _, a := range i.report.Abnormal {
		if a.Type == trf.NoResult && a.Round == 0 {
			return refuse("a line 299 has a bonus or a penalty without a round; name the round in which it counts")
		}
	}
	return nil
}

// field creates entries, and players for them.
func (i *importer) field() error {
	for number := range i.options.Players {
		if i.place[number] == 0 {
			return refuse("players: there is no player %d in the file", number)
		}
	}
	for n, p := range i.players {
		name, err := club.CleanName(p.Name, 3*maxName)
		_, gone := club.GoneNumber(name)
		switch {
		case gone: // a file of this program, with a deleted person
		case p.Name == "":
			return refuse("line %d, player %d: the name in columns 15 to 47 is missing", p.Line(), p.Number)
		case err != nil:
			return refuse("line %d, player %d: the name in columns 15 to 47 cannot be taken: %v", p.Line(), p.Number, err)
		}
		rating := i.history.Field[p.Number-1].Entry.Rating
		e := tournament.Entry{ID: i.ids[n], Name: name, Rating: rating, Status: tournament.Confirmed}
		known, here := i.options.Players[p.Number]
		switch {
		case here:
			e.Members = []string{known}
		case !i.options.NamesOnly && !gone:
			e.Members = []string{i.player(name, p)}
		}
		i.taken.Begun.Entries = append(i.taken.Begun.Entries, e)
	}
	return i.leaves()
}

// birthYear returns the year of a date of birth, or 0.
func birthYear(text string) int {
	if len(text) < 4 {
		return 0
	}
	year, err := strconv.Atoi(text[:4])
	if err != nil || year < 1900 || year > 2100 {
		return 0
	}
	return year
}

// bans imports the groups of players that must not meet.
func (i *importer) bans() error {
	for _, f := range i.report.Forbidden {
		ban := tournament.Ban{First: f.First, Last: f.Last}
		if f.First == 1 {
			ban.First = 0
		}
		if f.Last == trf.EveryRound {
			ban.Last = 0
		}
		for _, number := range f.Numbers {
			if id := i.ids[i.place[number]-1]; !slices.Contains(ban.Entries, id) {
				ban.Entries = append(ban.Entries, id)
			}
		}
		if len(ban.Entries) < 2 {
			continue // a player against himself
		}
		i.taken.Begun.Forbidden = append(i.taken.Begun.Forbidden, ban)
	}
	return nil
}
