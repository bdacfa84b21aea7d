package team_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
	"quatuor/tournament/team"
)

// boards returns n boards of a game.
func boards(n int, game string) []tournament.TeamBoard {
	return slices.Repeat([]tournament.TeamBoard{{Game: game}}, n)
}

func TestSettingsAreCompleted(t *testing.T) {
	s := team.Settings{Boards: boards(5, "quixo/duel")}.Complete()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `"colours":"WBWBW","match_points":{"win":20,"draw":10,"loss":0},` +
		`"game_points":{"win":10,"draw":5,"loss":0,"absence":0},"primary":"MP","secondary":"GP","preference":"A",` +
		`"pab":{"mp":10,"gp":25},"order":"free","rating_margin":100,"gaps":"bottom","squad":{"least":5,"most":9},` +
		`"deadline_minutes":10,"minimum":3,"knockout_breaks":["BC","TBR","BBE","RAPID","LOT"],"legs":1}`
	if !strings.HasSuffix(string(text), want) {
		t.Errorf("%s, want %s", text, want)
	}
	if faults := team.Check(tournament.TeamRules(s)); len(faults) > 0 {
		t.Error(faults)
	}
	var again team.Settings
	if err := json.Unmarshal(text, &again); err != nil || again.Complete().Colours != "WBWBW" || *again.PAB != *s.PAB {
		t.Errorf("read again: %+v, %v", again, err)
	}
	if !s.HasSeatOne(tournament.White, 1) || s.HasSeatOne(tournament.White, 2) || !s.HasSeatOne(tournament.Black, 2) {
		t.Error("the seats are not those of the colours")
	}
}

func TestSettingsAreRefused(t *testing.T) {
	margin := -1
	for field, change := range map[string]func(*team.Settings){
		"boards":          func(s *team.Settings) { s.Boards = boards(9, "quits/duel") },
		"colours":         func(s *team.Settings) { s.Colours = "WBW" },
		"match_points":    func(s *team.Settings) { s.MatchPoints = &team.MatchPoints{Win: 10, Draw: 20} },
		"game_points":     func(s *team.Settings) { s.GamePoints = &team.GamePoints{} },
		"primary":         func(s *team.Settings) { s.Primary, s.Secondary = "XP", team.MP },
		"secondary":       func(s *team.Settings) { s.Secondary = team.MP },
		"preference":      func(s *team.Settings) { s.Preference = "C" },
		"order":           func(s *team.Settings) { s.Order = "age" },
		"gaps":            func(s *team.Settings) { s.Gaps = "top" },
		"rating_margin":   func(s *team.Settings) { s.RatingMargin = &margin },
		"squad/least":     func(s *team.Settings) { s.Squad.Least = 5 },
		"squad/most":      func(s *team.Settings) { s.Squad.Most = 3 },
		"minimum":         func(s *team.Settings) { s.Minimum = 5 },
		"knockout_breaks": func(s *team.Settings) { s.KnockoutBreaks = []team.Decider{team.ByLot, team.ByLot} },
		"pab":             func(s *team.Settings) { s.PAB = &team.Totals{MP: 30} },
	} {
		s := team.Settings{Boards: boards(4, "quits/duel")}.Complete()
		change(&s)
		if faults := team.Check(tournament.TeamRules(s)); len(faults) == 0 || faults[0].Field != field {
			t.Errorf("%s: %v", field, faults)
		}
	}
}

// squad returns a squad in the order of registration, with these ratings in the same game; 0 for an unrated member.
func squad(ratings ...float64) team.Squad {
	q := team.Squad{Name: "Club"}
	for i, r := range ratings {
		m := team.Member{Player: string(rune('a' + i)), Name: strings.ToUpper(string(rune('a' + i)))}
		if r > 0 {
			m.Ratings = map[string]float64{"quixo/duel": r}
		}
		q.Members = append(q.Members, m)
	}
	return q
}

func lineUp(text string) team.LineUp {
	var l team.LineUp
	for _, player := range text {
		l = append(l, strings.Trim(string(player), "-"))
	}
	return l
}

func text(l team.LineUp) (out string) {
	for _, player := range l {
		out += player + strings.Repeat("-", 1-len(player))
	}
	return out
}

// TestLineUpsKeepTheirOrder: each rule of the order, with and without gaps.
func TestLineUpsKeepTheirOrder(t *testing.T) {
	q := squad(1800, 1700, 0, 1950, 1650)
	for _, test := range []struct {
		order team.Order
		gaps  team.GapRule
		filed string
		want  string // the line-up, or the beginning of the refusal
	}{
		{team.FreeOrder, team.GapsBottom, "dcba", "dcba"},
		{team.FreeOrder, team.GapsBottom, "d-b", "db--"},
		{team.FreeOrder, team.GapsAny, "d-b", "d-b-"},
		{team.FreeOrder, team.GapsBottom, "aba", "A is on board 1 and on board 3"},
		{team.FreeOrder, team.GapsBottom, "ax", "board 2: x is not in the squad of Club"},
		{team.FreeOrder, team.GapsBottom, "abcde", "the line-up has 5 places, and there are 4 boards"},
		{team.FixedOrder, team.GapsBottom, "acd-", "acd-"},
		{
			team.FixedOrder, team.GapsBottom, "abdc", "order fixed: D (board 3) is registered after C (board 4), and players sit " +
				"in the order of registration; their ratings are 1950 and –",
		},
		{team.RatingOrder, team.GapsBottom, "dab", "dab-"},
		{team.RatingOrder, team.GapsBottom, "dbac", "dbac"}, // 100 lower is the margin
		{team.RatingOrder, team.GapsBottom, "dcea", "order rating: E (board 3) has 1650 and sits above A (board 4) with 1800, and 100 is the most"},
		{team.RatingOrder, team.GapsBottom, "ad", "order rating: A (board 1) has 1800 and sits above D (board 2) with 1950"},
		{team.RatingOrder, team.GapsBottom, "cdab", "cdab"}, // unrated are free
	} {
		s := team.Settings{Boards: boards(4, "quixo/duel"), Order: test.order, Gaps: test.gaps}.Complete()
		l, err := s.LineUp(q, lineUp(test.filed))
		if err != nil {
			if !strings.HasPrefix(err.Error(), test.want) || !errors.Is(err, tournament.ErrInvalid) {
				t.Errorf("%s %s: %v, want %s", test.order, test.filed, err, test.want)
			}
		} else if text(l) != test.want {
			t.Errorf("%s %s: %s, want %s", test.order, test.filed, text(l), test.want)
		}
	}
}

// TestLineUpsByGame checks the order of registration on boards of the same game, that no rule holds across games, and
// that only registered players sit there.
func TestLineUpsByGame(t *testing.T) {
	q := squad(1800, 1700, 1600, 1500)
	q.Members[0].Games, q.Members[2].Games = []string{"quixo/duel"}, []string{"quits/duel"}
	s := team.Settings{Boards: append(boards(2, "quixo/duel"), boards(2, "quits/duel")...), Order: team.GameOrder}.Complete()
	for filed, want := range map[string]string{
		"adbc": "", "abcd": "", "bacd": "order game: B (board 1) is registered after A (board 2) for quixo/duel",
		"cbad": "board 1: C is not registered for quixo/duel", "badc": "order game",
	} {
		if _, err := s.LineUp(q, lineUp(filed)); want == "" && err != nil || want != "" && (err == nil ||
			!strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", filed, err, want)
		}
	}
}

// TestSubstitutes checks that a substitute takes the place, or a lower place where the order demands it, before
// anything has begun there.
func TestSubstitutes(t *testing.T) {
	q := squad(1900, 1800, 1700, 1600, 1500)
	none := func(int) bool { return false }
	for _, test := range []struct {
		order   team.Order
		board   int
		player  string
		started func(int) bool
		want    string
	}{
		{team.FreeOrder, 1, "e", none, "ebc"},
		{team.FixedOrder, 1, "e", none, "bce"},
		{team.RatingOrder, 2, "d", none, "adc"}, // 100 lower is the margin
		{team.RatingOrder, 2, "e", none, "ace"},
		{team.FixedOrder, 2, "a", none, "the substitute sits on board 1 already"},
		{team.FixedOrder, 1, "e", func(board int) bool { return board == 2 }, "a move was made on board 2"},
		{team.FreeOrder, 1, "x", none, "board 1: x is not in the squad"},
		{team.FreeOrder, 4, "d", none, "there is no board 4"},
	} {
		s := team.Settings{Boards: boards(3, "quixo/duel"), Order: test.order}.Complete()
		l, err := s.Substitute(q, lineUp("abc"), test.board, test.player, test.started)
		if got := text(l); err == nil && got != test.want || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s for board %d by %s: %s, %v, want %s", test.player, test.board, test.order, got, err, test.want)
		}
	}
}

func TestStandingLineUps(t *testing.T) {
	q := squad(1, 1, 1, 1, 1)
	q.Members[1].Withdrawn = true
	s := team.Settings{Boards: boards(3, "quixo/duel")}.Complete()
	if got := text(s.Standing(q, nil)); got != "acd" {
		t.Errorf("without a line-up before: %s", got)
	}
	if got := text(s.Standing(q, lineUp("ebx"))); got != "e--" {
		t.Errorf("with one before: %s", got)
	}
}

// TestMatchesAreScored: the comparison of game points, forfeits of boards and of matches, and byes.
func TestMatchesAreScored(t *testing.T) {
	s := team.Settings{Boards: boards(4, "quixo/duel")}.Complete()
	marks := map[rune]team.Mark{
		'1': team.Won, '=': team.Drawn, '0': team.Lost, '+': team.ForfeitWon, '-': team.ForfeitLost, ' ': team.Empty,
		'?': team.Unfinished,
	}
	read := func(text string) (out []team.Mark) {
		for _, c := range text {
			out = append(out, marks[c])
		}
		return out
	}
	for _, test := range []struct {
		own, theirs string
		ruling      team.Ruling
		kind        team.Kind
		mp, gp      tournament.Points
	}{
		{"1=0=", "0=1=", team.NoRuling, team.Played, 10, 20},
		{"11+0", "00-1", team.NoRuling, team.Played, 20, 30},
		{"---1", "+++0", team.NoRuling, team.Played, 0, 10},
		{"++", "--", team.NoRuling, team.ForfeitWin, 20, 20},
		{"--++", "++--", team.NoRuling, team.ForfeitShare, 10, 20},
		{"----", "----", team.NoRuling, team.ForfeitLoss, 0, 0},
		{"1?", "0?", team.NoRuling, team.Underway, 0, 10},
		{"+++ ", "", team.GoesTo, team.ForfeitWin, 20, 30},
		{"", "", team.GoesTo, team.ForfeitWin, 20, 40},
		{"1111", "0000", team.GoesAway, team.ForfeitLoss, 0, 0},
		{"++++", "----", team.GoesToNone, team.ForfeitLoss, 0, 0},
	} {
		o := s.Scoring().Judge(read(test.own), read(test.theirs), test.ruling)
		if o.Kind != test.kind || o.MP != test.mp || o.GP != test.gp {
			t.Errorf("%q against %q: %+v, want kind %d, %v MP, %v GP", test.own, test.theirs, o, test.kind, test.mp, test.gp)
		}
	}
	for kind, want := range map[team.Kind]team.Totals{
		team.Allocated: {MP: 10, GP: 20}, team.FullPoint: {MP: 20, GP: 40}, team.HalfPoint: {MP: 10, GP: 20}, team.ZeroPoint: {},
	} {
		if o := s.Scoring().Bye(kind, *s.PAB); o.Totals != want {
			t.Errorf("bye %d: %v, want %v", kind, o.Totals, want)
		}
	}
	for manned, want := range map[[2]int]team.Ruling{
		{4, 2}: team.NoRuling, {1, 4}: team.GoesAway, {4, 1}: team.GoesTo, {0, 1}: team.GoesToNone,
	} {
		if got := s.Forfeited(manned[0], manned[1]); got != want || got.Other().Other() != want {
			t.Errorf("%v manned: %d, want %d", manned, got, want)
		}
	}
}

// leg reads a match by the points of the first team on each board, of 1.
func leg(points ...tournament.Points) team.Leg {
	var out team.Leg
	for _, p := range points {
		out[0], out[1] = append(out[0], p), append(out[1], 10-p)
	}
	return out
}

// TestTiesAreDecided: the examples of the regulations, and each break.
func TestTiesAreDecided(t *testing.T) {
	s := team.Settings{Boards: boards(4, "quixo/duel")}.Complete().Scoring()
	without := func(out ...team.Decider) []team.Decider {
		return slices.DeleteFunc(team.DefaultBreaks(), func(b team.Decider) bool { return slices.Contains(out, b) })
	}
	level := leg(5, 5, 5, 5)
	for _, test := range []struct {
		name   string
		tie    team.Tie
		breaks []team.Decider
		winner int
		by     team.Decider
		text   string
	}{
		{"game points", team.Tie{Legs: []team.Leg{leg(10, 5, 5, 5)}}, without(), 0, "", "2.5 to 1.5 game points"},
		{"game points of two legs", team.Tie{Legs: []team.Leg{leg(0, 0, 0, 0), leg(10, 5, 5, 5)}}, without(), 1, "", "2.5 to 5.5 game points"},
		{"match points", team.Tie{Legs: []team.Leg{leg(0, 0, 0, 0), leg(10, 5, 5, 5), leg(10, 5, 5, 5)}}, without(), 0, "", "4 to 2 match points"},
		{"board count", team.Tie{Legs: []team.Leg{leg(10, 10, 0, 0)}}, without(), 0, team.ByBoardCount, "board count 3 to 7, the lower goes on (BC)"},
		{"top board", team.Tie{Legs: []team.Leg{leg(10, 0, 0, 10)}}, without(), 0, team.ByTopBoards, "1 to 0 on board 1 (TBR)"},
		{"bottom board", team.Tie{Legs: []team.Leg{leg(10, 0, 0, 10)}}, without(team.ByTopBoards), 1, team.ByBottom, "1 to 2 on the boards 1 to 3 (BBE)"},
		{"rapid", team.Tie{Legs: []team.Leg{level}, Rapid: []team.Leg{level, leg(0, 5, 5, 5)}}, without(), 1, team.ByRapid, "1.5 to 2.5 in the match that decides (RAPID)"},
		{"no rapid yet", team.Tie{Legs: []team.Leg{level}, Rapid: []team.Leg{level}}, without(), -1, "", "another match decides, with the seats exchanged (RAPID)"},
		{"lot", team.Tie{Legs: []team.Leg{level}, Rapid: []team.Leg{level, level}, Seed: "x", ID: "1"}, without(), 0, team.ByLot, "drawn by lot from the seed of the tournament (LOT)"},
		{"nothing", team.Tie{Legs: []team.Leg{level}}, without(team.ByRapid, team.ByLot), -1, "", "the teams are level in all that decides"},
	} {
		d := s.Decide(test.tie, test.breaks)
		if d.Winner != test.winner || d.By != test.by || d.Text.String() != test.text {
			t.Errorf("%s: %d by %q: %v", test.name, d.Winner, d.By, d.Text)
		}
	}
	turned := map[int]int{0: 1, 1: 0, -1: -1}
	for _, points := range [][]tournament.Points{{10, 10, 0, 0}, {10, 0, 0, 10}, {0, 5, 5, 10}, {5, 5, 5, 5}} {
		l := leg(points...)
		a := s.Decide(team.Tie{Legs: []team.Leg{l}}, without(team.ByLot))
		b := s.Decide(team.Tie{Legs: []team.Leg{{l[1], l[0]}}}, without(team.ByLot))
		if a.Winner != turned[b.Winner] || a.By != b.By {
			t.Errorf("%v: %+v, the other way round %+v", points, a, b)
		}
	}
}

// TestTeamsAreNumbered checks the initial order: by the mean of the best, the next member's rating, and the name.
func TestTeamsAreNumbered(t *testing.T) {
	s := team.Settings{Boards: boards(2, "quixo/duel")}.Complete()
	named := func(name string, q team.Squad) team.Squad { q.Name = name; return q }
	list := []team.Squad{
		named("d", squad(1500, 1501)), named("c", squad(1800, 1200, 1100)), named("b", squad(1800, 1200, 1199)),
		named("a", squad(1200, 1199, 1800)), named("e", squad(0, 1700)),
	}
	squads := make(map[string]team.Squad)
	for _, q := range list {
		squads[q.Name] = q
	}
	numbers := s.Numbers(squads)
	if fmt.Sprint(numbers) != "map[a:3 b:4 c:5 d:2 e:1]" || s.Strength(list[0]).Mean != 1501 {
		t.Errorf("%v, %+v", numbers, s.Strength(list[0]))
	}
}

// TestTwoSpeedsOfAGameAreTwoLists: the strength counts each board by its list, and so does the order by rating.
func TestTwoSpeedsOfAGameAreTwoLists(t *testing.T) {
	s := team.Settings{Boards: boards(2, "quixo/duel"), Order: team.RatingOrder}.Complete()
	q := team.Squad{Name: "Club", Lists: []string{"blitz", "rapid"}}
	for player, ratings := range map[string]map[string]float64{"a": {"blitz": 1800, "rapid": 1500}, "b": {"blitz": 1600, "rapid": 1760}} {
		q.Members = append(q.Members, team.Member{Player: player, Name: player, Ratings: ratings})
	}
	slices.SortFunc(q.Members, func(a, b team.Member) int { return strings.Compare(a.Player, b.Player) })
	if got := s.Strength(q); got != (team.Strength{Mean: 1780, Next: 1600}) {
		t.Errorf("%+v, want the mean of 1800 and 1760, then 1600", got)
	}
	if _, err := s.LineUp(q, team.LineUp{"a", "b"}); err != nil {
		t.Errorf("1800 above 1760: %v", err)
	}
	if _, err := s.LineUp(q, team.LineUp{"b", "a"}); err != nil {
		t.Errorf("1600 above 1500: %v", err)
	}
	q.Lists = []string{"rapid", "rapid"}
	if got := s.Strength(q); got != (team.Strength{Mean: 1630, Next: 0}) {
		t.Errorf("in one list: %+v", got)
	}
	if _, err := s.LineUp(q, team.LineUp{"a", "b"}); err == nil {
		t.Error("1500 above 1760")
	}
}
