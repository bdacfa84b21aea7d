package season

import (
	"cmp"
	"context"
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/ladder"
	"quatuor/tournament/series"
)

// Member is a member of a season with their games.
type Member struct {
	*Table
	Player            string
	Games             []Game // the latest first
	Won, Drawn, Lost  int
	White, Black      int
	Opponents         []Opponent // the most frequent first
	Streak, MaxStreak int        // games won in a row: now, and at most
}

// Game is a game of a player in a season: at a table, a first place is a win, and any other a loss.
type Game struct {
	At         int64 // ms UTC
	Part       int   // index in Table.Parts
	Name       string
	Tournament string // id; "" on a ladder
	Round      int
	Opponents  []string
	Seat       int // 1 for White, 2 for Black; 0 at tables and where it is unknown
	Score      int // 2 won, 1 drawn, 0 lost
}

// Opponent is an opponent of a player, with the player's score against them.
type Opponent struct {
	Player           string
	Won, Drawn, Lost int
}

// Games returns the number of games between the two.
func (o Opponent) Games() int { return o.Won + o.Drawn + o.Lost }

// Member returns the games of a player in a season; series.ErrNoSeason for a player without a place in any part.
func (r Reading) Member(ctx context.Context, id, player string) (*Member, error) {
	table, err := r.Season(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &Member{Table: table, Player: player}
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
			l, err := r.Ladder(ctx, part.ID)
			if err != nil {
				return nil, err
			}
			p.Games = append(p.Games, challengesOf(l, player, k)...)
		}
	}
	p.count()
	opponents := []string{player}
	for _, o := range p.Opponents {
		opponents = append(opponents, o.Player)
	}
	p.Names, err = r.memberNames(ctx, opponents)
	return p, err
}

// count adds up the games, and puts the latest first.
func (p *Member) count() {
	slices.SortStableFunc(p.Games, func(a, b Game) int { return cmp.Compare(a.At, b.At) })
	met := map[string]int{}
	for _, g := range p.Games {
		*[3]*int{&p.Lost, &p.Drawn, &p.Won}[g.Score]++
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
				p.Opponents = append(p.Opponents, Opponent{Player: player})
			}
			o := &p.Opponents[k]
			*[3]*int{&o.Lost, &o.Drawn, &o.Won}[g.Score]++
		}
	}
	slices.Reverse(p.Games)
	slices.SortStableFunc(p.Opponents, func(a, b Opponent) int {
		return cmp.Or(cmp.Compare(b.Games(), a.Games()), cmp.Compare(a.Player, b.Player))
	})
}

// gamesIn returns the games of a player in a tournament, without forfeits.
func gamesIn(t *tournament.Tournament, player string, part int) (games []Game) {
	entries := map[string]tournament.Entry{}
	for _, e := range t.Entries {
		entries[e.ID] = e
	}
	for _, r := range t.Rounds {
		for _, pair := range r.Pairings {
			if pair.Bye != tournament.NoBye {
				continue
			}
			game := Game{At: r.PublishedAt, Part: part, Name: t.Name, Tournament: t.ID, Round: r.Number}
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

// boardsOf returns the games of a player in a match of teams.
func boardsOf(t *tournament.Tournament, pair tournament.Pairing, player string, game Game) (games []Game) {
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

// membersOf returns the players of an entry; for a player without a record the key made from the name.
func membersOf(e tournament.Entry) []string {
	if len(e.Members) > 0 {
		return e.Members
	}
	return []string{series.Named(e.Name)}
}

// scoreOf returns 2 for an unshared first place, 1 for a first place shared by two, and else 0.
func scoreOf(ranks []int, seat int) int {
	switch {
	case ranks[seat] != 1:
		return 0
	case len(ranks) == 2 && ranks[1-seat] == 1:
		return 1
	}
	return 2
}

// challengesOf returns the games of a player on a ladder. The defender sits first.
func challengesOf(l *Ladder, player string, part int) (games []Game) {
	for _, e := range l.Log() {
		pair := l.Pairs[e.ID]
		score, played := map[ladder.End]int{ladder.Won: 2, ladder.Drawn: 1, ladder.Lost: 0}[e.End]
		if seat := slices.Index(pair[:], player); played && seat >= 0 {
			game := Game{At: e.At * 1000, Part: part, Name: l.Name, Opponents: []string{pair[1-seat]}, Score: score}
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
