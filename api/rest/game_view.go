package rest

import (
	"context"
	"encoding/hex"
	"slices"
	"strconv"

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
	names, err := a.playerNames(ctx, s.Game.Players...)
	if err != nil {
		return room, err
	}
	return GameJSON(room, s, v, a.Now().UnixMilli(), names, a.Presence, since)
}

// besidesEvents is room for a game without its log; most take about half of it.
const besidesEvents = 6 << 10

// GameJSON is what [API.RenderGame] gives, at a given time in ms UTC and with players' names by id and what is known of who is
// connected (nil for nothing). It is made of nothing else but what the snapshot gives out for the viewer. It is written over room, if that is large enough.
func GameJSON(room []byte, s *table.Snapshot, v engine.Viewer, now int64, names map[string]string, here Presence, since int64) ([]byte, error) {
	p := s.Project(v)
	events := eventsText(s, v, since)
	j := &jsonText{slices.Grow(room[:0], len(events)+besidesEvents)}
	j.open('{')
	j.member("id", s.Game.ID)
	j.member("variant", s.Game.Variant)
	j.member("status", string(s.Game.Status))
	j.number("version", s.Game.Version)
	j.number("turn", int64(p.Turn))
	j.number("plies", int64(p.Plies))
	numbers(j, "awaited", p.Pending.Awaited)
	j.flag("sealed", p.Pending.Sealed)
	writeSeats(j, s, now, names, here)
	j.member("time_control", s.Game.Controls[0])
	writeOptions(j, s.Game.Options)
	j.flag("rated", s.Game.Rated)
	j.optional("position", p.Position)
	if err := j.view(p.View); err != nil {
		return j.b, err
	}
	writeLegal(j, p.Legal)
	j.key("events")
	j.open('[')
	j.b = append(j.b, events...)
	j.close(']')
	j.optionalNumber("draw_offer", int64(s.Game.Offer))
	if s.Game.Takebacks {
		j.flag("takebacks", true)
		j.optionalNumber("takeback_offer", int64(s.TakebackOffer()))
	}
	writeOutcome(j, s.Game.Outcome)
	writePlace(j, s.Game.Tournament)
	j.optional("commitment", p.Commitment)
	if p.Seed != nil {
		j.member("seed", hex.EncodeToString(p.Seed[:]))
	}
	writeChance(j, s.Chance(v))
	j.time("created_at", s.Game.CreatedAt)
	j.optionalTime("started_at", s.Game.StartedAt)
	j.optionalTime("finished_at", s.Game.FinishedAt)
	j.time("server_time", now)
	j.close('}')
	return j.b, nil
}

func writeSeats(j *jsonText, s *table.Snapshot, now int64, names map[string]string, here Presence) {
	info := s.Info()
	j.key("seats")
	j.open('[')
	for i, r := range s.Clocks(now) {
		seat := engine.Seat(i + 1)
		j.open('{')
		j.number("seat", int64(seat))
		j.number("side", int64(info.SideOf(seat)))
		if id := s.Game.Players[i]; id != "" {
			j.key("player")
			j.open('{')
			j.member("id", id)
			j.member("name", nameOf(id, names))
			j.close('}')
		}
		j.member("time_control", s.Game.Controls[i])
		writeClock(j, r)
		if id := s.Game.Players[i]; here != nil && id != "" && !s.Game.Status.Over() && !s.Past() {
			connected, last := here.Present(s.Game.ID, id)
			j.flag("connected", connected)
			if !connected {
				j.optionalTime("last_seen", last)
			}
		}
		j.close('}')
	}
	j.close(']')
}

func writeClock(j *jsonText, r clock.Reading) {
	j.flag("running", r.Running && !r.None)
	if r.None {
		return
	}
	j.number("remaining_ms", r.Remaining)
	j.optionalNumber("periods", int64(r.Periods))
	if r.Running && r.HasDeadline {
		j.time("deadline", r.Deadline)
	}
}

func writeOptions(j *jsonText, chosen map[string]string) {
	j.key("options")
	j.open('{')
	for key, value := range chosen {
		j.text(key)
		j.b = append(j.b, ':')
		j.text(value)
	}
	j.close('}')
}

func writeLegal(j *jsonText, legal map[engine.Seat][]engine.Move) {
	j.key("legal")
	j.open('{')
	for seat, moves := range legal {
		j.key(strconv.Itoa(int(seat)))
		j.open('[')
		for _, m := range moves {
			j.text(string(m))
		}
		j.close(']')
	}
	j.close('}')
}

func writeOutcome(j *jsonText, o *engine.Outcome) {
	if o == nil {
		return
	}
	j.key("outcome")
	j.open('{')
	if !o.Void() {
		numbers(j, "ranks", o.Ranks)
	}
	j.member("reason", string(o.Reason))
	j.close('}')
}

func writeChance(j *jsonText, c *table.Chance) {
	if c == nil {
		return
	}
	j.key("chance")
	j.open('{')
	j.member("server_commitment", c.ServerCommitment)
	j.optional("server_seed", c.ServerSeed)
	j.flag("dealt", c.Dealt)
	numbers(j, "awaited", c.Awaited)
	j.optionalTime("until", c.Until)
	j.key("seats")
	j.open('[')
	for i, commitment := range c.Commitments {
		j.open('{')
		j.number("seat", int64(i+1))
		j.optional("commitment", commitment)
		j.optional("nonce", c.Nonces[i])
		if c.Lapsed[i] {
			j.flag("lapsed", true)
		}
		j.close('}')
	}
	j.close(']')
	j.close('}')
}

func writePlace(j *jsonText, p *table.Place) {
	if p == nil {
		return
	}
	j.key("tournament")
	j.open('{')
	j.member("id", p.ID)
	j.number("round", int64(p.Round))
	j.number("board", int64(p.Board))
	j.close('}')
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
