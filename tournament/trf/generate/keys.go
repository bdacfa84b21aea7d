package generate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/standings/teams"
)

// kind is the form of a key's value.
type kind uint8

const (
	whole  kind = iota // 40, or 30..60 to have it drawn
	points             // 1.5
	list               // 2500,2480,2300
	groups             // numbers that must not meet: 1,2;5,7,9
	codes              // tie-breaks: BH/C1,BH
	word               // a word of a list
)

// key is a setting of a generated tournament.
type key struct {
	name      string
	kind      kind
	low, high int      // bounds of a whole number
	usual     interval // of a whole number, to draw from if it is not given
	words     []string
	text      string
}

// interval is a range of whole numbers, both ends included.
type interval struct{ low, high int }

// keys are the settings, in the order of drawing. Those of the generators of bbpPairings and JaVaFo have their names
// and meanings.
var keys = []key{
	{"PlayersNumber", whole, 2, 5000, interval{16, 120}, nil, "players"},
	{"RoundsNumber", whole, 1, 99, interval{5, 13}, nil, "rounds"},
	{"PlayedRounds", whole, 0, 99, interval{99, 99}, nil, "rounds that are over, if not all"},
	{"DrawPercentage", whole, 0, 100, interval{10, 50}, nil, "drawn games in a hundred"},
	{"ForfeitRate", whole, 1, never, interval{10, 100}, nil, "one game in so many is forfeited"},
	{"DoubleForfeitRate", whole, 0, 1000, interval{50, 150}, nil, "forfeits in a thousand lost by both"},
	{"QuickgameRate", whole, 0, 1000, interval{0, 20}, nil, "games in a thousand that are not rated (W, D, L)"},
	{"BothLoseRate", whole, 0, 1000, interval{0, 4}, nil, "games in a thousand lost by both at the board (0–0)"},
	{"HalfLossRate", whole, 0, 1000, interval{0, 4}, nil, "games in a thousand drawn by one and lost by the other (½–0)"},
	{"HPBRate", whole, 0, 1000, interval{0, 20}, nil, "half-point byes in a thousand rounds of players"},
	{"FPBRate", whole, 0, 1000, interval{0, 2}, nil, "full-point byes in a thousand rounds of players"},
	{"ZPBRate", whole, 0, 1000, interval{0, 10}, nil, "zero-point byes in a thousand rounds of players"},
	{"HalfPointByeRate", whole, 1, never, interval{15, 200}, nil, "one player in so many has a half-point bye"},
	{"RetiredRate", whole, 1, never, interval{15, 200}, nil, "one player in so many withdraws"},
	{"ReturnRate", whole, 1, never, interval{40, 400}, nil, "one player in so many withdraws and comes back"},
	{"LateEntryRate", whole, 1, never, interval{20, 200}, nil, "one player in so many arrives late"},
	{"HighestRating", whole, 0, 9999, interval{2400, 2800}, nil, "the highest rating that is drawn"},
	{"LowestRating", whole, 0, 9999, interval{1400, 2300}, nil, "the lowest rating that is drawn"},
	{"RatingStep", whole, 0, 1000, interval{0, 0}, nil, "from the highest rating down by so much, instead of by chance"},
	{"Groups", whole, 0, 100, interval{0, 0}, nil, "the ratings fall into so many groups"},
	{"Separator", whole, 0, 1000, interval{20, 70}, nil, "points between two groups of ratings"},
	{"UnratedPercentage", whole, 0, 100, interval{0, 10}, nil, "players in a hundred without a rating"},
	{"ForbiddenPairs", whole, 0, 1000, interval{0, 3}, nil, "how many pairs must not meet"},
	{name: "Ratings", kind: list, text: "the ratings one by one; 0 is unrated"},
	{name: "Forbidden", kind: groups, text: "numbers that must not meet: 1,2;5,7,9"},
	{name: "PointsForWin", kind: points, text: "default 1"},
	{name: "PointsForDraw", kind: points, text: "default 0.5"},
	{name: "PointsForLoss", kind: points, text: "default 0"},
	{name: "PointsForZPB", kind: points, text: "zero-point byes; default as PointsForForfeitLoss"},
	{name: "PointsForForfeitLoss", kind: points, text: "default 0"},
	{name: "PointsForForfeitWin", kind: points, text: "default as PointsForWin"},
	{name: "PointsForHPB", kind: points, text: "default as PointsForDraw"},
	{name: "PointsForFPB", kind: points, text: "default as PointsForWin"},
	{name: "PointsForPAB", kind: points, text: "pairing-allocated byes; default as PointsForWin"},
	{name: "TieBreaks", kind: codes, text: "in order of importance: BH/C1,BH,SB"},
	{name: "Acceleration", kind: word, words: []string{"none", "baku"}, text: "none or baku"},
	{name: "InitialColour", kind: word, words: []string{"W", "B"}, text: "W or B"},
}

// never is the rate of events that do not happen.
const never = 1000000

// alsoCalled maps the other names of keys to theirs.
var alsoCalled = map[string]string{
	"HalfPointByteRate": "HalfPointByeRate",
	"WWPoints":          "PointsForWin", "BWPoints": "PointsForWin",
	"WDPoints": "PointsForDraw", "BDPoints": "PointsForDraw",
	"WLPoints": "PointsForLoss", "BLPoints": "PointsForLoss",
	"ZPBPoints": "PointsForZPB", "HPBPoints": "PointsForHPB", "FPBPoints": "PointsForFPB", "PABPoints": "PointsForPAB",
	"FWPoints": "PointsForForfeitWin", "FLPoints": "PointsForForfeitLoss",
}

// Settings are the given values of a tournament; the rest is drawn.
type Settings struct {
	given map[string]given
	model *model
}

// given is the value of a key.
type given struct {
	name  string // as it was spelled
	text  string
	whole interval
	worth tournament.Points
	list  []int
	lists [][]int
	codes []string
}

// Describe returns a line for each key: its name and meaning.
func Describe() []string {
	var out []string
	for _, k := range slices.Concat(keys, teamKeys) {
		usual := ""
		if k.kind == whole {
			usual = fmt.Sprintf("; if not given, from %d to %d", k.usual.low, k.usual.high)
		}
		out = append(out, fmt.Sprintf("%s: %s%s", k.name, k.text, usual))
	}
	return out
}

// Read reads a configuration, KEY=VALUE on each line; empty lines and those with a # in front are left out. Errors name
// the line.
func (s *Settings) Read(text string) error {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := s.Set(line); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return nil
}

// Set sets a value as KEY=VALUE; the last value of a key counts.
func (s *Settings) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok {
		return fmt.Errorf("%q is not KEY=VALUE", text)
	}
	known := name
	if other, ok := alsoCalled[name]; ok {
		known = other
	}
	all := slices.Concat(keys, teamKeys)
	at := slices.IndexFunc(all, func(k key) bool { return k.name == known })
	if at < 0 {
		return fmt.Errorf("there is no key %q", name)
	}
	g, err := all[at].parse(value)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	g.name, g.text = name, value
	if before, ok := s.given[known]; ok && before.name != name && before.worth != g.worth && strings.HasSuffix(name, "Points") {
		return fmt.Errorf("%s and %s differ; a result must be worth the same with both colours", before.name, name)
	}
	if s.given == nil {
		s.given = make(map[string]given)
	}
	s.given[known] = g
	return nil
}

// parse reads the value of a key.
func (k key) parse(text string) (g given, err error) {
	switch k.kind {
	case whole:
		g.whole, err = k.interval(text)
	case points:
		g.worth, err = pointsOf(text)
	case list:
		g.list, err = numbers(text, 0, 9999)
	case groups:
		for part := range strings.SplitSeq(text, ";") {
			numbers, err := numbers(part, 1, 9999)
			if err == nil && len(numbers) < 2 {
				err = fmt.Errorf("%q needs two numbers or more", part)
			}
			if err != nil {
				return g, err
			}
			g.lists = append(g.lists, numbers)
		}
	case codes:
		for code := range strings.SplitSeq(strings.ToUpper(text), ",") {
			code, err := canonical(strings.TrimSpace(code))
			if err != nil {
				return g, err
			}
			g.codes = append(g.codes, code)
		}
	case word:
		if !slices.ContainsFunc(k.words, func(w string) bool { return strings.EqualFold(w, text) }) {
			err = fmt.Errorf("%q is not one of %s", text, strings.Join(k.words, ", "))
		}
	}
	return g, err
}

// canonical returns the canonical code of players, or else of teams.
func canonical(code string) (string, error) {
	out, err := standings.Canonical(tournament.Swiss, code)
	if err != nil && teams.Check(false, code) == nil {
		return code, nil
	}
	return out, err
}

// interval reads 40 or 30..60. The rates of bbpPairings may have a fraction, which is cut off.
func (k key) interval(text string) (interval, error) {
	from, to, ranged := strings.Cut(text, "..")
	if !ranged {
		from, _, _ = strings.Cut(from, ".")
		to = from
	}
	low, err := number(from, k.low, k.high)
	if err != nil {
		return interval{}, err
	}
	high, err := number(to, k.low, k.high)
	if err == nil && high < low {
		err = fmt.Errorf("%q is empty", text)
	}
	return interval{low, high}, err
}

func number(text string, low, high int) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%q is not a whole number from %d to %d", text, low, high)
	}
	return n, nil
}

func numbers(text string, low, high int) (out []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := number(part, low, high)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func pointsOf(text string) (tournament.Points, error) {
	whole, tenths, _ := strings.Cut(text, ".")
	if whole == "" {
		whole = "0"
	}
	tenths = strings.TrimRight(tenths, "0")
	if tenths == "" {
		tenths = "0"
	}
	w, err := number(whole, 0, 99)
	t, err2 := number(tenths, 0, 9)
	if err != nil || err2 != nil {
		return 0, fmt.Errorf("%q is not a number of points, such as 1.5", text)
	}
	return tournament.Points(10*w + t), nil
}

// teamKeys are the settings of tournaments of teams. They are not drawn for players, so that seeds of players keep
// their files.
var teamKeys = []key{
	{"Teams", whole, 2, 500, interval{6, 40}, nil, "makes a tournament of so many teams, instead of players"},
	{"Boards", whole, 1, 20, interval{2, 6}, nil, "boards of a match"},
	{"Reserves", whole, 0, 20, interval{0, 3}, nil, "members of a team beyond its boards"},
	{"MatchForfeitRate", whole, 1, never, interval{20, 200}, nil, "one match in so many is forfeited as a whole"},
	{"EmptyBoardRate", whole, 0, 1000, interval{0, 20}, nil, "boards in a thousand that a team leaves empty"},
	{"OrderRate", whole, 0, 1000, interval{0, 100}, nil, "line-ups in a thousand in another order than that of the team"},
	{name: "PointsForMatchWin", kind: points, text: "default 2"},
	{name: "PointsForMatchDraw", kind: points, text: "default 1"},
	{name: "PointsForMatchLoss", kind: points, text: "default 0"},
	{name: "Preference", kind: word, words: []string{"A", "B", "none"}, text: "of colours: A, B or none; drawn if not given"},
	{name: "Primary", kind: word, words: []string{"MP", "GP"}, text: "the score that pairs and ranks; drawn if not given"},
	{
		name: "Secondary", kind: word, words: []string{"other", "none"},
		text: "whether the other score decides, too; drawn if not given",
	},
}

// ofPlayers are the keys without effect on teams.
var ofPlayers = []string{
	"PlayersNumber", "ReturnRate", "RatingStep", "Groups", "Separator", "Ratings", "HalfPointByeRate", "PointsForZPB",
	"PointsForForfeitLoss", "PointsForForfeitWin", "PointsForHPB", "PointsForFPB", "PointsForPAB",
}

// HasTeams reports whether a tournament of teams is to be made.
func (s Settings) HasTeams() bool {
	return s.given["Teams"].name != "" || s.model != nil && s.model.teams != nil
}

// checkTeams refuses what cannot be set for teams.
func (s Settings) checkTeams() error {
	if s.model != nil && s.model.teams == nil {
		return fmt.Errorf("a model of players does not go with Teams=%s", s.given["Teams"].text)
	}
	for _, name := range ofPlayers {
		if said, ok := s.given[name]; ok {
			return fmt.Errorf("%s does not go with teams", said.name)
		}
	}
	return nil
}

// checkPlayers refuses what only teams have.
func (s Settings) checkPlayers() error {
	for _, k := range teamKeys {
		if _, ok := s.given[k.name]; ok {
			return fmt.Errorf("%s goes with Teams=N only", k.name)
		}
	}
	return nil
}
