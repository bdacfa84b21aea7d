package team

import (
	"slices"

	"quatuor/tournament"
	"quatuor/tournament/pairing/roundrobin"
)

// Table returns the table of a Scheveningen: the opponents and their seats in each round.
func Table(t *tournament.Tournament) roundrobin.Scheveningen {
	return roundrobin.Scheveningen{Boards: len(t.Teams.Boards), Earlier: t.EarlierSeats}
}

// PlaceOf returns the place in its team, from 0, of the player on a board, from 0. It is the board, except for team B
// of a Scheveningen: its players move on from round to round.
func PlaceOf(t *tournament.Tournament, round, number, board int) int {
	if t.Format != tournament.TeamScheveningen || number != 2 {
		return board
	}
	place, _ := Table(t).Meeting(round, board+1)
	return place - 1
}

// turn seats the players of a Scheveningen by its table. White has the seat of the first board there, whatever team
// that is, and by the earlier formula the seats of the colours.
func (s Settings) turn(t *tournament.Tournament, round int, boards []tournament.MatchBoard) {
	if t.Format != tournament.TeamScheveningen || t.EarlierSeats {
		return
	}
	_, first := Table(t).Meeting(round, 1)
	for i := range boards {
		_, seatOne := Table(t).Meeting(round, i+1)
		boards[i].Turned = (seatOne == first) != s.HasSeatOne(tournament.White, i+1)
	}
}

// byPlace returns the line-up of a team in a Scheveningen, where captains file none: the order of registration, with
// the substitutes of the round before in the places that they took.
func (s Settings) byPlace(t *tournament.Tournament, round int, e tournament.Entry) LineUp {
	places := s.Standing(SquadOf(e, nil, nil), Used(t, e.ID, round))
	out := make(LineUp, len(s.Boards))
	for board := range out {
		out[board] = places[PlaceOf(t, round, e.Number, board)]
	}
	return out
}

// RevealAll puts the players on the boards of all matches of the last round of a Scheveningen; its line-ups follow from
// the table. In other formats, and in a round that is not published, it changes nothing.
func RevealAll(t *tournament.Tournament, newGame func() string, at int64) (next *tournament.Revision, err error) {
	next = &tournament.Revision{Tournament: t}
	if round := t.PublishedRounds(); t.Format == tournament.TeamScheveningen && round == len(t.Rounds) && round > 0 {
		for _, p := range t.Rounds[round-1].Pairings {
			lineUps := Of(t).DueOf(t, round, p, nil)
			next, err = next.Then(Reveal(next.Tournament, round, p.Board, lineUps, newGame, at))
			if err != nil {
				return nil, err
			}
		}
	}
	return next, nil
}

// Meetings is the crosstable of a Scheveningen: all players of A against all of B.
type Meetings struct {
	Teams   [2]tournament.Entry
	Players [2][]Individual
	Cells   [][][]Meeting // by player of A and of B; substitutes may have none, or several
}

// Individual is the score of a player of a Scheveningen.
type Individual struct {
	Player string
	Place  int // from 1; substitutes have the place of the player that they replaced
	Points tournament.Points
	Games  int // played
}

// Meeting is a board of two players.
type Meeting struct {
	Round, Board int
	SeatOne      int     // 0 for A's player
	Marks        [2]Mark // A's first
	Points       [2]tournament.Points
	Game         string
}

// MeetingsOf returns the crosstable of a Scheveningen after a round, with the players in the order of their places; nil
// before there are two teams with numbers, and in other formats.
func MeetingsOf(t *tournament.Tournament, round int) *Meetings {
	numbered := t.Numbered()
	if t.Format != tournament.TeamScheveningen || len(numbered) != 2 {
		return nil
	}
	s, m := Of(t), &Meetings{Teams: [2]tournament.Entry(numbered)}
	for side, e := range m.Teams {
		for place, player := range s.Standing(SquadOf(e, nil, nil), nil) {
			m.individual(side, place+1, player)
		}
	}
	rounds := t.Rounds[:min(round, t.PublishedRounds())]
	for _, r := range rounds { // all players at a board first, so that the cells have their places
		m.eachBoard(t, r, func(side, place int, b tournament.MatchBoard, at int) {
			if i := m.individual(side, place+1, b.Players[at]); i >= 0 && b.Result != nil {
				m.Players[side][i].Points += b.Result.Points[at]
				if !b.Result.Forfeit {
					m.Players[side][i].Games++
				}
			}
		})
	}
	for side := range m.Players {
		slices.SortStableFunc(m.Players[side], func(a, b Individual) int { return a.Place - b.Place })
	}
	m.Cells = make([][][]Meeting, len(m.Players[0]))
	for i := range m.Cells {
		m.Cells[i] = make([][]Meeting, len(m.Players[1]))
	}
	for _, r := range rounds {
		m.fill(t, r)
	}
	return m
}

// IDs returns the players of both teams.
func (m *Meetings) IDs() (ids []string) {
	for _, players := range m.Players {
		for _, p := range players {
			ids = append(ids, p.Player)
		}
	}
	return ids
}

// Between returns the boards of two players; own is the index of the player of side (0 for A), other that of the
// opponent.
func (m *Meetings) Between(side, own, other int) []Meeting {
	if side == 1 {
		own, other = other, own
	}
	return m.Cells[own][other]
}

// index returns the line of a player, −1 for none.
func (m *Meetings) index(side int, player string) int {
	return slices.IndexFunc(m.Players[side], func(i Individual) bool { return i.Player == player })
}

// individual returns the line of a player, adding it if needed; −1 for an empty board.
func (m *Meetings) individual(side, place int, player string) int {
	i := m.index(side, player)
	if i < 0 && player != "" {
		m.Players[side] = append(m.Players[side], Individual{Player: player, Place: place})
		i = len(m.Players[side]) - 1
	}
	return i
}

// eachBoard calls a function for both teams, A first, on each board of a round; at is the side of the match.
func (m *Meetings) eachBoard(
	t *tournament.Tournament, r tournament.Round, do func(side, place int, b tournament.MatchBoard, at int),
) {
	for _, p := range r.Pairings {
		for i, b := range p.Boards {
			for side, e := range m.Teams {
				if at := slices.Index(p.Seats, e.ID); at >= 0 {
					do(side, PlaceOf(t, r.Number, e.Number, i), b, at)
				}
			}
		}
	}
}

// fill adds the boards of a round with two players, played or not.
func (m *Meetings) fill(t *tournament.Tournament, r tournament.Round) {
	for _, p := range r.Pairings {
		first := slices.Index(p.Seats, m.Teams[0].ID)
		for i, b := range p.Boards {
			if first < 0 || b.Players[0] == "" || b.Players[1] == "" {
				continue
			}
			cell := &m.Cells[m.index(0, b.Players[first])][m.index(1, b.Players[1-first])]
			meeting := Meeting{Round: r.Number, Board: i + 1, Marks: [2]Mark{MarkOf(b, first), MarkOf(b, 1-first)}, Game: b.GameID}
			if t.Teams.SeatOne(i+1, b) != first {
				meeting.SeatOne = 1
			}
			if b.Result != nil {
				meeting.Points = [2]tournament.Points{b.Result.Points[first], b.Result.Points[1-first]}
			}
			*cell = append(*cell, meeting)
		}
	}
}
