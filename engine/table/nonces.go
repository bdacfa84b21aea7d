package table

import (
	"context"
	"encoding/hex"
	"slices"

	"quatuor/engine"
	"quatuor/engine/chance"
	"quatuor/engine/sentence"
)

// A game with nonces of its seats in the seed (Game.Nonces) follows package chance. It waits, and has no match, while
// its log fills with two lines of each seat:
//
//	line            text                     comes when                              others read it
//	commitment      SHA-256 of the nonce     at once                                 at once
//	nonce           the nonce                every seat's commitment is in           once every nonce is in
//	lapse           –                        in place of a commitment: see below     at once
//
// Each comes once; the same again changes nothing. With the last nonce, and in the same step, the game is dealt and its
// clocks start. Its seed is nowhere but in what the row holds (the server's seed) and in the log.
//
// Both have a time limit (nonceTime): commitments from the creation of the game, or from when the last invited player
// accepted, nonces from the last commitment or lapse. An outage of the server extends it.
//
//	what is missing when the time is over      what becomes of the game
//	commitments of some seats                  it goes on with those that came, and zeros for the others (lapse)
//	commitments of all seats                   it is dealt from the server's seed alone
//	the nonce of a seat that is bound          it is broken off
//
// A commitment reveals nothing, so to leave it out is no choice between deals. A seat may withhold its nonce because it
// knows, with the server's help, what deal it would make: to deal without it would let that seat choose between two.
//
// Every player of a game may break it off until then; it has no result. So a seat that does not like the deal (which it
// can know only with the server's help) can refuse it, but only publicly, and gets no other deal by that.

// nonceTime is the time that seats have for their commitments, and then again for their nonces, in ms.
const nonceTime = 10 * 60 * 1000

// Nonce is a seat's part of the seed of its game, or the commitment that goes before it.
type Nonce struct {
	Act
	Nonce      chance.Nonce // zero while only the commitment is sent
	Commitment string       // of the nonce, 64 lower-case hexadecimal digits
}

// CommitNonce binds a seat to a nonce that it sends later. Errors: ErrNoNonces, ErrNonceGiven, ErrNonceLate,
// ErrGameOver.
func (t *Tables) CommitNonce(ctx context.Context, a *Arrival, n Nonce) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		return d.contribute(Line{Kind: LineCommitment, Seat: n.Seat, Text: n.Commitment, At: at, By: n.By})
	})
}

// SendNonce adds a seat's nonce; the last nonce deals and starts the game. Errors: ErrNoNonces, ErrNonceGiven,
// ErrNonceEarly, ErrNonceLate, ErrNonceOther, ErrGameOver.
func (t *Tables) SendNonce(ctx context.Context, a *Arrival, n Nonce) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		err := d.contribute(Line{Kind: LineNonce, Seat: n.Seat, Text: hex.EncodeToString(n.Nonce[:]), At: at, By: n.By})
		if err != nil || d.Match == nil {
			return err
		}
		return d.start("", at)
	})
}

// contribute takes a commitment or a nonce into the log, and deals with the last nonce.
func (d *draft) contribute(l Line) error {
	if !d.Game.Nonces {
		return ErrNoNonces
	}
	if l.Seat < 1 || int(l.Seat) > d.Game.Seats {
		return ErrNotYourSeat
	}
	p := partsOf(d.Game.Seats, d.Lines)
	given := p.commitments
	if l.Kind == LineNonce {
		given = p.nonces
	}
	switch before := given[l.Seat-1]; {
	case before == l.Text:
		return nil
	case before != "":
		return sentence.Errorf("%w: seat %d has sent another %s", ErrNonceGiven, l.Seat, l.Kind)
	case p.lapsed[l.Seat-1]:
		return sentence.Errorf("%w: seat %d had %d minutes to send its commitment", ErrNonceLate, l.Seat, nonceTime/60_000)
	case d.Game.Status != Waiting:
		return ErrGameOver // broken off
	case d.Game.Invited != 0:
		return d.notAccepted()
	}
	if l.Kind == LineNonce {
		if err := p.fits(l); err != nil {
			return err
		}
	}
	return d.take(l)
}

// take notes a line that the seed depends on, and deals if the seed is complete. The last commitment begins the time
// for the nonces.
func (d *draft) take(l Line) error {
	s, err := fold(d.Game, append(slices.Clip(d.Lines), l))
	if err != nil {
		return err
	}
	d.note(l)
	d.Match = s.Match
	if l.Kind != LineNonce && partsOf(d.Game.Seats, d.Lines).bound() {
		d.Game.Deadline = l.At + nonceTime
	}
	return nil
}

// lapse applies the end of the time for acceptances, commitments or nonces, if it was over before at.
func (d *draft) lapse(at int64) error {
	for d.Game.Status == Waiting && d.Game.Deadline != 0 && d.Game.Deadline < at {
		over := d.Game.Deadline
		if d.planned() {
			return d.start("", over)
		}
		if d.Game.Invited != 0 {
			return d.expire(over)
		}
		p := partsOf(d.Game.Seats, d.Lines)
		if p.bound() {
			return d.abort(Line{At: over}.with(sentence.New("seat %d did not send the nonce that it was bound to",
				p.lacking()[0])))
		}
		for _, seat := range p.lacking() {
			if err := d.take(Line{Kind: LineLapse, Seat: seat, At: over}); err != nil {
				return err
			}
		}
		if d.Match != nil {
			return d.start("", over)
		}
	}
	return nil
}

// parts are the nonces and commitments that the seats have sent, by seat; "" for nothing yet.
type parts struct {
	commitments, nonces []string
	lapsed              []bool // no commitment came in time
}

func partsOf(seats int, lines []Line) parts {
	p := parts{make([]string, seats), make([]string, seats), make([]bool, seats)}
	for _, l := range lines {
		if l.Kind == LineStart {
			break
		}
		if l.Seat < 1 || int(l.Seat) > seats {
			continue
		}
		switch l.Kind {
		case LineCommitment:
			p.commitments[l.Seat-1] = l.Text
		case LineNonce:
			p.nonces[l.Seat-1] = l.Text
		case LineLapse:
			p.lapsed[l.Seat-1] = true
		}
	}
	return p
}

// missing lists the seats that have sent none of some texts and have not lapsed.
func (p parts) missing(texts []string) (seats []int8) {
	for i, text := range texts {
		if text == "" && !p.lapsed[i] {
			seats = append(seats, int8(i+1))
		}
	}
	return seats
}

// bound reports whether every seat has sent its commitment or lapsed.
func (p parts) bound() bool { return p.missing(p.commitments) == nil }

// lacking lists the seats that have not sent what is due now: commitments first, then nonces.
func (p parts) lacking() []int8 {
	if !p.bound() {
		return p.missing(p.commitments)
	}
	return p.missing(p.nonces)
}

// complete reports whether the seed can be made.
func (p parts) complete() bool { return p.lacking() == nil }

// fits returns an error for a nonce before all commitments are in, and for a nonce that does not fit its commitment.
func (p parts) fits(l Line) error {
	if missing := p.missing(p.commitments); missing != nil {
		return sentence.Errorf("%w: seat %d has not sent its commitment", ErrNonceEarly, missing[0])
	}
	nonce, err := chance.ParseNonce(l.Text)
	if err != nil {
		return sentence.Errorf("%w: %w", ErrNonceOther, err)
	}
	if got, want := nonce.Commitment(), p.commitments[l.Seat-1]; got != want {
		return sentence.Errorf("%w: its SHA-256 is %s, not %s", ErrNonceOther, got, want)
	}
	return nil
}

// seed returns the seed that a game is dealt from, in hexadecimal digits, and whether it is complete: all nonces of
// bound seats are in.
func (g *Game) seed(lines []Line) (seed string, dealt bool, err error) {
	if !g.Nonces {
		return g.SeedHex, true, nil
	}
	p := partsOf(g.Seats, lines)
	if !p.complete() {
		return "", false, nil
	}
	nonces := make([]chance.Nonce, g.Seats)
	for i, text := range p.nonces {
		if p.lapsed[i] {
			continue
		}
		if nonces[i], err = chance.ParseNonce(text); err != nil {
			return "", false, err
		}
	}
	server, err := g.serverSeed()
	if err != nil {
		return "", false, err
	}
	sum := chance.GameSeed(server, nonces).Reveal()
	return hex.EncodeToString(sum[:]), true, nil
}

func (g *Game) serverSeed() (engine.Seed, error) {
	raw, err := hex.DecodeString(g.SeedHex)
	if err != nil || len(raw) != len([32]byte{}) {
		return engine.Seed{}, sentence.Errorf("%w: a seed is 64 hexadecimal digits", ErrSetup)
	}
	return engine.NewSeed([32]byte(raw)), nil
}

// Chance is the public knowledge of the parts of a game's seed.
type Chance struct {
	ServerCommitment string   // SHA-256 of the server's seed
	ServerSeed       string   // once the game's own seed is shown
	Commitments      []string // by seat, "" for a commitment that has not come
	Nonces           []string // by seat, "" before it has come, and for another's until all are in
	Lapsed           []bool   // by seat: it sent no commitment in time, and has no part in the seed
	Awaited          []int8   // the seats that must send something before the game is dealt, in order
	Until            int64    // by when it must come, ms UTC; 0 where nothing is awaited
	Dealt            bool
}

// Chance returns the parts of the game's seed that a viewer may know; nil if the seats add nothing to it.
func (s *Snapshot) Chance(v engine.Viewer) *Chance {
	if !s.Game.Nonces {
		return nil
	}
	p := partsOf(s.Game.Seats, s.Lines)
	c := &Chance{Dealt: s.Match != nil, Commitments: p.commitments, Nonces: p.nonces, Lapsed: p.lapsed}
	if server, err := s.Game.serverSeed(); err == nil {
		c.ServerCommitment = server.Commitment()
	}
	if c.Dealt {
		if s.Match.Pending().Over() {
			c.ServerSeed = s.Game.SeedHex
		}
		return c
	}
	if s.Game.Status == Waiting && s.Game.Invited == 0 {
		c.Awaited, c.Until = p.lacking(), s.Game.Deadline
	}
	for i := range c.Nonces {
		if !v.Holds(engine.Seat(i + 1)) {
			c.Nonces[i] = ""
		}
	}
	return c
}
