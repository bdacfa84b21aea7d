package sequence

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
)

func game(id string, winner, loser string) Game {
	return Game{ID: id, Sides: [][]string{{winner}, {loser}}, Ranks: []int{1, 2}}
}

func TestAfterEveryGame(t *testing.T) {
	s := ByGame(elo.Club{}, true)
	value := 1800.0
	if err := s.Enter(Player{Name: "a", Rating: &value, Games: 40}); err != nil {
		t.Fatal(err)
	}
	changes, err := s.Play(game("1", "a", "b"))
	if err != nil || len(changes) != 2 {
		t.Fatalf("%v, %v", changes, err)
	}
	if changes[0].K != 20 || changes[1].K != 40 || changes[1].Before.Value != 1500 || s.Rating("a") != changes[0].After {
		t.Errorf("%+v", changes)
	}
}

// TestNewcomersResultsWait demands that the results of a player without a rating count until the fifth game, over
// periods.
func TestNewcomersResultsWait(t *testing.T) {
	s := ByPeriod(elo.FIDE{})
	for i := range 5 {
		value := 1600.0
		if err := s.Enter(Player{Name: fmt.Sprint("p", i), Rating: &value, Games: 30}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		if _, err := s.Play(game(fmt.Sprint(i), "new", fmt.Sprint("p", i))); err != nil {
			t.Fatal(err)
		}
		if i == 2 {
			if _, err := s.Close("2026-01"); err != nil {
				t.Fatal(err)
			}
			if !s.Rating("new").Unrated {
				t.Fatal("three games make a rating")
			}
		}
	}
	if _, err := s.Close("2026-02"); err != nil {
		t.Fatal(err)
	}
	// (5 × 1600 + 2 × 1800) / 7 = 1657.14; 6 of 7 is .86, a difference of 309.
	if got := s.Rating("new"); got.Unrated || got.Value != 1966 || got.Games != 5 {
		t.Errorf("%+v", got)
	}
	if got := s.Rating("p0"); got.Value != 1600 || got.Games != 30 {
		t.Errorf("a game against a player without a rating counts: %+v", got)
	}
}

func TestWhatIsRefused(t *testing.T) {
	for name, act := range map[string]func(s *Sequence) error{
		"twice in a game": func(s *Sequence) error { _, err := s.Play(game("1", "a", "a")); return err },
		"no ranks":        func(s *Sequence) error { _, err := s.Play(Game{Sides: [][]string{{"a"}, {"b"}}}); return err },
		"three in a duel": func(s *Sequence) error {
			_, err := s.Play(Game{Sides: [][]string{{"a"}, {"b", "c"}}, Ranks: []int{1, 2}})
			return err
		},
		"entered twice": func(s *Sequence) error { return errors.Join(s.Enter(Player{Name: "a"}), s.Enter(Player{Name: "a"})) },
		"entered too late": func(s *Sequence) error {
			_, err := s.Play(game("1", "a", "b"))
			return errors.Join(err, s.Enter(Player{Name: "a"}))
		},
		"no such period":   func(s *Sequence) error { _, err := s.Close("January"); return err },
		"a player unnamed": func(s *Sequence) error { return s.Enter(Player{}) },
		"a rank of nothing": func(s *Sequence) error {
			_, err := s.Play(Game{Sides: [][]string{{"a"}, {"b"}}, Ranks: []int{0, 1}})
			return err
		},
	} {
		if err := act(ByPeriod(glicko2.Periods{})); !errors.Is(err, ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ByGame(elo.Club{}, true).Close("2026-01"); !errors.Is(err, ErrInput) {
		t.Errorf("a system without periods closes one: %v", err)
	}
}

// TestOrderWithinAPeriodDoesNotMatter demands the same ratings whatever the order of a period's games, up to rounding.
func TestOrderWithinAPeriodDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var games []Game
		for i := range rapid.IntRange(1, 12).Draw(rt, "games") {
			a := rapid.IntRange(0, 4).Draw(rt, "one")
			b := (a + rapid.IntRange(1, 4).Draw(rt, "other")) % 5
			games = append(games, game(fmt.Sprint(i), fmt.Sprint(a), fmt.Sprint(b)))
		}
		order := rapid.Permutation(games).Draw(rt, "order")
		for _, system := range []rating.PeriodSystem{
			elo.FIDE{Settings: elo.Settings{Start: rating.Set(1500)}},
			glicko2.Periods{},
		} {
			one, other := ByPeriod(system), ByPeriod(system)
			for i := range games {
				_, err := one.Play(games[i])
				_, again := other.Play(order[i])
				if err != nil || again != nil {
					rt.Fatal(err, again)
				}
			}
			if _, err := one.Close("2026-01"); err != nil {
				rt.Fatal(err)
			}
			if _, err := other.Close("2026-01"); err != nil {
				rt.Fatal(err)
			}
			for _, name := range one.Names() {
				if a, b := one.Rating(name), other.Rating(name); a.Value-b.Value > 1e-9 || b.Value-a.Value > 1e-9 ||
					a.Games != b.Games {
					rt.Fatalf("%s: %+v or %+v", name, a, b)
				}
			}
		}
	})
}
