package table

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"quatuor/engine"
	"quatuor/engine/chance"
)

// A game whose seats add to its seed (Game.Nonces) goes the way of package chance. It waits, and has no match, while its
// log fills with two lines of each seat:
//
//	line            text                     comes when                              others read it
//	commitment      SHA-256 of the nonce     at once                                 at once
//	nonce           the nonce                every seat's commitment is in           once every nonce is in
//
// Each comes once; the same again changes nothing. With the last nonce, and in the same step, the game is dealt and its
// clocks start. Its seed is nowhere but in what the row holds (the server's seed) and in the log.
//
// Whoever sits in a game may break it off until then; it has no result. So a seat that does not like what it could know
// of the deal (which takes the server's help) can refuse it, in everybody's sight, and gets no other deal by that.

// Nonce is what a seat adds to the seed of its game, or the commitment that goes before it.
type Nonce struct {
	Act
	Nonce      chance.Nonce // zero while only the commitment is sent
	Commitment string       // of the nonce, 64 lower-case hexadecimal digits
}

// CommitNonce binds a seat to a nonce that it sends later. Errors: ErrNoNonces, ErrNonceGiven, ErrGameOver.
func (t *Tables) CommitNonce(ctx context.Context, a *Arrival, n Nonce) (*Snapshot, error) {
	return t.act(ctx, a, func(d *draft, at int64) error {
		return d.contribute(Line{Kind: LineCommitment, Seat: n.Seat, Text: n.Commitment, At: at, By: n.By})
	})
}

// SendNonce adds a seat's nonce; the last one deals and starts the game. Errors: ErrNoNonces, ErrNonceGiven,
// ErrNonceEarly, ErrNonceOther, ErrGameOver.
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
	commitments, nonces := contributions(d.Game.Seats, d.Lines)
	given := commitments
	if l.Kind == LineNonce {
		given = nonces
	}
	switch before := given[l.Seat-1]; {
	case before == l.Text:
		return nil
	case before != "":
		return fmt.Errorf("%w: seat %d has sent another %s", ErrNonceGiven, l.Seat, l.Kind)
	case d.Game.Status != Waiting:
		return ErrGameOver // broken off
	}
	if l.Kind == LineNonce {
		if err := fits(l, commitments); err != nil {
			return err
		}
	}
	s, err := fold(d.Game, append(slices.Clip(d.Lines), l))
	if err != nil {
		return err
	}
	d.note(l)
	d.Match = s.Match
	return nil
}

// fits refuses a nonce that comes before every seat is bound to its own, and one that its seat has not bound itself to.
func fits(l Line, commitments []string) error {
	if missing := slices.Index(commitments, ""); missing >= 0 {
		return fmt.Errorf("%w: seat %d has not sent its commitment", ErrNonceEarly, missing+1)
	}
	nonce, err := chance.ParseNonce(l.Text)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNonceOther, err)
	}
	if got, want := nonce.Commitment(), commitments[l.Seat-1]; got != want {
		return fmt.Errorf("%w: its SHA-256 is %s, not %s", ErrNonceOther, got, want)
	}
	return nil
}

// contributions gives what the seats have sent, by seat; "" where there is nothing yet.
func contributions(seats int, lines []Line) (commitments, nonces []string) {
	commitments, nonces = make([]string, seats), make([]string, seats)
	for _, l := range lines {
		list := commitments
		switch l.Kind {
		case LineStart:
			return commitments, nonces
		case LineNonce:
			list = nonces
		case LineCommitment:
		default:
			continue
		}
		if l.Seat > 0 && int(l.Seat) <= seats {
			list[l.Seat-1] = l.Text
		}
	}
	return commitments, nonces
}

// seed gives the seed that a game is dealt from, in hexadecimal digits. It is not dealt before every nonce is in.
func (g *Game) seed(lines []Line) (seed string, dealt bool, err error) {
	if !g.Nonces {
		return g.SeedHex, true, nil
	}
	_, texts := contributions(g.Seats, lines)
	if slices.Contains(texts, "") {
		return "", false, nil
	}
	nonces := make([]chance.Nonce, len(texts))
	for i, text := range texts {
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
		return engine.Seed{}, fmt.Errorf("%w: a seed is 64 hexadecimal digits", ErrSetup)
	}
	return engine.NewSeed([32]byte(raw)), nil
}

// Chance is what may be known of the parts of a game's seed.
type Chance struct {
	ServerCommitment string   // SHA-256 of the server's seed
	ServerSeed       string   // once the game's own seed is shown
	Commitments      []string // by seat, "" for one that has not come
	Nonces           []string // by seat, "" for one that has not come, and for another's until all are in
	Awaited          []int8   // the seats from which something must come before the game is dealt, in order
	Dealt            bool
}

// Chance gives what a viewer may know of the parts of the game's seed; nil where the seats add nothing to it.
func (s *Snapshot) Chance(v engine.Viewer) *Chance {
	if !s.Game.Nonces {
		return nil
	}
	c := &Chance{Dealt: s.Match != nil}
	c.Commitments, c.Nonces = contributions(s.Game.Seats, s.Lines)
	if server, err := s.Game.serverSeed(); err == nil {
		c.ServerCommitment = server.Commitment()
	}
	if c.Dealt {
		if s.Match.Pending().Over() {
			c.ServerSeed = s.Game.SeedHex
		}
		return c
	}
	if s.Game.Status == Waiting {
		c.Awaited = lacking(c.Commitments, c.Nonces)
	}
	for i := range c.Nonces {
		if !v.Holds(engine.Seat(i + 1)) {
			c.Nonces[i] = ""
		}
	}
	return c
}

// lacking lists the seats that have not sent what is due now: commitments first, then nonces.
func lacking(commitments, nonces []string) (seats []int8) {
	due := commitments
	if !slices.Contains(commitments, "") {
		due = nonces
	}
	for i, text := range due {
		if text == "" {
			seats = append(seats, int8(i+1))
		}
	}
	return seats
}
