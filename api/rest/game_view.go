package rest

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

// GameView is a game as a viewer may see it at a time in ms UTC, with the lines of its log above since (0 for all).
// It is made of nothing but what the snapshot gives out for that viewer.
func GameView(s *table.Snapshot, v engine.Viewer, now int64, names map[string]string, since int64) gen.Game {
	p := s.Project(v)
	g := gen.Game{
		ID: s.Game.ID, Variant: s.Game.Variant, Status: gen.GameStatus(s.Game.Status), Version: s.Game.Version,
		Turn: p.Turn, Plies: p.Plies, Awaited: seatNumbers(p.Pending.Awaited), Sealed: p.Pending.Sealed,
		Seats: gameSeats(s, now, names), TimeControl: s.Game.Controls[0], Options: options(s.Game.Options),
		Rated: s.Game.Rated, Position: optional(p.Position), View: p.View, Legal: legalMoves(p.Legal),
		Events: gameEvents(s.Log(v), since), DrawOffer: optional(s.Game.Offer), Outcome: outcome(s.Game.Outcome),
		Tournament: place(s.Game.Tournament), Commitment: optional(p.Commitment),
		CreatedAt: moment(s.Game.CreatedAt), StartedAt: optionalMoment(s.Game.StartedAt),
		FinishedAt: optionalMoment(s.Game.FinishedAt), ServerTime: moment(now),
	}
	if p.Seed != nil {
		g.Seed = optional(hex.EncodeToString(p.Seed[:]))
	}
	return g
}

// RenderGame is GameView in JSON, with the players' names: what the streams of games send.
func (a *API) RenderGame(ctx context.Context, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
	names, err := a.playerNames(ctx, s.Game.Players...)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = encode(&out, GameView(s, v, a.Now().UnixMilli(), names, since))
	return out.Bytes(), err
}

// encode writes JSON on one line, without the escapes that only HTML needs: moves have ">" in them.
func encode(out *bytes.Buffer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

func gameSeats(s *table.Snapshot, now int64, names map[string]string) []gen.GameSeat {
	info := s.Match.Rules().Info()
	seats := make([]gen.GameSeat, s.Game.Seats)
	for i, r := range s.Clocks(now) {
		seats[i] = gen.GameSeat{
			Seat: int8(i + 1), Side: int8(info.SideOf(engine.Seat(i + 1))),
			Player: playerRef(s.Game.Players[i], names), TimeControl: &s.Game.Controls[i],
		}
		showClock(&seats[i], r)
	}
	return seats
}

func showClock(seat *gen.GameSeat, r clock.Reading) {
	if r.None {
		return
	}
	seat.RemainingMs = &r.Remaining
	seat.Periods = optional(r.Periods)
	seat.Running = r.Running
	if r.Running && r.HasDeadline {
		seat.Deadline = optionalMoment(r.Deadline)
	}
}

func gameEvents(lines []table.Line, since int64) []gen.GameEvent {
	for len(lines) > 0 && lines[0].N <= since {
		lines = lines[1:]
	}
	events := make([]gen.GameEvent, len(lines))
	for i := range lines {
		l := &lines[i]
		events[i] = gen.GameEvent{
			N: l.N, Kind: gen.GameEventKind(l.Kind), Seat: optional(l.Seat), At: moment(l.At), Turn: optional(l.Turn),
		}
		if l.Kind != table.LineMove {
			events[i].Text = optional(l.Text)
			continue
		}
		events[i].Move = optional(l.Text)
		events[i].ElapsedMs = &l.Elapsed
		events[i].RemainingMs = optional(l.Remaining)
	}
	return events
}

func legalMoves(legal map[engine.Seat][]engine.Move) map[string][]gen.MoveToken {
	out := make(map[string][]gen.MoveToken, len(legal))
	for seat, moves := range legal {
		tokens := make([]gen.MoveToken, len(moves))
		for i, m := range moves {
			tokens[i] = string(m)
		}
		out[strconv.Itoa(int(seat))] = tokens
	}
	return out
}

func outcome(o *engine.Outcome) *gen.Outcome {
	if o == nil {
		return nil
	}
	out := &gen.Outcome{Reason: string(o.Reason)}
	if !o.Void() {
		out.Ranks = &o.Ranks
	}
	return out
}

func place(p *table.Place) *gen.GamePlace {
	if p == nil {
		return nil
	}
	return &gen.GamePlace{ID: p.ID, Round: p.Round, Board: p.Board}
}

func seatNumbers(seats []engine.Seat) []gen.Seat {
	out := make([]gen.Seat, len(seats))
	for i, s := range seats {
		out[i] = gen.Seat(s)
	}
	return out
}

// options spells no options as an empty object: the member is always there.
func options(chosen map[string]string) gen.Options {
	if chosen == nil {
		return gen.Options{}
	}
	return chosen
}
