package season

import (
	"context"
	"testing"
	"time"

	"quatuor/tournament/club"
	"quatuor/tournament/ladder"
)

// storedLadder is a ladder with its games.
type storedLadder struct {
	Store
	settings ladder.Settings
	acts     []ladder.Act
	games    []ladder.Game
}

func (s *storedLadder) Ladder(context.Context, string) (ladder.Settings, []ladder.Act, error) {
	return s.settings, s.acts, nil
}

func (s *storedLadder) LadderEdition(context.Context, string) (ladder.Edition, error) {
	return ladder.EditionOf(s.settings, s.acts), nil
}

func (s *storedLadder) Games(_ context.Context, ids []string) (found []ladder.Game, err error) {
	for _, g := range s.games {
		for _, id := range ids {
			if g.ID == id {
				found = append(found, g)
			}
		}
	}
	return found, nil
}

func (s *storedLadder) Players(context.Context, []string) (map[string]club.Player, error) {
	return map[string]club.Player{"a": {Name: s.settings.Name}}, nil
}

// TestLadderIsComputedOnce looks at a ladder many times: it is computed again only after an act, a new status of a game,
// a deadline, or a change of its row. Names are never cached.
func TestLadderIsComputedOnce(t *testing.T) {
	now := time.UnixMilli(1_000_000)
	stored := &storedLadder{settings: ladder.Settings{ID: "l", Rules: ladder.DefaultRules(), Version: 1}}
	for i, player := range []string{"a", "b"} {
		stored.acts = append(stored.acts, ladder.Act{N: i + 1, At: 1000, Kind: ladder.ActJoin, Player: player})
	}
	r := New(Config{Store: stored, People: stored, Now: func() time.Time { return now }})
	add := func(act ladder.Act) {
		act.N, act.At = len(stored.acts)+1, now.UnixMilli()
		stored.acts = append(stored.acts, act)
	}
	for _, step := range []struct {
		name     string
		do       func()
		computed int64
		order    string // the player at the top
	}{
		{"at first", func() {}, 1, "a"},
		{"later", func() { now = now.Add(time.Hour) }, 0, "a"},
		{"a challenge", func() { add(ladder.Act{Kind: ladder.ActChallenge, Challenge: "c", Player: "b", Other: "a"}) }, 1, "a"},
		{"accepted", func() {
			add(ladder.Act{Kind: ladder.ActAccept, Challenge: "c", Player: "a"})
			add(ladder.Act{Kind: ladder.ActGame, Challenge: "c", Game: "g"})
		}, 1, "a"},
		{"opened", func() { stored.games = []ladder.Game{{ID: "g"}} }, 1, "a"},
		{"a move", func() { now = now.Add(time.Minute) }, 0, "a"},
		{"broken off", func() { stored.games[0].Over = true }, 1, "a"},
		{"a holiday elsewhere", func() { stored.settings.Version++ }, 1, "a"},
		{"not played in time", func() { now = now.Add(7 * 24 * time.Hour) }, 1, "a"},
		{"another challenge", func() {
			now = now.Add(30 * 24 * time.Hour)
			add(ladder.Act{Kind: ladder.ActChallenge, Challenge: "d", Player: "b", Other: "a"})
		}, 1, "a"},
		{"not answered in time", func() { now = now.Add(3 * 24 * time.Hour) }, 1, "b"},
	} {
		before := r.ladders.computed.Load()
		step.do()
		for range 3 {
			stored.settings.Name += "x"
			l, err := r.Ladder(t.Context(), "l")
			if err != nil {
				t.Fatal(err)
			}
			if l.Order()[0] != step.order || l.Now != now.UnixMilli() || l.Names["a"] != stored.settings.Name {
				t.Errorf("%s: %v at %d, called %q", step.name, l.Order(), l.Now, l.Names["a"])
			}
		}
		if n := r.ladders.computed.Load() - before; n != step.computed {
			t.Errorf("%s: computed %d times, want %d", step.name, n, step.computed)
		}
	}
}
