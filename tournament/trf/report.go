// Package trf reads and writes tournament report files (TRF), FIDE's format for the exchange of tournaments. TRF16
// and TRF-2026 are read, TRF-2026 is written; unknown lines are kept and written back in their place.
//
// A report is text, one record a line; the type of a record is its first three characters:
//
//	001           a player with all rounds (columns below)
//	012 022 032   name, city, federation of the tournament
//	042 052       first and last day
//	062 072 082   number of players, of rated players, of teams
//	092           type, in words
//	102 112       arbiter, deputies (each on a line)
//	122 132       time control in words, dates of the rounds
//	142  or XXR   number of rounds
//	152  or XXC   initial colour
//	162           points for W win, D draw, L loss, A (or Z) absence, P pairing-allocated bye, X unknown result
//	182 192       pairing officer or program, pairing system
//	202 212 222   tie-breaks, order of the standings, encoded time control
//	240           byes on request: type, round, numbers
//	250  or XXA   virtual points of an accelerated tournament: points, rounds from–to, numbers from–to
//	260  or XXP   pairs that must not be made: rounds from–to, numbers
//	XXS, BBW …    points, as JaVaFo and bbpPairings write them
//	XXZ           numbers that miss the round to be paired
//	299           points other than those of 162 for a result, in a round (or all) to these numbers (or all)
//	###           comments; those of this program are acts that other lines do not show, see [Event]
//
// Columns of a 001 line, counted in characters from 1:
//
//	5–8 number   10 sex       11–13 title   15–47 name     49–52 rating   54–56 federation
//	58–68 id     70–79 birth  81–84 points  86–89 rank
//	from 90 on, ten for each round: 3–6 opponent, 8 colour (w, b, -), 10 result
//
// Results and their meaning for pairings (C.04.1–C.04.3) and points (162):
//
//	1 = 0  W D L   a game, the letters for less than a move        W D L
//	+ -            forfeit: no meeting, no colour                  W A
//	H F Z          half-, full-, zero-point bye on request         D W A
//	U              pairing-allocated bye                           P
//	blank          absent, or with an opponent: no result yet      A, or nothing
package trf

import (
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// Report is the content of a report file.
type Report struct {
	Name, City, Federation string
	Starts, Ends           string // as written: 2026/02/01
	RatedPlayers, Teams    string
	Kind                   string
	Arbiter                string
	Deputies               []string
	TimeControl            string
	RoundDates             string // in ten columns for each round, unchanged from column 92 on
	Rounds                 int    // planned, 0 if unknown
	Initial                pairing.Colour
	Points                 tournament.PointSystem // an absence counts as ForfeitLoss
	Unknown                tournament.Points      // for a game without result
	Controller, System     string
	TieBreaks, Standings   string
	EncodedTimeControl     string

	Players   []Player
	Byes      []Bye
	Virtual   []Virtual
	Forbidden []Forbidden
	Abnormal  []Abnormal
	Events    []Event
	Other     []Other

	Uses  []Use    // treatment of the lines, by kind in the order of appearance
	Notes []string // what was read otherwise than it is written: encodings, tabs

	roundsLine int          // that has the number of rounds
	absent     []int        // of XXZ lines: they miss the round to be paired
	mentions   []mention    // of players in other lines than their own
	unfollowed []unfollowed // lines that would change a pairing
}

// Player is a 001 line.
type Player struct {
	Number                           int
	Sex, Title, Name, Federation, ID string
	Rating, Birth                    string
	Points                           tournament.Points
	Rank                             int // 0 if unknown
	Cells                            []Cell
	line                             int
	gaps                             []int // columns between fields that are not blank
	NoPoints                         bool  // columns 81 to 84 are blank
}

// Cell is a round of a player.
type Cell struct {
	Opponent int            // 0 for none
	Colour   pairing.Colour // 0 for none
	Result   Result
}

// Result is the letter of a cell.
type Result byte

// The letters. Small letters are read, too. W, D and L are those of games that count in the tournament and are not
// rated: FIDE's of less than one move, and those with a bot.
const (
	NoResult    Result = ' '
	Win         Result = '1'
	Draw        Result = '='
	Loss        Result = '0'
	ShortWin    Result = 'W'
	ShortDraw   Result = 'D'
	ShortLoss   Result = 'L'
	ForfeitWin  Result = '+'
	ForfeitLoss Result = '-'
	HalfPoint   Result = 'H'
	FullPoint   Result = 'F'
	Allocated   Result = 'U'
	ZeroPoint   Result = 'Z'
)

// Bye is a 240 line: these players requested a bye in this round.
type Bye struct {
	Type    Result // HalfPoint, FullPoint or ZeroPoint
	Round   int
	Numbers []int
}

// Virtual is a 250 line: players From to To get these additional points when the rounds First to Last are paired.
type Virtual struct {
	Points      tournament.Points
	First, Last int
	From, To    int
}

// Forbidden is a 260 line: no two of these players may meet in the rounds First to Last.
type Forbidden struct {
	First, Last int
	Numbers     []int
}

// Abnormal is a 299 line: this result has other points than those of the point system.
type Abnormal struct {
	Type    Result // the letter of the result; NoResult adds a bonus to whatever the round brought
	Points  tournament.Points
	Round   int   // 0 in every round
	Numbers []int // nil for all
}

// EveryRound is the last round of a ban that names none, and the greatest number of three columns.
const EveryRound = 999

// Other is a line that has no meaning here.
type Other struct {
	After int // number of players before it
	Text  string
}
