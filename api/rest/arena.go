package rest

import (
	"context"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/roster"
	"quatuor/tournament"
	"quatuor/tournament/arena"
)

// GetArena returns the current state of an arena.
func (a *API) GetArena(ctx context.Context, r gen.GetArenaIn) (gen.GetArenaOut, error) {
	t, err := a.arenaOf(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	return arenaView(t)
}

// JoinArena lets the player wait for opponents.
func (a *API) JoinArena(ctx context.Context, r gen.JoinArenaIn) (gen.JoinArenaOut, error) {
	t, err := a.visible(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	player, err := a.OwnPlayer(ctx)
	if err != nil {
		return nil, err
	}
	members := []string{player}
	players, err := a.People.Players(ctx, members)
	if err != nil {
		return nil, err
	}
	e, err := roster.EntryOf(ctx, a.Ratings, t, "", members, players)
	if err != nil {
		return nil, err
	}
	if t, err = command.JoinArena.Run(ctx, a.commands, command.On{ID: t.ID}, &e); err != nil {
		return nil, err
	}
	return arenaView(t)
}

// LeaveArena lets the player wait for no more opponents.
func (a *API) LeaveArena(ctx context.Context, r gen.LeaveArenaIn) (gen.LeaveArenaOut, error) {
	t, err := a.arenaOf(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	if t, err = command.LeaveArena.Run(ctx, a.commands, command.On{ID: t.ID}, command.None{}); err != nil {
		return nil, err
	}
	return arenaView(t)
}

// ExportArenaGames returns all games of an arena that count.
func (a *API) ExportArenaGames(ctx context.Context, r gen.ExportArenaGamesIn) (gen.ExportArenaGamesOut, error) {
	t, err := a.arenaOf(ctx, r.TournamentID)
	if err != nil {
		return nil, err
	}
	all := arena.Of(t)
	out := gen.ArenaCase{
		ID: t.ID, Players: all.Players, Games: []gen.ArenaCaseGame{}, BerserkMoves: all.BerserkMoves,
	}
	if len(all.Sizes) > 0 {
		out.Sizes, out.Preferred = &all.Sizes, &all.Preferred
	}
	for _, g := range all.Games {
		game := gen.ArenaCaseGame{At: g.At, Moves: g.Moves, Berserk: some(g.Berserk)}
		if g.Table == nil {
			game.W = &g.First
			game.B = &g.Second
			game.R = &g.Result
		} else {
			game.Table = new(each(g.Table, func(s arena.Seat) gen.ArenaCaseSeat {
				return gen.ArenaCaseSeat{Player: s.Player, Place: s.Place, Absent: optional(s.Absent)}
			}))
		}
		out.Games = append(out.Games, game)
	}
	return out, nil
}

// arenaOf returns a visible tournament that is an arena.
func (a *API) arenaOf(ctx context.Context, id string) (*tournament.Tournament, error) {
	t, err := a.visible(ctx, id)
	if err == nil && !t.Format.Continuous() {
		return nil, tournament.Refuse(tournament.ErrNotFound, "an arena; this is a %s", t.Format)
	}
	return t, err
}

func arenaView(t *tournament.Tournament) (gen.Arena, error) {
	all := arena.Of(t)
	standings, err := all.Rank()
	if err != nil {
		return gen.Arena{}, err
	}
	open := arena.OpenGames(t)
	v := gen.Arena{TournamentID: t.ID, Status: string(t.Status), Games: arena.PlayedNow(t), Rows: []gen.ArenaRow{}}
	if t.StartedAt > 0 {
		v.EndsAt, v.ClosesAt = command.OptionalMoment(arena.EndsAt(t)), command.OptionalMoment(arena.ClosesAt(t))
	}
	refs := refsOf(t)
	for _, st := range standings {
		e, _ := t.Entry(st.Player)
		row := gen.ArenaRow{
			Rank: st.Rank, Entry: entryRef(e), Points: gen.ArenaPoints(st.Points) / 10, Streak: st.Streak, Scores: []gen.ArenaScore{},
		}
		if arena.InArena(t, e) {
			v.Players++
			row.WaitingSince = command.OptionalMoment(e.Waiting)
		}
		if p, plays := open[e.ID]; plays {
			row.Board = &p.Board
			row.Table = optional(p.Arena.Table)
			row.GameID = optional(p.GameID)
		}
		for _, s := range st.Scores {
			row.Scores = append(row.Scores, arenaScore(t, all.Games[s.Game], s, e.ID, refs))
		}
		v.Rows = append(v.Rows, row)
	}
	return v, nil
}

func arenaScore(t *tournament.Tournament, g arena.Game, s arena.Score, entry string, refs entryRefs) gen.ArenaScore {
	var others []gen.EntryRef
	for _, id := range g.Players() {
		if id != entry {
			others = append(others, refs.id(id))
		}
	}
	out := gen.ArenaScore{
		Board: g.Board, Points: gen.ArenaPoints(s.Points) / 10, Doubled: optional(s.Doubled), Berserk: optional(s.Berserk),
		Forfeit: optional(s.Forfeit),
	}
	if len(others) == 1 {
		out.Opponent = &others[0]
	} else {
		out.Others = &others
	}
	if p, err := t.Pairing(1, g.Board); err == nil {
		out.GameID = optional(p.GameID)
	}
	return out
}
