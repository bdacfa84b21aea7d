package tournament

// Format names a tournament system as the API spells it.
type Format string

// The formats.
const (
	RoundRobin       Format = "round_robin"
	DoubleRoundRobin Format = "double_round_robin"
	Swiss            Format = "swiss"
	Knockout         Format = "knockout"
	TableSwiss       Format = "table_swiss"
	TableRoundRobin  Format = "table_round_robin"
	Keizer           Format = "keizer"
	Arena            Format = "arena"

	TeamSwiss            Format = "team_swiss"
	TeamRoundRobin       Format = "team_round_robin"
	TeamDoubleRoundRobin Format = "team_double_round_robin"
	TeamKnockout         Format = "team_knockout"
	TeamScheveningen     Format = "team_scheveningen"
)

// Traits are the differences between formats. Code outside the package of a format reads a trait, never a name.
type Traits struct {
	Format      Format
	Sides       Sides
	Course      Course
	Late        LateBye
	Ranking     Ranking
	Cycles      int    // how often each pair of entries meets in a round-robin; 0 in other formats
	Teams       bool   // entries are teams that meet in matches over several boards
	LineUps     bool   // captains of teams file line-ups; otherwise these follow from a table
	Accelerates bool   // strong entries may meet early
	DrawsColour bool   // the initial colour is drawn by lot at the start
	Adjourns    bool   // rounds may go on before adjourned games are over
	Report      Report // the zero value where FIDE's report file can hold no tournament of the format
}

// Sides is the number of entries at a board.
type Sides uint8

// The sides.
const (
	InDuels  Sides = iota // two
	InTables              // three to five
	InEither              // two to five, as the variant has seats
)

// Course is the order of the rounds of a format.
type Course uint8

// The courses.
const (
	Planned    Course = iota // as many rounds as were planned, whose pairings follow the results
	Tabled                   // a table has all pairings before the first result
	Bracketed                // the losers of a round are out, until one entry is left
	ByEvenings               // rounds without end; players announce themselves for each
	Continuous               // a single round that pairs free players until its time is over
)

// LateBye is the treatment of entries that come after the start.
type LateBye uint8

// What late entries get.
const (
	NoLate   LateBye = iota // they are refused
	LateByes                // a bye for each round that they missed; the others may request byes
	LateFree                // their first opponent
)

// Ranking is the order of the standings.
type Ranking uint8

// The rankings.
const (
	BySum     Ranking = iota // points and tie-breaks
	ByBracket                // how far they came
	ByValue                  // points weighted with the ranks of the opponents
	ByStreak                 // points weighted with the results before
)

// Report is the name of a format in FIDE's report file.
type Report struct {
	Kind   string // line 092
	System string // line 192; "" where Kind implies it
}

// Formats has a row for each format, in the order of forms.
var Formats = []Traits{
	{
		Format: Swiss, Late: LateByes, Accelerates: true, DrawsColour: true, Adjourns: true,
		Report: Report{"Individual: Swiss-System", "FIDE_DUTCH"},
	},
	{Format: RoundRobin, Course: Tabled, Cycles: 1, Adjourns: true, Report: Report{"Individual: Round-Robin", ""}},
	{
		Format: DoubleRoundRobin, Course: Tabled, Cycles: 2, Adjourns: true,
		Report: Report{"Individual: Double Round-Robin", ""},
	},
	{Format: Knockout, Course: Bracketed, Ranking: ByBracket, DrawsColour: true},
	{Format: TableSwiss, Sides: InTables, Late: LateByes},
	{Format: TableRoundRobin, Sides: InTables},
	{Format: Keizer, Sides: InEither, Course: ByEvenings, Late: LateByes, Ranking: ByValue},
	{Format: Arena, Sides: InEither, Course: Continuous, Late: LateFree, Ranking: ByStreak},
	{
		Format: TeamSwiss, Late: LateByes, Teams: true, LineUps: true, Accelerates: true, DrawsColour: true,
		Report: Report{"Team: Swiss-System", "FIDE_TEAM"},
	},
	{
		Format: TeamRoundRobin, Course: Tabled, Cycles: 1, Teams: true, LineUps: true,
		Report: Report{"Team: Round-Robin", "FIDE_TEAM_ROUNDROBIN"},
	},
	{
		Format: TeamDoubleRoundRobin, Course: Tabled, Cycles: 2, Teams: true, LineUps: true,
		Report: Report{"Team: Double Round-Robin", "FIDE_TEAM_DOUBLEROUNDROBIN"},
	},
	{Format: TeamKnockout, Course: Bracketed, Ranking: ByBracket, Teams: true, LineUps: true, DrawsColour: true},
	{Format: TeamScheveningen, Course: Tabled, Teams: true, Report: Report{"Team: Scheveningen", "FIDE_TEAM_SCHEVENINGEN"}},
}

// System is the behaviour of a format in the steps of the core, where it differs from all other formats.
type System interface {
	// Begin changes a tournament that starts at a time, whose entries have their numbers, and returns all that the start
	// changed.
	Begin(t *Tournament, at int64) Delta
	// Over changes a pairing that has just got its result at a time, and the entries at it.
	Over(t *Tournament, p *Pairing, at int64, delta *Delta)
	// Cards returns the cards of the numbered entries, equally long.
	Cards(t *Tournament) []Card
}

// Systems has the formats with behaviour of their own; the package of a format adds its row.
var Systems = map[Format]System{}

// FormatsWith returns the formats that have a trait, nil for all, in the order of [Formats].
func FormatsWith(trait func(Format) bool) (list []Format) {
	for i := range Formats {
		if f := Formats[i].Format; trait == nil || trait(f) {
			list = append(list, f)
		}
	}
	return list
}

// Traits returns the row of a format; without any trait for an unknown format.
func (f Format) Traits() *Traits {
	for i := range Formats {
		if Formats[i].Format == f {
			return &Formats[i]
		}
	}
	return &Traits{Format: f}
}

// Teams reports whether a format has teams that meet in matches over several boards.
func (f Format) Teams() bool { return f.Traits().Teams }

// FilesLineUps reports whether captains of teams file line-ups.
func (f Format) FilesLineUps() bool { return f.Traits().LineUps }

// Tables reports whether a format has tables of three to five instead of games of two.
func (f Format) Tables() bool { return f.Traits().Sides == InTables }

// MayHaveTables reports whether a format has tables in variants of three to five seats.
func (f Format) MayHaveTables() bool { return f.Traits().Sides != InDuels }

// DrawsTables reports whether each round draws tables from the standings.
func (f Format) DrawsTables() bool { return f.Tables() && f.Arrivals() }

// PlacePoints reports whether a format with tables counts points for places as they are set.
func (f Format) PlacePoints() bool { return f.MayHaveTables() && f.Traits().Ranking != ByStreak }

// ScoresItself reports whether the ranking counts games by rules of its own, and knows them as won, drawn or lost alone.
func (f Format) ScoresItself() bool {
	return f.Traits().Ranking == ByValue || f.Traits().Ranking == ByStreak
}

// Cycles returns how often each pair of entries meets: 1 or 2 in round-robins, 0 in other formats.
func (f Format) Cycles() int { return f.Traits().Cycles }

// RoundRobin reports whether each entry meets all others at a board.
func (f Format) RoundRobin() bool { return f.Cycles() > 0 }

// Fixed reports whether the pairings of a format follow from tables, whatever the results.
func (f Format) Fixed() bool { return f.Traits().Course == Tabled }

// Eliminates reports whether the loser of a match is out: the format has a bracket.
func (f Format) Eliminates() bool { return f.Traits().Course == Bracketed }

// Decides reports whether a pairing is a match of as many games as it takes to find a winner.
func (f Format) Decides() bool { return f.Eliminates() && !f.Teams() }

// ByEvenings reports whether players announce themselves for each round, and the organiser ends the rounds.
func (f Format) ByEvenings() bool { return f.Traits().Course == ByEvenings }

// Continuous reports whether free players are paired for as long as the tournament lasts.
func (f Format) Continuous() bool { return f.Traits().Course == Continuous }

// Arrivals reports whether a format has late entries and byes on request: its pairings follow the results, and no entry
// is out before the end.
func (f Format) Arrivals() bool { return f.Traits().Late == LateByes }

// LateEntries reports whether a format takes entries after the start.
func (f Format) LateEntries() bool { return f.Traits().Late != NoLate }

// PointByes reports whether byes on request are worth points.
func (f Format) PointByes() bool { return f.Arrivals() && !f.ByEvenings() }

// AdvisesRounds reports whether the number of rounds is the organiser's choice, to be advised by the number of players.
func (f Format) AdvisesRounds() bool { return f.PointByes() && !f.MayHaveTables() && !f.Teams() }

// Reported reports whether FIDE's report file can hold tournaments of a format.
func (f Format) Reported() bool { return f.Traits().Report != Report{} }

// Adjourns reports whether rounds may go on before adjourned games are over.
func (f Format) Adjourns() bool { return f.Traits().Adjourns }

// Accelerates reports whether a format can have an acceleration.
func (f Format) Accelerates() bool { return f.Traits().Accelerates }

// DrawsColour reports whether the initial colour is drawn by lot at the start.
func (f Format) DrawsColour() bool { return f.Traits().DrawsColour }
