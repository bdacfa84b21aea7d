package rest

import (
	"context"
	"encoding/json"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/stream"
	"quatuor/engine/table"
	"quatuor/tournament"
	"quatuor/tournament/director"
)

// OwnPlayer returns the player of the request's account.
func (a *API) OwnPlayer(ctx context.Context) (string, error) {
	who := auth.From(ctx)
	if who.PlayerID == "" {
		return "", command.ErrNoPlayer
	}
	return who.PlayerID, nil
}

// Matters lists the subjects of an account's stream. It implements stream.Matters.
type Matters struct{ *API }

// maxMatters is the maximum number of games, and of tournaments, of a player that a stream follows.
const maxMatters = 200

// Games lists the games of a player that are not over, and those created at a time or later.
func (m Matters) Games(ctx context.Context, player string, since int64) ([]string, error) {
	open := table.Filter{Player: player, Status: []table.Status{table.Waiting, table.Running, table.Paused}}
	games, _, err := m.GameList.List(ctx, open, maxMatters, "")
	if err != nil {
		return nil, err
	}
	recent, _, err := m.GameList.List(ctx, table.Filter{Player: player}, maxMatters, "")
	for _, g := range recent {
		if g.CreatedAt >= since {
			games = append(games, g)
		}
	}
	return each(games, func(g table.Game) string { return g.ID }), err
}

// Tournaments lists the tournaments that are not over and have the player as an entry, a member or a team's leader.
func (m Matters) Tournaments(ctx context.Context, player string) ([]string, error) {
	list, _, err := m.TournamentList.List(ctx, director.Filter{
		Player: player, Leads: true, Status: []tournament.Status{tournament.Open, tournament.Closed, tournament.Running},
	}, maxMatters, "")
	return each(list, func(t director.Summary) string { return t.ID }), err
}

// Answered returns an arbiter's last answer to a call from a seat.
func (m Matters) Answered(
	ctx context.Context, t *tournament.Tournament, round, board, seat int,
) (stream.Answer, error) {
	call, ok, err := m.API.Tournaments.Answered(ctx, t, round, board, seat)
	if err != nil || !ok {
		return stream.Answer{}, err
	}
	return stream.Answer{Call: call.ID, Status: string(call.Status), At: call.SeenAt}, nil
}

// RenderAccountEvent returns the data of an event of an account's stream, as its schema in the contract has it.
func (a *API) RenderAccountEvent(ctx context.Context, n stream.AccountEvent) ([]byte, error) {
	if n.Game != nil {
		return a.RenderGame(ctx, n.Game, n.Game.Viewer(n.Player), n.Since)
	}
	var body any
	switch n.Event {
	case stream.EventRoundPublished:
		r := n.Tournament.Rounds[n.Round-1]
		body = gen.RoundNotice{
			Tournament: tournamentRef(n.Tournament), Number: r.Number, Boards: len(r.Pairings),
			StartsAt: command.OptionalMoment(r.Start.At),
		}
	case stream.EventMyPairing:
		body = ownPairing(n)
	case stream.EventTeamInvited:
		e, _ := n.Tournament.Entry(n.Entry)
		body = gen.TeamInvitation{
			Tournament: tournamentRef(n.Tournament), Entry: entryRef(e),
		}
	case stream.EventArbiterAnswered:
		body = gen.ArbiterAnswer{
			Tournament: tournamentRef(n.Tournament), Round: n.Round, Board: n.Pairing.Board, CallID: n.Answer.Call,
			Status: n.Answer.Status, At: command.Moment(n.Answer.At),
		}
	case stream.EventNotice:
		body = gen.Notice{Kind: n.Kind, Tournament: tournamentRef(n.Tournament)}
	default:
		names, err := a.commands.Names.Of(ctx, n.Player)
		if err != nil {
			return nil, err
		}
		body = gen.AccountState{
			AccountID: auth.From(ctx).AccountID, Player: *playerRef(n.Player, names),
			ServerTime: command.Moment(a.Tables.Time().UnixMilli()),
		}
	}
	return json.Marshal(body)
}

func tournamentRef(t *tournament.Tournament) gen.TournamentRef {
	return gen.TournamentRef{ID: t.ID, Name: t.Name}
}

func ownPairing(n stream.AccountEvent) gen.OwnPairing {
	p := gen.OwnPairing{
		Tournament: tournamentRef(n.Tournament), Round: n.Round, Pairing: pairingView(n.Tournament, n.Round, *n.Pairing),
		Opponents: []gen.EntryRef{},
	}
	for _, id := range n.Pairing.Seats {
		e, _ := n.Tournament.Entry(id)
		if id == n.Entry {
			p.EntryID = id
			continue
		}
		p.Opponents = append(p.Opponents, entryRef(e))
	}
	return p
}
