package tournament

import (
	"cmp"
	"slices"
)

// MatchBoard is a board of a match of two teams, once its line-ups are revealed.
type MatchBoard struct {
	Players  [2]string `json:"players"` // ids by side: the team with White first; "" for an empty seat
	GameID   string    `json:"game_id,omitempty"`
	Games    int       `json:"games,omitempty"` // opened on this board; above 1 after void games
	HallGame string    `json:"hall_game,omitempty"`
	Result   *Result   `json:"result,omitempty"` // by side, with its game points
	Turned   bool      `json:"turned,omitempty"` // the seats are not those of the colours; in a Scheveningen
}

// LineUp is a version of a sealed line-up as a captain filed it. It is no part of the tournament: until the match is
// revealed only its own team may read it.
type LineUp struct {
	Round    int
	Entry    string // id
	Opponent string // id of the opposing entry when it was filed
	N        int    // from 1; the last version counts
	Players  []string
	Final    bool   // the captain waits no longer
	By       string // account id
	At       int64
}

// Duel is a game that belongs to a pairing: its own, or that of a board of a match.
type Duel struct {
	Board       int // of the pairing
	ID, HallID  string
	Players     []string // by seat
	Variant     string
	TimeControl string
	Options     map[string]string
	Rated       bool
	Result      *Result // nil while it is open; ranks are by entry
	Ranks       []int   // of the result by seat; nil without any
	Record      string
}

// Duels returns the present games of a pairing: its own, or those of the boards of a match.
func (t *Tournament) Duels(p Pairing) []Duel {
	if t.Teams == nil {
		return []Duel{{
			Board: p.Board, ID: p.GameID, HallID: p.HallGame, Players: t.Players(p), Variant: t.Variant, TimeControl: t.ControlOf(p.Games),
			Options: t.Options, Rated: t.Rated && !t.WithBot(p), Result: p.Result, Ranks: t.GameRanks(p), Record: p.Record,
		}}
	}
	var out []Duel
	for i := range p.Boards {
		out = append(out, t.gameOn(p.Board, i+1, p.Boards[i]))
	}
	return out
}

// gameOn returns the game of a board of a match.
func (t *Tournament) gameOn(match, board int, b MatchBoard) Duel {
	on, repeats := t.Teams.Place(board)
	rules := t.Teams.Boards[on-1]
	g := Duel{
		Board: match, ID: b.GameID, HallID: b.HallGame, Players: b.Players[:], TimeControl: t.TimeControl,
		Rated: t.Rated && !rules.Unrated, Result: b.Result,
	}
	g.Variant, g.Options = Settings{Variant: t.Variant, Options: t.Options}.gameOf(rules)
	if rules.TimeControl != "" {
		g.TimeControl = rules.TimeControl
	}
	if repeats > 0 {
		g.TimeControl = cmp.Or(t.Teams.TiebreakClock, g.TimeControl)
	}
	if b.Result != nil {
		g.Ranks = slices.Clone(b.Result.Ranks)
	}
	if t.Teams.SeatOne(board, b) == 1 {
		g.Players = []string{b.Players[1], b.Players[0]}
		slices.Reverse(g.Ranks)
	}
	return g
}

// GameResults returns the results of a pairing's current games on the server, by game id; nil for an open game.
func (p Pairing) GameResults() map[string]*Result {
	out := make(map[string]*Result)
	if p.GameID != "" {
		out[p.GameID] = p.Result
	}
	for _, b := range p.Boards {
		if b.GameID != "" {
			out[b.GameID] = b.Result
		}
	}
	return out
}

// HasGame reports whether a game of the server belongs to the pairing, or to a board of its match.
func (p Pairing) HasGame(id string) bool {
	_, has := p.GameResults()[id]
	return has
}

// Sealed reports whether a pairing of a published round is a match with line-ups that are not revealed yet.
func (t *Tournament) Sealed(p Pairing) bool {
	return t.Teams != nil && p.Bye == NoBye && p.Boards == nil && p.Result == nil
}
