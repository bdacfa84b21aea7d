package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/ladder"
	"quatuor/tournament/series"
)

// SeasonPlayer is what a player did in a season.
type SeasonPlayer struct {
	*SeasonTable
	Player            string
	Games             []SeasonGame // the latest first
	Won, Drawn, Lost  int
	White, Black      int
	Opponents         []SeasonOpponent // the most frequent first
	Streak, MaxStreak int              // games won in a row: now, and at most
}

// SeasonGame is a game of a player in a season: at a table, a first place is a win, and any other a loss.
type SeasonGame struct {
	At        int64 // ms UTC
	Part      int   // index in SeasonTable.Parts
	Name      string
	Path      string // of the round or the ladder
	Opponents []string
	Seat      int // 1 for White, 2 for Black; 0 at tables, and where nobody knows
	Score     int // 2 won, 1 drawn, 0 lost
}

// SeasonOpponent is somebody whom a player met.
type SeasonOpponent struct {
	Player           string
	Won, Drawn, Lost int
}

// Games returns how often the two met.
func (o SeasonOpponent) Games() int { return o.Won + o.Drawn + o.Lost }

// SeasonPlayer returns what a player did in a season; series.ErrNoSeason for one without a place in any part.
func (s *Service) SeasonPlayer(ctx context.Context, id, player string) (*SeasonPlayer, error) {
	table, err := s.SeasonTable(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &SeasonPlayer{SeasonTable: table, Player: player}
	if !slices.ContainsFunc(table.Standings, func(st series.Standing) bool { return st.Player == player }) {
		return nil, series.ErrNoSeason
	}
	known := map[string]bool{}
	for k, part := range table.Parts {
		for _, t := range part.Events {
			if !known[t.ID] {
				known[t.ID] = true
				p.Games = append(p.Games, gamesIn(t, player, k)...)
			}
		}
		if part.Kind == series.OfLadder {
			l, err := s.Ladder(ctx, part.ID)
			if err != nil {
				return nil, err
			}
			p.Games = append(p.Games, challengesOf(l, player, k, part.Path)...)
		}
	}
	p.count()
	var opponents []string
	for _, o := range p.Opponents {
		opponents = append(opponents, o.Player)
	}
	p.Names, err = s.memberNames(ctx, append(opponents, player))
	return p, err
}

// count adds up the games, and turns them so that the latest is first.
func (p *SeasonPlayer) count() {
	slices.SortStableFunc(p.Games, func(a, b SeasonGame) int { return cmp.Compare(a.At, b.At) })
	met := map[string]int{}
	for _, g := range p.Games {
		result := [3]*int{&p.Lost, &p.Drawn, &p.Won}
		*result[g.Score]++
		if p.Streak++; g.Score < 2 {
			p.Streak = 0
		}
		p.MaxStreak = max(p.MaxStreak, p.Streak)
		switch g.Seat {
		case 1:
			p.White++
		case 2:
			p.Black++
		}
		for _, player := range g.Opponents {
			k, ok := met[player]
			if !ok {
				k, met[player] = len(p.Opponents), len(p.Opponents)
				p.Opponents = append(p.Opponents, SeasonOpponent{Player: player})
			}
			o := &p.Opponents[k]
			*[3]*int{&o.Lost, &o.Drawn, &o.Won}[g.Score]++
		}
	}
	slices.Reverse(p.Games)
	slices.SortStableFunc(p.Opponents, func(a, b SeasonOpponent) int {
		return cmp.Or(cmp.Compare(b.Games(), a.Games()), cmp.Compare(a.Player, b.Player))
	})
}

// gamesIn returns the games that a player has played in a tournament, without forfeits.
func gamesIn(t *tournament.Tournament, player string, part int) (games []SeasonGame) {
	entries := map[string]tournament.Entry{}
	for _, e := range t.Entries {
		entries[e.ID] = e
	}
	for _, r := range t.Rounds {
		for _, pair := range r.Pairings {
			if pair.Bye != tournament.NoBye {
				continue
			}
			game := SeasonGame{At: r.PublishedAt, Part: part, Name: t.Name, Path: fmt.Sprintf("/tournaments/%s?round=%d", t.ID, r.Number)}
			if t.Teams != nil {
				games = append(games, boardsOf(t, pair, player, game)...)
				continue
			}
			seat := slices.IndexFunc(pair.Seats, func(id string) bool { return slices.Contains(membersOf(entries[id]), player) })
			if seat < 0 || pair.Result == nil || pair.Result.Forfeit || len(pair.Result.Ranks) <= seat {
				continue
			}
			for i, id := range pair.Seats {
				if i != seat {
					game.Opponents = append(game.Opponents, membersOf(entries[id])...)
				}
			}
			if len(pair.Seats) == 2 {
				game.Seat = seat + 1
			}
			game.Score = scoreOf(pair.Result.Ranks, seat)
			games = append(games, game)
		}
	}
	return games
}

// boardsOf returns what a player has played in a match of teams.
func boardsOf(t *tournament.Tournament, pair tournament.Pairing, player string, game SeasonGame) (games []SeasonGame) {
	for i, b := range pair.Boards {
		side := slices.Index(b.Players[:], player)
		if side < 0 || player == "" || b.Result == nil || b.Result.Forfeit || len(b.Result.Ranks) <= side {
			continue
		}
		game.Seat = 1
		if t.Teams.SeatOne(i+1, b) != side {
			game.Seat = 2
		}
		game.Opponents, game.Score = []string{b.Players[1-side]}, scoreOf(b.Result.Ranks, side)
		games = append(games, game)
	}
	return games
}

// membersOf returns the players of an entry; of one without a record its name.
func membersOf(e tournament.Entry) []string {
	if len(e.Members) > 0 {
		return e.Members
	}
	return []string{series.Named(e.Name)}
}

// scoreOf returns 2 for the only first place, 1 for two that share it, and else 0.
func scoreOf(ranks []int, seat int) int {
	switch {
	case ranks[seat] != 1:
		return 0
	case len(ranks) == 2 && ranks[1-seat] == 1:
		return 1
	}
	return 2
}

// challengesOf returns the games that a player has played on a ladder. The defender sits first.
func challengesOf(l *Ladder, player string, part int, path string) (games []SeasonGame) {
	for _, e := range l.Log() {
		pair := l.Pairs[e.ID]
		score, played := map[ladder.End]int{ladder.Won: 2, ladder.Drawn: 1, ladder.Lost: 0}[e.End]
		if seat := slices.Index(pair[:], player); played && seat >= 0 {
			game := SeasonGame{At: e.At * 1000, Part: part, Name: l.Name, Path: path, Opponents: []string{pair[1-seat]}, Score: score}
			if seat == 1 {
				game.Score = 2 - score
			}
			if !l.Hall {
				game.Seat = 2 - seat
			}
			games = append(games, game)
		}
	}
	return games
}
