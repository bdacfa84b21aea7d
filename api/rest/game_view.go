package rest

import (
	"context"
	"encoding/hex"
	"slices"

	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

// RenderGame writes a game as a viewer may see it now, with the lines of its log above since (0 for all), in the shape
// that the contract calls Game: for answers, and for what the streams of games send.
func (a *API) RenderGame(ctx context.Context, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
	return a.renderOver(ctx, nil, s, v, since)
}

// renderOver is RenderGame with room to write over.
func (a *API) renderOver(ctx context.Context, room []byte, s *table.Snapshot, v engine.Viewer, since int64) ([]byte, error) {
	now := a.Now()
	var few [4]string // as many as most games have seats
	names, err := a.seatNames(ctx, few[:0], s.Game.Players, now)
	if err != nil {
		return room, err
	}
	return GameJSON(room, s, v, now.UnixMilli(), names, a.Presence, since)
}

// roomForMost is room for a game with the end of its log; most take about half of it.
const roomForMost = 6 << 10

// GameJSON is what [API.RenderGame] gives, at a given time in ms UTC and with players' names by seat ("" for one whose
// name is not known) and what is known of who is connected (nil for nothing). It is made of nothing else but what the
// snapshot gives out for the viewer. It is written over room, if that is large enough.
func GameJSON(room []byte, s *table.Snapshot, v engine.Viewer, now int64, names []string, here Presence, since int64) ([]byte, error) {
	p := s.Outline(v)
	n := noteOf(s)
	f := n.frameOf(s, names)
	j := &jsonText{slices.Grow(room[:0], roomForMost)}
	j.raw(f.begin)
	j.member(`,"status":`, string(s.Game.Status))
	j.number(`,"version":`, s.Game.Version)
	j.number(`,"turn":`, int64(p.Turn))
	j.number(`,"plies":`, int64(p.Plies))
	numbers(j, `,"awaited":`, p.Pending.Awaited)
	j.flag(`,"sealed":`, p.Pending.Sealed)
	writeSeats(j, s, f, now, here)
	j.raw(f.rules)
	if s.Game.Status == table.Waiting && s.Game.Invited != 0 {
		j.optionalTime(`,"accept_until":`, s.Game.Deadline)
	}
	j.optional(`,"position":`, p.Position)
	j.raw(`,"view":`)
	var err error
	if j.b, err = s.AppendView(j.b, v); err != nil {
		return j.b, err
	}
	writeLegal(j, p.Legal)
	n.writeEvents(j, s, v, since)
	j.optionalNumber(`,"draw_offer":`, int64(s.Game.Offer))
	if s.Game.Takebacks {
		j.flag(`,"takebacks":`, true)
		j.optionalNumber(`,"takeback_offer":`, int64(s.TakebackOffer()))
	}
	writeOutcome(j, s.Game.Outcome)
	writePlace(j, s.Game.Tournament)
	j.optional(`,"commitment":`, p.Commitment)
	if p.Seed != nil {
		j.member(`,"seed":`, hex.EncodeToString(p.Seed[:]))
	}
	writeChance(j, s.Chance(v))
	j.raw(f.began)
	j.optionalTime(`,"finished_at":`, s.Game.FinishedAt)
	j.time(`,"server_time":`, now)
	j.raw("}")
	return j.b, nil
}

func writeSeats(j *jsonText, s *table.Snapshot, f *frame, now int64, here Presence) {
	tell := here != nil && !s.Game.Status.Over() && !s.Past()
	var connected uint16
	if tell {
		connected = here.Connected(s.Game.ID, s.Game.Players)
	}
	j.raw(`,"seats":[`)
	for i := range s.Game.Seats {
		if i > 0 {
			j.raw(",")
		}
		j.raw(f.seats[i])
		if s.Game.Status == table.Waiting && s.Game.Invited != 0 {
			j.flag(`,"accepted":`, !s.Game.Invited.Has(int8(i+1)))
		}
		writeClock(j, s.Clock(int8(i+1), now))
		if id := s.Game.Players[i]; tell && id != "" {
			writePresence(j, connected>>i&1 == 1, here, s.Game.ID, id)
		}
		j.raw("}")
	}
	j.raw("]")
}

func writePresence(j *jsonText, connected bool, here Presence, game, player string) {
	var last int64
	if !connected {
		connected, last = here.Present(game, player)
	}
	j.flag(`,"connected":`, connected)
	if !connected {
		j.optionalTime(`,"last_seen":`, last)
	}
}

func writeClock(j *jsonText, r clock.Reading) {
	j.flag(`,"running":`, r.Running && !r.None)
	if r.None {
		return
	}
	j.number(`,"remaining_ms":`, r.Remaining)
	j.optionalNumber(`,"periods":`, int64(r.Periods))
	if r.Running && r.HasDeadline {
		j.time(`,"deadline":`, r.Deadline)
	}
}

func writeLegal(j *jsonText, legal map[engine.Seat][]engine.Move) {
	j.raw(`,"legal":{`)
	for seat, moves := range legal {
		j.comma()
		j.number(`"`, int64(seat))
		j.raw(`":[`)
		for i, m := range moves {
			if i > 0 {
				j.raw(",")
			}
			j.text(string(m))
		}
		j.raw("]")
	}
	j.raw("}")
}

func writeOutcome(j *jsonText, o *engine.Outcome) {
	if o == nil {
		return
	}
	j.raw(`,"outcome":{`)
	if !o.Void() {
		numbers(j, `"ranks":`, o.Ranks)
		j.raw(",")
	}
	j.member(`"reason":`, string(o.Reason))
	j.raw("}")
}

func writeChance(j *jsonText, c *table.Chance) {
	if c == nil {
		return
	}
	j.member(`,"chance":{"server_commitment":`, c.ServerCommitment)
	j.optional(`,"server_seed":`, c.ServerSeed)
	j.flag(`,"dealt":`, c.Dealt)
	numbers(j, `,"awaited":`, c.Awaited)
	j.optionalTime(`,"until":`, c.Until)
	j.raw(`,"seats":[`)
	for i, commitment := range c.Commitments {
		j.comma()
		j.number(`{"seat":`, int64(i+1))
		j.optional(`,"commitment":`, commitment)
		j.optional(`,"nonce":`, c.Nonces[i])
		if c.Lapsed[i] {
			j.flag(`,"lapsed":`, true)
		}
		j.raw("}")
	}
	j.raw("]}")
}

func writePlace(j *jsonText, p *table.Place) {
	if p == nil {
		return
	}
	j.member(`,"tournament":{"id":`, p.ID)
	j.number(`,"round":`, int64(p.Round))
	j.number(`,"board":`, int64(p.Board))
	j.raw("}")
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
