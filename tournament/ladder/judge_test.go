package ladder

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestJudge judges acts on a ladder of a, b, c and d: c has challenged b, and d is away.
func TestJudge(t *testing.T) {
	const hour = 3_600_000
	acts := []Act{
		{Kind: ActJoin, Player: "a"},
		{Kind: ActJoin, Player: "b"},
		{Kind: ActJoin, Player: "c"},
		{Kind: ActJoin, Player: "d"},
		{Kind: ActHoliday, Player: "d", Until: 100 * hour},
		{Kind: ActChallenge, Challenge: "x", Player: "c", Other: "b"},
	}
	accepted := []Act{
		{Kind: ActAccept, Challenge: "x", Player: "b"},
		{Kind: ActGame, Challenge: "x", Game: "g"},
	}
	played := []Act{accepted[0], {Kind: ActResult, Challenge: "x", Score: 1}}
	for name, tt := range map[string]struct {
		then   []Act // after those above
		hall   bool
		opened bool // the game
		ended  bool
		do     func(*Ladder) ([]Act, error)
		want   string // kinds of the acts, or a part of the refusal
	}{
		"a newcomer":            {do: func(l *Ladder) ([]Act, error) { return l.Join("e") }, want: "[join]"},
		"a player joins again":  {do: func(l *Ladder) ([]Act, error) { return l.Join("a") }, want: "on the ladder already"},
		"a player leaves":       {do: func(l *Ladder) ([]Act, error) { return l.Leave("a") }, want: "[leave]"},
		"a stranger leaves":     {do: func(l *Ladder) ([]Act, error) { return l.Leave("e") }, want: "not on the ladder"},
		"a holiday":             {do: func(l *Ladder) ([]Act, error) { return l.Holiday("a", 2*hour) }, want: "[holiday]"},
		"a long holiday":        {do: func(l *Ladder) ([]Act, error) { return l.Holiday("a", 30*24*hour) }, want: "28 days at most"},
		"a holiday when called": {do: func(l *Ladder) ([]Act, error) { return l.Holiday("b", 2*hour) }, want: "without an open challenge"},
		"back from a holiday":   {do: func(l *Ladder) ([]Act, error) { return l.Holiday("d", 0) }, want: "[holiday]"},
		"one who is away":       {do: func(l *Ladder) ([]Act, error) { return l.NewChallenge("y", "d", "a") }, want: "on holiday"},
		"one who is below":      {do: func(l *Ladder) ([]Act, error) { return l.NewChallenge("y", "a", "d") }, want: "only players above"},
		"one who is challenged": {do: func(l *Ladder) ([]Act, error) { return l.NewChallenge("y", "c", "a") }, want: "has an open challenge"},
		"a yes on the server":   {do: func(l *Ladder) ([]Act, error) { return l.Answer("x", ActAccept, "g") }, want: "[accept game]"},
		"a yes in the hall": {
			hall: true, do: func(l *Ladder) ([]Act, error) { return l.Answer("x", ActAccept, "g") }, want: "[accept]",
		},
		"a no":               {do: func(l *Ladder) ([]Act, error) { return l.Answer("x", ActDecline, "g") }, want: "[decline]"},
		"no challenge":       {do: func(l *Ladder) ([]Act, error) { return l.Answer("y", ActDecline, "g") }, want: "no such ladder or challenge"},
		"a yes that is lost": {then: accepted, do: func(l *Ladder) ([]Act, error) { return l.Answer("x", ActAccept, "h") }, want: "[]"},
		"a second yes": {
			then: accepted, opened: true, do: func(l *Ladder) ([]Act, error) { return l.Answer("x", ActAccept, "h") }, want: "has been answered",
		},
		"a game that runs": {
			then: accepted, opened: true, do: func(l *Ladder) ([]Act, error) { return l.PlayAgain("x", "h") }, want: "have a game already",
		},
		"a game that was broken off": {
			then: accepted, opened: true, ended: true, do: func(l *Ladder) ([]Act, error) { return l.PlayAgain("x", "h") }, want: "[game]",
		},
		"a game that was not opened": {then: accepted, do: func(l *Ladder) ([]Act, error) { return l.PlayAgain("x", "h") }, want: "[]"},
		"a report before the answer": {
			hall: true, do: func(l *Ladder) ([]Act, error) { return l.Report("x", "c", 1) }, want: "not answered yet",
		},
		"a report in the hall": {
			then: accepted[:1], hall: true, do: func(l *Ladder) ([]Act, error) { return l.Report("x", "c", 1) }, want: "[report]",
		},
		"a report on the server": {then: accepted, do: func(l *Ladder) ([]Act, error) { return l.Report("x", "c", 1) }, want: "are not reported"},
		"a correction":           {then: played, do: func(l *Ladder) ([]Act, error) { return l.Correct("x", 0) }, want: "[result]"},
		"a result too early":     {do: func(l *Ladder) ([]Act, error) { return l.Correct("x", 0) }, want: "not answered yet"},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := Stored(Settings{ID: "l", Hall: tt.hall, Rules: DefaultRules()}, append(acts[:len(acts):len(acts)], tt.then...), hour)
			if err != nil {
				t.Fatal(err)
			}
			l.Opened["g"], l.Ended["g"] = tt.opened, tt.ended
			if err := l.Compute(nil); err != nil {
				t.Fatal(err)
			}
			done, err := tt.do(l)
			kinds := []Kind{}
			for _, act := range done {
				kinds = append(kinds, act.Kind)
			}
			got := fmt.Sprint(kinds)
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, tt.want) || err != nil && !errors.Is(err, ErrRefused) && !errors.Is(err, ErrNotFound) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestDamaged refuses to compute a ladder from acts that cannot have been done.
func TestDamaged(t *testing.T) {
	_, err := Stored(Settings{ID: "l"}, []Act{{N: 1, Kind: ActLeave, Player: "a"}}, 0)
	if err == nil || !strings.Contains(err.Error(), "the log of ladder l is damaged: act 1 (leave)") {
		t.Error(err)
	}
}
