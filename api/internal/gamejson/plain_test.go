package gamejson_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"quatuor/api/internal/gamejson"
	"quatuor/engine"
	"quatuor/engine/table"
)

// object is a game as encoding/json can write it.
type object = map[string]any

// set adds a member, unless its value is zero.
func set(o object, key string, value any) {
	if !reflect.ValueOf(value).IsZero() {
		o[key] = value
	}
}

func moment(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }

func setMoment(o object, key string, ms int64) {
	if ms != 0 {
		o[key] = moment(ms)
	}
}

// plain returns the expected output of [gamejson.Append], for encoding/json.
func plain(s *table.Snapshot, v engine.Viewer, since int64, f gamejson.Facts) object {
	p := s.Project(v)
	o := object{
		"id": s.Game.ID, "variant": s.Game.Variant, "status": s.Game.Status, "version": s.Game.Version, "turn": p.Turn,
		"plies": p.Plies, "awaited": append([]engine.Seat{}, p.Pending.Awaited...), "sealed": p.Pending.Sealed,
		"time_control": s.Game.Controls[0], "options": object{}, "rated": s.Game.Rated, "view": p.View,
		"created_at": moment(s.Game.CreatedAt), "server_time": moment(f.Now),
	}
	for key, value := range s.Game.Options {
		o["options"].(object)[key] = value
	}
	set(o, "position", p.Position)
	set(o, "commitment", p.Commitment)
	set(o, "draw_offer", s.Game.Offer)
	set(o, "takebacks", s.Game.Takebacks)
	if s.Game.Takebacks {
		set(o, "takeback_offer", s.TakebackOffer())
	}
	setMoment(o, "started_at", s.Game.StartedAt)
	setMoment(o, "finished_at", s.Game.FinishedAt)
	if p.Seed != nil {
		o["seed"] = hex.EncodeToString(p.Seed[:])
	}
	legal := object{}
	for seat, moves := range p.Legal {
		legal[strconv.Itoa(int(seat))] = moves
	}
	o["legal"] = legal
	if outcome := s.Game.Outcome; outcome != nil {
		told := object{"reason": outcome.Reason}
		set(told, "ranks", outcome.Ranks)
		o["outcome"] = told
	}
	if at := s.Game.Tournament; at != nil {
		o["tournament"] = object{"id": at.ID, "round": at.Round, "board": at.Board}
	}
	o["seats"], o["events"] = plainSeats(s, f), plainEvents(s, v, since)
	return o
}

func plainSeats(s *table.Snapshot, f gamejson.Facts) []object {
	seats := make([]object, s.Game.Seats)
	for i := range seats {
		seat := engine.Seat(i + 1)
		o := object{"seat": seat, "side": s.Info().SideOf(seat), "time_control": s.Game.Controls[i]}
		if id := s.Game.Players[i]; id != "" {
			o["player"] = object{"id": id, "name": f.Names[i]}
			if f.Names[i] == "" {
				o["player"] = object{"id": id, "name": id}
			}
			if f.Presence != nil && !s.Game.Status.Over() {
				o["connected"] = i == 0
				if i > 0 {
					o["last_seen"] = moment(lastSeen)
				}
			}
		}
		if s.Game.Status == table.Waiting && s.Game.Invited != 0 {
			o["accepted"] = !s.Game.Invited.Has(int8(seat))
		}
		r := s.Clock(int8(seat), f.Now)
		o["running"] = r.Running && !r.None
		if !r.None {
			o["remaining_ms"] = r.Remaining
			if strings.Contains(s.Game.Controls[i], "y") {
				o["periods"] = r.Periods
			}
			if r.Running && r.HasDeadline {
				o["deadline"] = moment(r.Deadline)
			}
		}
		seats[i] = o
	}
	return seats
}

func plainEvents(s *table.Snapshot, v engine.Viewer, since int64) []object {
	events := []object{}
	for _, l := range s.Log(v) {
		if l.N <= since {
			continue
		}
		o := object{"n": l.N, "kind": l.Kind, "at": moment(l.At)}
		set(o, "seat", l.Seat)
		set(o, "turn", l.Turn)
		switch {
		case l.Kind == table.LineMove:
			set(o, "move", l.Text)
			o["elapsed_ms"] = l.Elapsed
			if s.Game.Controls[l.Seat-1] != "none" {
				o["remaining_ms"] = l.Remaining
			}
		case l.Word() != "":
			set(o, "text", l.Word())
			set(o, "reason", l.Reason())
		default:
			set(o, "text", l.Reason())
		}
		events = append(events, o)
	}
	return events
}

const lastSeen = 1_699_999_999_000

// firstSeat is a presence with the player of seat 1 connected and the others gone.
type firstSeat struct{}

func (firstSeat) Connected(string, []string) uint16    { return 1 }
func (firstSeat) Present(string, string) (bool, int64) { return false, lastSeen }

// TestAppendIsWhatEncodingJSONWrites compares games of every variant, move by move and for every viewer, with what
// encoding/json makes of the same members.
func TestAppendIsWhatEncodingJSONWrites(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	for _, variant := range []string{"quixo/duel", "quits/duel", "quivive/melee", "quiwin/duel"} {
		for _, s := range playedOut(t, variant, chance) {
			v, since := engine.ViewerOf(engine.Seat(chance.IntN(3))), chance.Int64N(s.Game.Version+1)
			facts := gamejson.Facts{Now: 1_700_000_000_123, Names: []string{"Ada \"<L.>\"", "", "Žofia"}}
			if chance.IntN(2) == 0 {
				facts.Presence = firstSeat{}
			}
			got, err := gamejson.Append(nil, s, v, since, facts)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(plain(s, v, since, facts))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(values(t, got), values(t, want)) {
				t.Fatalf("%s, version %d:\n%s\nwant\n%s", variant, s.Game.Version, got, want)
			}
		}
	}
}

// values reads JSON without losing digits.
func values(t *testing.T, text []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
