package rest

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/record"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// prefersJSON reports whether the Accept header lists JSON before any other form on offer.
func (a *API) prefersJSON() bool {
	for part := range strings.SplitSeq(a.request.Accept, ",") {
		kind, _, err := mime.ParseMediaType(part)
		switch {
		case err != nil:
		case kind == "application/json":
			return true
		case kind == "*/*" || strings.HasPrefix(kind, "text/"):
			return false
		}
	}
	return false
}

// textFile is a plain-text response that a browser shows, and saves under the given name.
type textFile struct {
	name string
	text []byte
}

// VisitFile writes the response.
func (f textFile) VisitFile(w http.ResponseWriter) error {
	header := w.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": f.name}))
	header.Add("Vary", "Accept")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(f.text)
	return err
}

// GetGameRecord returns a game's record, in text or in JSON.
func (a *API) GetGameRecord(ctx context.Context, r gen.GetGameRecordIn) (gen.GetGameRecordOut, error) {
	s, err := a.look(ctx, r.GameID)
	if err != nil {
		return nil, err
	}
	event := ""
	if p := s.Game.Tournament; p != nil {
		t, err := a.Tournaments.Tournament(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		event = t.Name
	}
	rec, err := a.recordOf(ctx, s, event)
	if err != nil {
		return nil, err
	}
	if a.prefersJSON() {
		return recordView(rec), nil
	}
	return textFile{"game-" + s.Game.ID + ".record", record.Append(nil, rec)}, nil
}

// gamesOf lists the games of a tournament by round and board, and those of the same board in the order of their
// opening.
func (a *API) gamesOf(ctx context.Context, t *tournament.Tournament) (games []table.Game, err error) {
	list := all(func(cursor string) ([]table.Game, string, error) {
		return a.GameList.List(ctx, table.Filter{Tournament: t.ID}, maxItems, cursor)
	})
	for g, err := range list {
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	slices.SortFunc(games, func(one, other table.Game) int {
		return cmp.Or(
			cmp.Compare(one.Tournament.Round, other.Tournament.Round),
			cmp.Compare(one.Tournament.Board, other.Tournament.Board),
			cmp.Compare(one.CreatedAt, other.CreatedAt), cmp.Compare(one.ID, other.ID),
		)
	})
	return games, nil
}

// recordOf returns the record of a game as the client may see it.
func (a *API) recordOf(ctx context.Context, s *table.Snapshot, event string) (record.Record, error) {
	names, err := a.commands.Names.Of(ctx, s.Game.Players...)
	if err != nil {
		return record.Record{}, err
	}
	r, err := GameRecord(s, viewer(ctx, s), names, event)
	r.Site = cmp.Or(a.Address, unknownSite)
	return r, err
}

// unknownSite is the Site tag of a record if the service's address is unknown.
const unknownSite = "?"

// GameRecord returns the record of a game as a viewer may see it; event is the name of its tournament. It uses only the
// snapshot's projection for that viewer. An error means that the log has a kind of line that records cannot express.
func GameRecord(s *table.Snapshot, v engine.Viewer, names map[string]string, event string) (record.Record, error) {
	g, p := s.Game, s.Project(v)
	r := record.Record{
		Event: event, Game: g.ID, Variant: g.Variant, Options: g.Options, Controls: g.Controls, Lag: g.Lag, Rated: g.Rated,
		Start: g.StartedAt, End: g.FinishedAt, Aborted: g.Status == table.Aborted, Position: p.Position,
		Chance: record.Chance{Commitment: p.Commitment},
	}
	if p.Seed != nil {
		r.Chance.Seed = hex.EncodeToString(p.Seed[:])
	}
	if c := s.Chance(v); c != nil {
		r.Chance.ServerCommitment, r.Chance.ServerSeed = c.ServerCommitment, c.ServerSeed
		if c.Dealt {
			r.Chance.Nonces = c.Nonces
		}
		r.Comment = recordLapses(&r.Chance, c)
	}
	if g.Tournament != nil {
		r.Round, r.Board = g.Tournament.Round, g.Tournament.Board
	}
	if g.Hall {
		r.Start, r.End = 0, 0
	}
	if g.StartedAt != 0 {
		r.Date = time.UnixMilli(g.StartedAt).UTC().Format(time.DateOnly)
	}
	for _, id := range g.Players {
		name := ""
		if who := playerRef(id, names); who != nil {
			name = who.Name
		}
		r.Seats = append(r.Seats, name)
	}
	if g.Outcome != nil {
		r.Outcome = &record.Outcome{Ranks: g.Outcome.Ranks, Reason: g.Outcome.Reason}
	}
	prefix := s.Info().SeatPrefix || g.Seats > 2
	started := false
	for _, l := range s.Log(v) {
		started = started || l.Kind == table.LineStart
		switch l.Kind {
		case table.LineStart, table.LineCommitment, table.LineNonce, table.LineLapse, table.LineAccept, table.LineStand,
			table.LineRefuse:
			continue // in the tags Start, Nonce1 … and the comment; players accept before the record begins
		case table.LineOutage:
			if !started {
				continue // no clock stopped
			}
		}
		e, err := recordEntry(l, g, prefix)
		if err != nil {
			return record.Record{}, fmt.Errorf("game %s, line %d: %w", g.ID, l.N, err)
		}
		r.Entries = append(r.Entries, e)
	}
	return r, nil
}

// recordLapses returns the record's comment on the seats that sent no nonce in time. If none did, the seed is the
// server's own, and it clears the chance to that of a game without nonces.
func recordLapses(chance *record.Chance, c *table.Chance) string {
	var absent []string
	for i, lapsed := range c.Lapsed {
		if lapsed {
			absent = append(absent, fmt.Sprintf("seat %d", i+1))
		}
	}
	switch len(absent) {
	case 0:
		return ""
	case len(c.Lapsed):
		chance.ServerCommitment = ""
		chance.ServerSeed = ""
		chance.Nonces = nil
		return "No seat added to the seed in time: it is the server's alone."
	}
	return strings.Join(absent, ", ") + " did not add to the seed in time."
}

// recordEntry converts a line of a game's log.
func recordEntry(l table.Line, g table.Game, prefix bool) (record.Entry, error) {
	e := record.Entry{Kind: record.Kind(l.Kind), Seat: engine.Seat(l.Seat), At: l.At}
	if g.Hall {
		e.At = 0 // times of hall games are unknown
	}
	switch l.Kind {
	case table.LineMove:
		if !prefix {
			e.Seat = 0
		}
		if g.Hall {
			e.Text = l.Text
			return e, nil
		}
		e.Text = cmp.Or(l.Text, record.Untold)
		e.Elapsed = &l.Elapsed
		e.Claimed = l.Claimed
		if g.Timed(l.Seat) {
			e.Remaining = &l.Remaining
		}
	case table.LineLeft, table.LineAdjudication, table.LineTakeback:
		e.Text, e.Comment = l.Word(), l.Reason()
	case table.LinePause, table.LineResume:
		e.Comment = l.Reason()
		if l.Word() != table.CauseArbiter {
			e.Text = l.Word()
		}
	case table.LineSet, table.LineAdd:
		ms, periods, err := l.Ms()
		if err != nil {
			return record.Entry{}, fmt.Errorf("a changed clock: %w", err)
		}
		e.Text, e.Comment = record.ClockText(ms, periods), l.Reason()
	case table.LineOutage:
		length, _, err := l.Ms()
		if err != nil {
			return record.Entry{}, fmt.Errorf("the length of an outage: %w", err)
		}
		e.Length = length
	case table.LineBerserk:
	case table.LineAgreed, table.LineOffer, table.LineDecline, table.LineAbort, table.LineTakebackOffer,
		table.LineTakebackDecline:
		e.Comment = l.Text
		if l.Kind == table.LineAbort {
			e.Seat = 0 // the comment names the seat that declined
		}
	default:
		return record.Entry{}, fmt.Errorf("a record has no word for %q", l.Kind)
	}
	return e, nil
}

// recordView is a record in JSON.
func recordView(r record.Record) gen.GameRecord {
	v := gen.GameRecord{
		Event: optional(r.Event), Site: optional(r.Site), Date: optional(r.Date),
		Round: optional(r.Round), Board: optional(r.Board), GameID: r.Game,
		Variant: r.Variant, Options: command.Options(r.Options), Lag: r.Lag,
		Rated: r.Rated, Seats: make([]gen.RecordSeat, len(r.Seats)),
		Commitment: optional(r.Chance.Commitment), Seed: optional(r.Chance.Seed),
		ServerCommitment: optional(r.Chance.ServerCommitment),
		ServerSeed:       optional(r.Chance.ServerSeed), StartedAt: command.OptionalMoment(r.Start),
		FinishedAt: command.OptionalMoment(r.End), Result: r.Result(),
		Termination: r.Termination(), Position: optional(r.Position),
		Entries: make([]gen.RecordEntry, len(r.Entries)),
	}
	if nonces := r.Chance.Nonces; nonces != nil {
		v.Nonces = &nonces
	}
	for i, name := range r.Seats {
		v.Seats[i] = gen.RecordSeat{Name: optional(name), TimeControl: r.Controls[i]}
	}
	for i, e := range r.Entries {
		v.Entries[i] = gen.RecordEntry{
			Kind: string(e.Kind), Seat: optional(int8(e.Seat)), Text: optional(e.Text), Comment: optional(e.Comment),
			At: command.OptionalMoment(e.At), ElapsedMs: e.Elapsed, ClaimedMs: e.Claimed,
			RemainingMs: e.Remaining, LengthMs: optional(e.Length),
		}
	}
	return v
}
