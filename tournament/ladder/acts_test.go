package ladder

import (
	"fmt"
	"slices"
	"testing"
)

// TestEvents turns acts and games into events, and those into ends.
func TestEvents(t *testing.T) {
	const day = Day * 1000
	start := []Act{
		{At: 0, Kind: ActJoin, Player: "a"},
		{At: 0, Kind: ActJoin, Player: "b"},
		{At: 1000, Kind: ActChallenge, Challenge: "c", Player: "b", Other: "a"},
		{At: 2000, Kind: ActAccept, Challenge: "c"},
		{At: 2000, Kind: ActGame, Challenge: "c", Game: "g"},
	}
	result := func(at int64, score float64) Act { return Act{At: at, Kind: ActResult, Challenge: "c", Score: score} }
	report := func(at int64, player string, score float64) Act {
		return Act{At: at, Kind: ActReport, Challenge: "c", Player: player, Score: score}
	}
	won := Game{At: 9000, Score: 1, Counts: true}
	for name, tt := range map[string]struct {
		acts  []Act
		game  *Game
		until int64
		want  string
	}{
		"a game that ends":           {nil, &won, 10_000, "[9 won  [b a]]"},
		"a game that has not ended":  {nil, &won, 8_000, "[]"},
		"a result before the end":    {[]Act{result(5000, 0)}, &won, 10_000, "[5 lost  [a b]]"},
		"a corrected end":            {[]Act{result(9500, 0)}, &won, 10_000, "[9 lost won [a b]]"},
		"corrected twice":            {[]Act{result(9500, 0), result(9600, 0.5)}, &won, 10_000, "[9 drawn won [a b]]"},
		"confirmed":                  {[]Act{result(9500, 1)}, &won, 10_000, "[9 won  [b a]]"},
		"one report":                 {[]Act{report(3000, "b", 1)}, nil, 10_000, "[]"},
		"two that differ":            {[]Act{report(3000, "b", 1), report(4000, "a", 0)}, nil, 10_000, "[]"},
		"two that agree in the end":  {[]Act{report(3000, "b", 1), report(4000, "a", 0), report(5000, "a", 1)}, nil, 10_000, "[5 won  [b a]]"},
		"a defender that never came": {nil, &Game{At: 9000, NoClock: true}, 8 * day, "[604801 declined  [b a]]"},
		"before the time is over":    {nil, &Game{At: 9000, NoClock: true}, 6 * day, "[]"},
		"another game that goes on": {
			[]Act{{At: 9500, Kind: ActGame, Challenge: "c", Game: "h"}}, &Game{At: 9000, NoClock: true}, 8 * day, "[604802 not_played  [a b]]",
		},
		"a game that was broken off": {nil, &Game{At: 9000}, 8 * day, "[604802 not_played  [a b]]"},
		"an end that comes too late": {nil, &Game{At: 8 * day, Score: 1, Counts: true}, 9 * day, "[604802 not_played  [a b]]"},
	} {
		t.Run(name, func(t *testing.T) {
			games := map[string]Game{}
			if tt.game != nil {
				games["g"] = *tt.game
			}
			s, err := New(nil, DefaultRules())
			if err == nil {
				err = s.Run(Events(append(start[:len(start):len(start)], tt.acts...), games, DefaultRules(), tt.until))
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Until(tt.until / 1000)
			got := []string{}
			for _, e := range s.Log() {
				if e.Refused == "" {
					got = append(got, fmt.Sprint(e.At, " ", e.End, " ", e.Was, " ", e.Order))
				}
			}
			if fmt.Sprint(got) != tt.want {
				t.Errorf("the log is %v, want %s", got, tt.want)
			}
		})
	}
}

// TestRoom refuses acts beyond the capacity of the log, and beyond the daily limit of an account.
func TestRoom(t *testing.T) {
	acts := func(n int, by string) []Act { return slices.Repeat([]Act{{At: 5, By: by}}, n) }
	for name, tt := range map[string]struct {
		acts []Act
		by   string
		now  int64
		room bool
	}{
		"few":             {acts(499, "a"), "a", 5, true},
		"many":            {acts(500, "a"), "a", 5, false},
		"of others":       {acts(500, "b"), "a", 5, true},
		"who runs it":     {acts(500, ""), "", 5, true},
		"a day later":     {acts(500, "a"), "a", 5 + Day*1000, true},
		"almost too many": {acts(18_999, "b"), "", 5, true},
		"too many":        {acts(19_000, "b"), "", 5, false},
	} {
		if err := Room(tt.acts, tt.by, tt.now); (err == nil) != tt.room {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHolidaySince joins holidays that follow each other within a week.
func TestHolidaySince(t *testing.T) {
	const day = Day * 1000
	holiday := func(at, until int64) Act {
		return Act{Kind: ActHoliday, Player: "a", At: at * day, Until: until * day}
	}
	for name, tt := range map[string]struct {
		acts []Act
		now  int64
		want int64
	}{
		"the first":                {nil, 50, 50},
		"of others":                {[]Act{{Kind: ActHoliday, Player: "b", At: day, Until: 99 * day}}, 50, 50},
		"extended":                 {[]Act{holiday(10, 20)}, 15, 10},
		"a day later":              {[]Act{holiday(10, 20)}, 21, 10},
		"a week later":             {[]Act{holiday(10, 20)}, 27, 27},
		"extended twice":           {[]Act{holiday(10, 20), holiday(19, 30)}, 31, 10},
		"ended soon":               {[]Act{holiday(10, 20), holiday(11, 0)}, 17, 10},
		"a week after it ended":    {[]Act{holiday(10, 20), holiday(11, 0)}, 18, 18},
		"ended when it was over":   {[]Act{holiday(10, 20), holiday(25, 0)}, 27, 27},
		"ended before it was over": {[]Act{holiday(10, 20), holiday(12, 3)}, 19, 19},
	} {
		if got := HolidaySince(tt.acts, "a", tt.now*day); got != tt.want*day {
			t.Errorf("%s: since day %d, want %d", name, got/day, tt.want)
		}
	}
}

func TestAway(t *testing.T) {
	acts := []Act{
		{Kind: ActHoliday, Player: "a", Until: 50},
		{Kind: ActHoliday, Player: "b", Until: 50},
		{Kind: ActHoliday, Player: "b"},
		{Kind: ActHoliday, Player: "c", Until: 10},
	}
	if got := Away(acts, 10); len(got) != 1 || got["a"] != 50 {
		t.Errorf("away are %v", got)
	}
}
