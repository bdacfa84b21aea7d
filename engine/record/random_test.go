package record_test

import (
	"encoding/hex"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/clock"
	"quatuor/engine/record"
)

// recorder plays a random game and writes it down as it goes, clocks included.
type recorder struct {
	t       *rapid.T
	rand    *rand.Rand // of the play; rapid's own numbers are small too often
	m       *engine.Match
	after   []clock.State // at the start and after each event
	clocks  clock.State
	at      int64
	r       record.Record
	offered engine.Seat
}

// controlTexts are the time controls of random games; short controls make flags fall.
var controlTexts = []string{"none", "300+3", "300d5", "20b2", "5y2x3", "2/10:5+1", "3days"}

// playedRecord draws the record of a random game of a variant, with leavings, offers, pauses and outages, which may
// be stopped or broken off before its end.
func playedRecord(t *rapid.T, rules engine.Rules) record.Record {
	p := &recorder{t: t, rand: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "play"), 0))}
	p.start(rules)
	for n := p.rand.IntN(600); n > 0 && !p.m.Pending().Over(); n-- {
		p.step()
	}
	p.finish()
	return p.r
}

func (p *recorder) start(rules engine.Rules) {
	info := rules.Info()
	seats := rapid.SampledFrom(info.Seats).Draw(p.t, "seats")
	p.r = record.Record{
		Event: "Thursday Cup", Variant: info.ID, Seats: make([]string, seats), Rated: rapid.Bool().Draw(p.t, "rated"),
	}
	for i := range p.r.Seats {
		p.r.Seats[i] = "Player " + strconv.Itoa(i+1)
	}
	p.r.Options = randomOptions(p.t, info)
	if info.Secret {
		p.r.Chance = randomChance(p.t, seats)
	}
	setup, err := engine.NewSetup(info, seats, p.r.Chance.Seed, p.r.Options)
	if err != nil {
		p.t.Fatal(err)
	}
	if p.m, err = engine.NewMatch(rules, setup); err != nil {
		p.t.Fatal(err)
	}
	p.startClocks(seats)
}

func randomOptions(t *rapid.T, info engine.Info) map[string]string {
	options := map[string]string{}
	for _, o := range slices.Concat(info.Options, engine.CommonOptions()) {
		if rapid.Bool().Draw(t, o.Key) {
			options[o.Key] = rapid.SampledFrom(o.Values).Draw(t, o.Key)
		}
	}
	if len(options) == 0 {
		return nil
	}
	return options
}

func randomDigest(t *rapid.T, what string) [32]byte {
	return [32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Filter(func(b []byte) bool { return b[0] != 0 }).Draw(t, what))
}

// randomChance makes a seed, with or without the seats' help.
func randomChance(t *rapid.T, seats int) record.Chance {
	server := engine.NewSeed(randomDigest(t, "server seed"))
	nonces := make([]chance.Nonce, seats)
	c := record.Chance{}
	for i := range nonces {
		if rapid.Bool().Draw(t, "nonce") {
			nonces[i] = randomDigest(t, "nonce")
			c.ServerCommitment = server.Commitment()
		}
	}
	seed := chance.GameSeed(server, nonces)
	reveal := func(s engine.Seed) string { b := s.Reveal(); return hex.EncodeToString(b[:]) }
	c.Seed, c.Commitment = reveal(seed), seed.Commitment()
	if c.ServerCommitment != "" {
		c.ServerSeed = reveal(server)
		for _, n := range nonces {
			text := ""
			if !n.IsZero() {
				text = hex.EncodeToString(n[:])
			}
			c.Nonces = append(c.Nonces, text)
		}
	}
	return c
}

func (p *recorder) startClocks(seats int) {
	controls := make([]clock.Control, seats)
	all := rapid.SampledFrom(controlTexts).Draw(p.t, "time control")
	for i := range controls {
		text := all
		if rapid.IntRange(0, 4).Draw(p.t, "handicap") == 0 {
			text = rapid.SampledFrom(controlTexts).Draw(p.t, "own time control")
		}
		control, err := clock.Parse(text)
		if err != nil {
			p.t.Fatal(err)
		}
		controls[i] = control
		p.r.Controls = append(p.r.Controls, control.String())
	}
	p.r.Lag = rapid.Bool().Draw(p.t, "lag")
	p.at = 1_795_284_000_000
	p.r.Start = p.at
	p.clocks = clock.New(controls, p.r.Lag)
	p.tick(clock.Event{At: p.at, Kind: clock.Awaited, Await: p.awaited(), HasAwait: true})
}

func (p *recorder) awaited() (seats []int8) {
	for _, s := range p.m.Pending().Awaited {
		seats = append(seats, int8(s))
	}
	return seats
}

func (p *recorder) tick(e clock.Event) {
	next, flags, err := p.clocks.Apply(e)
	if err != nil || len(flags) > 0 {
		p.t.Fatalf("event %+v of the clocks: flags %v, error %v", e, flags, err)
	}
	p.clocks = next
}

// step lets some time pass and then something happen, unless a flag falls first.
func (p *recorder) step() {
	if len(p.after) == p.m.Len() {
		p.after = append(p.after, p.clocks)
	}
	at := p.at + p.rand.Int64N(3_000)
	if flag, falls := p.clocks.Next(); falls && flag.At < at {
		p.at = flag.At
		p.event(record.Entry{Kind: record.Left, Seat: engine.Seat(flag.Seat), Text: "time"})
		p.clocks = p.clocks.Fall(flag.Seat, p.awaited())
		return
	}
	p.at = at
	switch what := p.rand.IntN(150); {
	case what == 0:
		p.resign()
	case what == 1:
		p.standStill()
	case what == 2 && p.offered == 0:
		p.offered = pick(p, p.m.Pending().Awaited)
		p.add(record.Entry{Kind: record.Offer, Seat: p.offered})
	case what < 5 && p.offered != 0:
		p.answer()
	case what == 5:
		p.changeClock()
	case what == 6 && p.m.Plies() > 0 && !p.m.Rules().Info().Secret:
		p.takeBack()
	case what == 7 && len(p.r.Seats) == 2 && p.oneIn(3):
		p.event(record.Entry{Kind: record.Adjudication, Text: pick(p, []string{"1,2", "1,1", "2,1"})})
		p.clocks = p.clocks.Stop(p.at)
	default:
		p.move()
	}
}

func pick[T any](p *recorder, list []T) T { return list[p.rand.IntN(len(list))] }

func (p *recorder) oneIn(n int) bool { return p.rand.IntN(n) == 0 }

func (p *recorder) move() {
	seat := pick(p, p.m.Pending().Awaited)
	e := record.Entry{Kind: record.Move, Text: string(pick(p, p.m.State().Legal(seat)))}
	used := p.clocks.Seat(int8(seat), p.at).Used
	e.Elapsed = &used
	if p.oneIn(2) {
		claimed := p.rand.Int64N(used+20) - 10
		e.Claimed = &claimed
	}
	if p.m.Rules().Info().SeatPrefix || len(p.r.Seats) > 2 {
		e.Seat = seat
	}
	p.event(e)
	p.tick(clock.Event{
		At: p.at, Kind: clock.Moved, Seat: int8(seat), Elapsed: e.Claimed, Await: p.awaited(), HasAwait: true,
	})
	if left := p.clocks.Seat(int8(seat), p.at); !left.None {
		p.r.Entries[len(p.r.Entries)-1].Remaining = &left.Remaining
	}
}

// changeClock lets the arbiter set a clock or add to it.
func (p *recorder) changeClock() {
	seat := int8(1 + p.rand.IntN(len(p.r.Seats)))
	if r := p.clocks.Seat(seat, p.at); r.None || r.Out {
		return
	}
	ms := p.rand.Int64N(300_000)
	if p.oneIn(2) {
		p.tick(clock.Event{At: p.at, Kind: clock.Set, Seat: seat, Remaining: ms})
		p.add(record.Entry{Kind: record.Set, Seat: engine.Seat(seat), Text: record.ClockText(ms, nil)})
		return
	}
	p.tick(clock.Event{At: p.at, Kind: clock.Add, Seat: seat, Remaining: ms - 100_000})
	p.add(record.Entry{Kind: record.Add, Seat: engine.Seat(seat), Text: record.ClockText(ms-100_000, nil)})
}

// takeBack takes back some of the last moves.
func (p *recorder) takeBack() {
	first := max(1, p.m.Plies()-p.rand.IntN(3))
	next, err := p.m.TakeBack(first)
	if err != nil {
		p.t.Fatal(err)
	}
	p.m, p.offered = next, 0
	p.clocks = p.clocks.Takeback(p.at, p.after[p.m.Len()])
	p.after = append(p.after[:p.m.Len()], p.clocks)
	p.add(record.Entry{Kind: record.Takeback, Text: strconv.Itoa(first)})
}

func (p *recorder) resign() {
	seat := pick(p, p.m.Pending().Awaited)
	p.event(record.Entry{Kind: record.Left, Seat: seat, Text: pick(p, []string{"resignation", "forfeit"})})
	p.clocks = p.clocks.Leave(p.at, int8(seat), p.awaited())
}

// standStill is a pause or an outage.
func (p *recorder) standStill() {
	long := 1 + p.rand.Int64N(100_000)
	p.tick(clock.Event{At: p.at, Kind: clock.Paused})
	if p.oneIn(2) {
		p.add(record.Entry{Kind: record.Pause, Comment: "The fire alarm {rings}.\n Out!"})
		p.at += long
		p.add(record.Entry{Kind: record.Resume})
	} else {
		p.at += long
		p.add(record.Entry{Kind: record.Outage, Length: long})
	}
	p.tick(clock.Event{At: p.at, Kind: clock.Resumed})
}

// answer accepts or declines the open offer.
func (p *recorder) answer() {
	seat := 3 - p.offered
	if _, err := p.m.After(engine.Event{Kind: engine.Agreed}); err != nil || len(p.r.Seats) != 2 || p.oneIn(2) {
		p.add(record.Entry{Kind: record.Decline, Seat: engine.Seat(1 + p.rand.IntN(len(p.r.Seats)))})
		p.offered = 0
		return
	}
	p.event(record.Entry{Kind: record.Agreement, Seat: seat})
	p.clocks = p.clocks.Stop(p.at)
}

// event adds an entry that the rules judge.
func (p *recorder) event(e record.Entry) {
	kind := map[record.Kind]engine.Kind{
		record.Move: engine.Moved, record.Left: engine.Left,
		record.Agreement: engine.Agreed, record.Adjudication: engine.Decided,
	}[e.Kind]
	event := engine.Event{Kind: kind, Seat: e.Seat, Text: e.Text}
	if e.Kind == record.Agreement {
		event.Seat = 0
	}
	next, err := p.m.After(event)
	if err != nil {
		p.t.Fatal(err)
	}
	p.m = next
	if p.oneIn(10) {
		e.Position = next.State().Position()
	}
	p.add(e)
}

func (p *recorder) add(e record.Entry) {
	e.At = p.at
	if p.oneIn(20) {
		e.Comment = rapid.String().Draw(p.t, "comment")
	}
	p.r.Entries = append(p.r.Entries, e)
}

// finish writes down how the game ended, or breaks it off.
func (p *recorder) finish() {
	p.r.Position = p.m.State().Position()
	if o := p.m.Pending().Outcome; o != nil {
		p.r.Outcome = &record.Outcome{Ranks: o.Ranks, Reason: o.Reason}
		p.r.End = p.at
		return
	}
	if p.oneIn(2) {
		p.add(record.Entry{Kind: record.Abort, Comment: "the hall closes"})
		p.r.Aborted, p.r.End = true, p.at
	}
}

// anyRecord draws a record that need not make sense.
func anyRecord(t *rapid.T) record.Record {
	text := rapid.String()
	r := record.Record{
		Event: text.Draw(t, "event"), Site: text.Draw(t, "site"), Round: rapid.IntRange(0, 99).Draw(t, "round"),
		Game: text.Draw(t, "game"), Variant: text.Draw(t, "variant"), Position: text.Draw(t, "position"),
		Comment: text.Draw(t, "comment"),
		Start:   rapid.Int64Range(-1<<40, 1<<40).Draw(t, "start"), Date: rapid.SampledFrom([]string{"", "2026-11-21"}).
				Draw(t, "date"),
	}
	if r.Start != 0 && rapid.Bool().Draw(t, "ended") {
		r.End = r.Start + rapid.Int64Range(0, 1<<30).Draw(t, "lasted")
	}
	for range rapid.IntRange(0, 5).Draw(t, "seats") {
		r.Seats = append(r.Seats, rapid.String().Filter(func(s string) bool { return s != "?" }).Draw(t, "name"))
	}
	word := rapid.StringMatching(`[a-zA-Z0-9_-]{1,6}`)
	if r.Options = rapid.MapOfN(word, word, 0, 4).Draw(t, "options"); len(r.Options) == 0 {
		r.Options = nil
	}
	tags := rapid.MapOfN(rapid.StringMatching(`X[a-z]{0,3}[0-9]{0,3}`), text.Filter(func(s string) bool {
		return s != ""
	}), 0, 3).Draw(t, "tags")
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		r.Extra = append(r.Extra, record.Tag{Name: name, Value: tags[name]})
	}
	switch rapid.IntRange(0, 3).Draw(t, "result") {
	case 0:
		r.Outcome = &record.Outcome{
			Ranks: rapid.SliceOfN(rapid.IntRange(1, 5), 2, 5).Draw(t, "ranks"),
			Reason: engine.Reason(rapid.StringMatching(`[a-z-]{0,9}`).Filter(func(s string) bool {
				return s != "aborted"
			}).Draw(t, "reason")),
		}
	case 1:
		r.Outcome = &record.Outcome{Reason: engine.ReasonReplay}
	case 2:
		r.Aborted = true
	}
	for range rapid.IntRange(0, 9).Draw(t, "entries") {
		r.Entries = append(r.Entries, anyEntry(t))
	}
	return r
}

func anyEntry(t *rapid.T) record.Entry {
	ms := rapid.Int64Range(-1<<45, 1<<45)
	e := record.Entry{
		Kind: rapid.SampledFrom([]record.Kind{
			record.Move, record.Left, record.Agreement, record.Offer, record.Decline, record.Pause, record.Resume, record.Outage,
			record.Abort,
			record.Set, record.Add, record.Adjudication, record.Takeback, record.TakebackOffer, record.TakebackDecline,
		}).Draw(t, "kind"),
		At: rapid.Int64Range(-1<<40, 1<<40).Draw(t, "at"), Comment: rapid.String().Draw(t, "comment"),
		Position: rapid.StringMatching(`([a-z/=.}{]{1,5} [0-9]:)?`).Draw(t, "position"),
	}
	switch e.Kind {
	case record.Move:
		e.Seat = engine.Seat(rapid.IntRange(0, 15).Draw(t, "seat"))
		e.Text = rapid.StringMatching(`[a-z@+?>#"(0-9][a-z0-9.,>\]\[-]{0,8}[a-z]`).Draw(t, "move")
		e.Elapsed = rapid.Ptr(ms, true).Draw(t, "elapsed")
		e.Claimed = rapid.Ptr(ms, true).Draw(t, "claimed")
		e.Remaining = rapid.Ptr(ms, true).Draw(t, "left")
	case record.Left:
		e.Seat, e.Text = engine.Seat(rapid.IntRange(1, 15).Draw(t, "seat")), rapid.SampledFrom([]string{"time", "resignation", "forfeit"}).Draw(t, "why")
	case record.Set:
		e.Seat, e.Text = engine.Seat(rapid.IntRange(1, 15).Draw(t, "seat")), record.ClockText(rapid.Int64Range(0, 1<<45).Draw(t, "time"), rapid.Ptr(rapid.IntRange(0, 99), true).Draw(t, "periods"))
	case record.Add:
		e.Seat, e.Text = engine.Seat(rapid.IntRange(1, 15).Draw(t, "seat")), record.ClockText(ms.Draw(t, "time"), nil)
	case record.Adjudication:
		e.Text = rapid.SampledFrom([]string{"1,2", "1,1,3", "2,1,2,1"}).Draw(t, "ranks")
	case record.Takeback:
		e.Seat, e.Text = engine.Seat(rapid.IntRange(0, 15).Draw(t, "seat")), strconv.Itoa(rapid.IntRange(1, 9).Draw(t, "first"))
	case record.Pause, record.Resume:
		e.Text = rapid.SampledFrom([]string{"", "alarm", "dispute"}).Draw(t, "cause")
	case record.Offer, record.Decline, record.TakebackOffer, record.TakebackDecline:
		e.Seat = engine.Seat(rapid.IntRange(1, 15).Draw(t, "seat"))
	case record.Agreement:
		e.Seat = engine.Seat(rapid.IntRange(0, 15).Draw(t, "seat"))
	case record.Outage:
		e.Length = ms.Draw(t, "length")
	}
	return e
}
