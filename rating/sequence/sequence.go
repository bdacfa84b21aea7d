// Package sequence rates a sequence of games and periods with any system, and keeps the ratings in between. It has no
// storage; the ledger rates the stored games.
package sequence

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"quatuor/rating"
)

// ErrInput means that a player, game or period does not make sense. Nothing of it was taken.
var ErrInput = errors.New("input")

// Player is a player's rating before the first game. Zero fields mean the system's start.
type Player struct {
	Name       string
	Rating     *float64
	Deviation  float64
	Volatility float64
	Games      int
	Born       int // year
}

// Game is a finished game: its sides in the order of their first seats, each with its players, and their ranks.
type Game struct {
	ID    string
	Sides [][]string
	Ranks []int // by side; 1 is best, equal ranks share a place
}

// Change is the effect of a game or period on a player.
type Change struct {
	Player string
	rating.Change
}

// Sequence keeps the ratings. Exactly one of its systems is set.
type Sequence struct {
	byGame   rating.System
	byPeriod rating.PeriodSystem
	duels    bool // only games of two players

	players map[string]*standing
}

// standing holds a player's rating, and the results that wait for the end of the period.
type standing struct {
	rating  rating.Rating
	born    int
	entered bool // by Enter
	results []rating.Result
}

// ByGame returns a sequence that is rated after every game. With duels, games are of two players.
func ByGame(s rating.System, duels bool) *Sequence {
	return &Sequence{byGame: s, duels: duels, players: map[string]*standing{}}
}

// ByPeriod returns a sequence that is rated at the end of periods. Games are of two players.
func ByPeriod(s rating.PeriodSystem) *Sequence {
	return &Sequence{byPeriod: s, duels: true, players: map[string]*standing{}}
}

func (s *Sequence) start() rating.Rating {
	if s.byGame != nil {
		return s.byGame.Start()
	}
	return s.byPeriod.Start()
}

// Enter sets a player's rating before the first game.
func (s *Sequence) Enter(p Player) error {
	switch known := s.players[p.Name]; {
	case p.Name == "":
		return fmt.Errorf("%w: a player needs a name", ErrInput)
	case known != nil && known.entered:
		return fmt.Errorf("%w: player %q was entered before", ErrInput, p.Name)
	case known != nil:
		return fmt.Errorf("%w: player %q has played already; a start comes before the first game", ErrInput, p.Name)
	case p.Deviation < 0 || p.Volatility < 0 || p.Games < 0:
		return fmt.Errorf("%w: player %q: rd, volatility and games cannot be below 0", ErrInput, p.Name)
	}
	r := s.start()
	if p.Rating != nil {
		r.Value, r.Unrated = *p.Rating, false
	}
	if p.Deviation > 0 && r.Deviation > 0 { // a system without deviations has none
		r.Deviation = p.Deviation
	}
	if p.Volatility > 0 && r.Volatility > 0 {
		r.Volatility = p.Volatility
	}
	r.Games = p.Games
	s.players[p.Name] = &standing{rating: r, born: p.Born, entered: true}
	return nil
}

func (s *Sequence) player(name string) *standing {
	p := s.players[name]
	if p == nil {
		p = &standing{rating: s.start()}
		s.players[name] = p
	}
	return p
}

// Play takes the next game. By game it returns the changes in the order of the players; by period, none.
func (s *Sequence) Play(g Game) ([]Change, error) {
	if err := s.check(g); err != nil {
		return nil, err
	}
	if s.byPeriod != nil {
		s.note(g)
		return nil, nil
	}
	var seats []rating.Seat
	var names []string
	for i, side := range g.Sides {
		for _, name := range side {
			seats = append(seats, rating.Seat{Rating: s.ratingOf(name), Side: i + 1, Rank: g.Ranks[i]})
			names = append(names, name)
		}
	}
	made, err := s.byGame.Update(seats)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	changes := make([]Change, len(names))
	for i, name := range names {
		s.player(name).rating = made[i].After
		changes[i] = Change{name, made[i]}
	}
	return changes, nil
}

// ratingOf returns a player's rating without making the player known.
func (s *Sequence) ratingOf(name string) rating.Rating {
	if p := s.players[name]; p != nil {
		return p.rating
	}
	return s.start()
}

func (s *Sequence) check(g Game) error {
	if len(g.Sides) < 2 || len(g.Ranks) != len(g.Sides) {
		return fmt.Errorf("%w: %d sides and %d ranks; a game has two sides or more, and a rank for each", ErrInput,
			len(g.Sides), len(g.Ranks))
	}
	seen := map[string]bool{}
	for i, side := range g.Sides {
		if len(side) == 0 || g.Ranks[i] < 1 {
			return fmt.Errorf("%w: side %d needs a player, and a rank from 1", ErrInput, i+1)
		}
		for _, name := range side {
			if name == "" || seen[name] {
				return fmt.Errorf("%w: player %q is in the game twice, or has no name", ErrInput, name)
			}
			seen[name] = true
		}
	}
	if s.duels && len(seen) > 2 {
		return fmt.Errorf("%w: %d players; this system rates games of two, elo-many and plackett-luce rate all", ErrInput,
			len(seen))
	}
	return nil
}

// note keeps a game of two for the end of the period.
func (s *Sequence) note(g Game) {
	first, second := s.player(g.Sides[0][0]), s.player(g.Sides[1][0])
	score := rating.Score(g.Ranks[0], g.Ranks[1])
	before, opponent := first.rating, second.rating
	first.results = append(first.results, rating.Result{Opponent: opponent, Score: score})
	second.results = append(second.results, rating.Result{Opponent: before, Score: 1 - score})
}

// Close closes a period, "2026" or "2026-01" with or without a day, and returns the changes of all players, sorted by
// name.
func (s *Sequence) Close(period string) ([]Change, error) {
	if s.byPeriod == nil {
		return nil, fmt.Errorf("%w: this system rates after every game; there are no periods to close", ErrInput)
	}
	year, err := strconv.Atoi(period[:min(4, len(period))])
	if err != nil || len(period) < 4 || len(period) > 4 && period[4] != '-' {
		return nil, fmt.Errorf("%w: %q is not a period; write it as 2026-01", ErrInput, period)
	}
	var changes []Change
	for _, name := range s.Names() {
		p := s.players[name]
		c := s.byPeriod.Close(rating.Member{Rating: p.rating, Born: p.born, Results: p.results}, year)
		p.rating = c.After
		if !c.After.Unrated {
			p.results = nil // those of a player without a rating wait for the fifth game
		}
		changes = append(changes, Change{name, c})
	}
	return changes, nil
}

// Names returns the names of all players, sorted.
func (s *Sequence) Names() []string { return slices.Sorted(maps.Keys(s.players)) }

// Rating returns a player's rating.
func (s *Sequence) Rating(name string) rating.Rating { return s.ratingOf(name) }
