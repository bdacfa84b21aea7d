// Package gamejson is a hand-written JSON encoder, without reflection, for the contract's schema Game: the answer to
// every move and the data of every event of a stream. An answer takes 14,000 to 35,000 instructions, with encoding/json
// 77,000 to 92,000, of some 210,000 that a move takes in all; with encoding/json a move takes a sixth more CPU time.
//
// Its only source is a snapshot's projection for a viewer, so no secrets leak. Strings are encoded by jsontext; views
// encode themselves, see [engine.ViewWriter].
package gamejson

import (
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"quatuor/engine"
	"quatuor/engine/botid"
	"quatuor/engine/clock"
	"quatuor/engine/table"
)

// Presence reports which players are connected to games.
type Presence interface {
	// Connected reports the game's players that are connected to it: bit 0 for the first player, and so on.
	Connected(game string, players []string) (here uint16)
	// Present reports whether a player is connected, and when it was last heard of, in ms UTC; 0 if that is not known.
	Present(game, player string) (connected bool, last int64)
}

// Facts are the inputs beside the snapshot.
type Facts struct {
	Now      int64    // ms UTC
	Names    []string // of the players by seat; "" is replaced by the id
	Presence Presence // nil if presence is unknown
}

// usual is the size of most encoded games with the end of their log.
const usual = 3 << 10

// Append appends a game as a viewer may see it, with the lines of its log above since (0 for all), to a buffer.
func Append(b []byte, s *table.Snapshot, v engine.Viewer, since int64, f Facts) ([]byte, error) {
	p := s.Outline(v)
	w := &writer{slices.Grow(b, usual)}
	w.member(`{"id":`, s.Game.ID)
	w.member(`,"variant":`, s.Game.Variant)
	w.member(`,"status":`, string(s.Game.Status))
	w.number(`,"version":`, s.Game.Version)
	w.number(`,"turn":`, int64(p.Turn))
	w.number(`,"plies":`, int64(p.Plies))
	numbers(w, `,"awaited":`, p.Pending.Awaited)
	w.flag(`,"sealed":`, p.Pending.Sealed)
	writeSeats(w, s, f)
	w.member(`,"time_control":`, s.Game.Controls[0])
	writeOptions(w, s.Game.Options)
	w.flag(`,"rated":`, s.Game.Rated)
	if s.Game.Hall {
		w.raw(`,"venue":"hall"`)
	}
	switch {
	case s.Game.Status == table.Waiting && s.Game.StartsAt != 0:
		w.optionalTime(`,"starts_at":`, s.Game.Deadline)
	case inviting(s):
		w.optionalTime(`,"accept_until":`, s.Game.Deadline)
	}
	writeOpen(w, s, v)
	w.optional(`,"position":`, p.Position)
	w.raw(`,"view":`)
	var err error
	if w.b, err = s.AppendView(w.b, v); err != nil {
		return b, err
	}
	writeLegal(w, p.Legal)
	writeEvents(w, &s.Game, s.Log(v), since)
	w.optionalNumber(`,"draw_offer":`, int64(s.Game.Offer))
	if s.Game.Takebacks {
		w.flag(`,"takebacks":`, true)
		w.optionalNumber(`,"takeback_offer":`, int64(s.TakebackOffer()))
	}
	writeOutcome(w, s.Game.Outcome)
	writePlace(w, s.Game.Tournament)
	w.optional(`,"commitment":`, p.Commitment)
	if p.Seed != nil {
		w.member(`,"seed":`, hex.EncodeToString(p.Seed[:]))
	}
	writeChance(w, s.Chance(v))
	w.time(`,"created_at":`, s.Game.CreatedAt)
	w.optionalTime(`,"started_at":`, s.Game.StartedAt)
	w.optionalTime(`,"finished_at":`, s.Game.FinishedAt)
	w.time(`,"server_time":`, f.Now)
	w.raw("}")
	return w.b, nil
}

// inviting reports whether the game waits for players to accept, or to come to the board.
func inviting(s *table.Snapshot) bool { return s.Game.Status == table.Waiting && s.Game.Invited != 0 }

// writeOpen appends the members of an open game; the invitation code only for its seats while it waits.
func writeOpen(w *writer, s *table.Snapshot, v engine.Viewer) {
	if !s.Game.Open {
		return
	}
	w.flag(`,"open":`, true)
	if s.Game.Code == "" {
		return
	}
	w.flag(`,"private":`, true)
	for seat := engine.Seat(1); int(seat) <= s.Game.Seats && inviting(s); seat++ {
		if v.Holds(seat) {
			w.member(`,"code":`, s.Game.Code)
			return
		}
	}
}

func writeSeats(w *writer, s *table.Snapshot, f Facts) {
	present := f.Presence != nil && !s.Game.Status.Over() && !s.Past()
	var connected uint16
	if present {
		connected = f.Presence.Connected(s.Game.ID, s.Game.Players)
	}
	info := s.Info()
	w.raw(`,"seats":[`)
	for i, id := range s.Game.Players {
		w.comma(i == 0)
		seat := engine.Seat(i + 1)
		w.number(`{"seat":`, int64(seat))
		w.number(`,"side":`, int64(info.SideOf(seat)))
		if id != "" {
			w.member(`,"player":{"id":`, id)
			w.member(`,"name":`, f.nameAt(i, id))
			if botid.HasAccount(id) {
				w.flag(`,"bot":`, true)
			}
			w.raw("}")
		}
		if level := table.BotLevel(id); level > 0 {
			w.number(`,"bot":`, int64(level))
		}
		w.member(`,"time_control":`, s.Game.Controls[i])
		if inviting(s) {
			w.flag(`,"accepted":`, !s.Game.Invited.Has(int8(seat)))
			if id == "" {
				w.flag(`,"open":`, true)
			}
		}
		writeClock(w, s.Clock(int8(seat), f.Now))
		if present && id != "" && table.BotLevel(id) == 0 {
			writePresence(w, connected>>i&1 == 1, f.Presence, s.Game.ID, id)
		}
		w.raw("}")
	}
	w.raw("]")
}

// nameAt returns the name of the player at a place.
func (f Facts) nameAt(place int, id string) string {
	if place < len(f.Names) && f.Names[place] != "" {
		return f.Names[place]
	}
	return id
}

func writePresence(w *writer, connected bool, here Presence, game, player string) {
	var last int64
	if !connected {
		connected, last = here.Present(game, player)
	}
	w.flag(`,"connected":`, connected)
	if !connected {
		w.optionalTime(`,"last_seen":`, last)
	}
}

func writeClock(w *writer, r clock.Reading) {
	w.flag(`,"running":`, r.Running && !r.None)
	if r.None {
		return
	}
	w.number(`,"remaining_ms":`, r.Remaining)
	if r.Byoyomi {
		w.number(`,"periods":`, int64(r.Periods))
	}
	if r.Running && r.HasDeadline {
		w.time(`,"deadline":`, r.Deadline)
	}
}

func writeOptions(w *writer, chosen map[string]string) {
	w.raw(`,"options":{`)
	first := true
	for key, value := range chosen {
		w.comma(first)
		first = false
		w.text(key)
		w.member(":", value)
	}
	w.raw("}")
}

func writeLegal(w *writer, legal map[engine.Seat][]engine.Move) {
	w.raw(`,"legal":{`)
	first := true
	for seat, moves := range legal {
		w.comma(first)
		first = false
		w.number(`"`, int64(seat))
		w.raw(`":[`)
		for i, m := range moves {
			w.comma(i == 0)
			w.text(string(m))
		}
		w.raw("]")
	}
	w.raw("}")
}

func writeOutcome(w *writer, o *engine.Outcome) {
	if o == nil {
		return
	}
	w.raw(`,"outcome":{`)
	if !o.Void() {
		numbers(w, `"ranks":`, o.Ranks)
		w.raw(",")
	}
	w.member(`"reason":`, string(o.Reason))
	w.raw("}")
}

func writePlace(w *writer, p *table.Place) {
	if p == nil {
		return
	}
	w.member(`,"tournament":{"id":`, p.ID)
	w.number(`,"round":`, int64(p.Round))
	w.number(`,"board":`, int64(p.Board))
	w.raw("}")
}

func writeChance(w *writer, c *table.Chance) {
	if c == nil {
		return
	}
	w.member(`,"chance":{"server_commitment":`, c.ServerCommitment)
	w.optional(`,"server_seed":`, c.ServerSeed)
	w.flag(`,"dealt":`, c.Dealt)
	numbers(w, `,"awaited":`, c.Awaited)
	w.optionalTime(`,"until":`, c.Until)
	w.raw(`,"seats":[`)
	for i, commitment := range c.Commitments {
		w.comma(i == 0)
		w.number(`{"seat":`, int64(i+1))
		w.optional(`,"commitment":`, commitment)
		w.optional(`,"nonce":`, c.Nonces[i])
		if c.Lapsed[i] {
			w.flag(`,"lapsed":`, true)
		}
		w.raw("}")
	}
	w.raw("]}")
}

// writeEvents appends the lines of a game's log above since.
func writeEvents(w *writer, g *table.Game, lines []table.Line, since int64) {
	first := len(lines)
	for first > 0 && lines[first-1].N > since { // from the end: usually a single line is requested
		first--
	}
	w.raw(`,"events":[`)
	for i := range lines[first:] {
		w.comma(i == 0)
		writeEvent(w, g, &lines[first+i])
	}
	w.raw("]")
}

func writeEvent(w *writer, g *table.Game, l *table.Line) {
	w.number(`{"n":`, l.N)
	w.member(`,"kind":`, string(l.Kind))
	w.optionalNumber(`,"seat":`, int64(l.Seat))
	if l.Kind == table.LineMove {
		w.optional(`,"move":`, l.Text)
	} else {
		writeText(w, l)
	}
	w.optionalNumber(`,"turn":`, int64(l.Turn))
	w.time(`,"at":`, l.At)
	switch l.Kind {
	case table.LineMove:
		w.number(`,"elapsed_ms":`, l.Elapsed)
		if g.Timed(l.Seat) {
			w.number(`,"remaining_ms":`, l.Remaining)
		}
	case table.LineSet, table.LineAdd, table.LineBerserk:
		w.number(`,"remaining_ms":`, l.Remaining)
	}
	w.raw("}")
}

// writeText appends the word and the reason of a line that is no move.
func writeText(w *writer, l *table.Line) {
	word, reason := l.Word(), l.Reason()
	if word == "" {
		word, reason = reason, ""
	}
	w.optional(`,"text":`, word)
	w.optional(`,"reason":`, reason)
}

// writer appends JSON member by member. The key of a member is passed with its punctuation, the comma or the bracket
// before it and the colon after it, so that it is copied at once.
type writer struct{ b []byte }

// raw appends JSON text.
func (w *writer) raw(text string) { w.b = append(w.b, text...) }

// comma separates the elements of a list or an object: it appends a comma before all but the first.
func (w *writer) comma(first bool) {
	if !first {
		w.b = append(w.b, ',')
	}
}

// text appends a string; invalid UTF-8 in it becomes U+FFFD, as in encoding/json.
func (w *writer) text(s string) {
	w.b, _ = jsontext.AppendQuote(w.b, s) // the error reports invalid UTF-8
}

// moment appends a time in ms since 1970, as RFC 3339 in UTC with milliseconds.
func (w *writer) moment(ms int64) {
	t := time.UnixMilli(ms).UTC()
	// RFC 3339 has a fast path in package time, unlike forms with ".000"
	w.b = t.AppendFormat(append(w.b, '"'), time.RFC3339)
	n := t.Nanosecond() / int(time.Millisecond)
	w.b = append(w.b[:len(w.b)-1], '.', digit(n/100), digit(n/10%10), digit(n%10), 'Z', '"')
}

func digit(n int) byte { return byte('0' + n) }

// member appends a text. The optional forms leave a member out where its value is zero.
func (w *writer) member(key, s string) {
	w.raw(key)
	w.text(s)
}

func (w *writer) optional(key, s string) {
	if s != "" {
		w.member(key, s)
	}
}

func (w *writer) number(key string, n int64) {
	w.raw(key)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *writer) optionalNumber(key string, n int64) {
	if n != 0 {
		w.number(key, n)
	}
}

func (w *writer) flag(key string, v bool) {
	w.raw(key)
	w.b = strconv.AppendBool(w.b, v)
}

func (w *writer) time(key string, ms int64) {
	w.raw(key)
	w.moment(ms)
}

func (w *writer) optionalTime(key string, ms int64) {
	if ms != 0 {
		w.time(key, ms)
	}
}

// numbers appends a list of numbers.
func numbers[T ~int | ~int8](w *writer, key string, list []T) {
	w.raw(key)
	w.raw("[")
	for i, n := range list {
		w.comma(i == 0)
		w.b = strconv.AppendInt(w.b, int64(n), 10)
	}
	w.raw("]")
}
