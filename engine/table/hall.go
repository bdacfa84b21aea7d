package table

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
)

// HallGame describes a game that was played on a board in the hall: the server knows its result, and its moves if they
// were recorded.
type HallGame struct {
	ID, Variant string
	Players     []string // player ids by seat
	Control     string
	Options     map[string]string
	Rated       bool
	Place       Place
	At          int64    // when its result was first entered, ms UTC
	Ranks       []int    // by seat; nil if its result was removed
	SeedHex     string   // of a recorded game with chance; "" where it is not known
	Tokens      []string // the moves and the end of the game, in recorded form
}

// Build returns the game's row and log: a start, the recorded tokens, and unless these end it the result as an
// adjudication, all at the same time. A game without ranks is aborted. Errors name the refused token, or wrap ErrRanks
// if the moves lead to another result.
func (h HallGame) Build() (Game, []Line, error) {
	rules, err := catalog.Find(h.Variant)
	if err != nil {
		return Game{}, nil, err
	}
	if rules.Info().Secret && h.SeedHex == "" {
		// How the tiles lay in the hall is not known; the rules want some order, which the game's page does not show.
		sum := sha256.Sum256([]byte("hall " + h.ID))
		h.SeedHex = hex.EncodeToString(sum[:])
	}
	s, err := begin(Game{
		ID: h.ID, Variant: h.Variant, Seats: len(h.Players), SeedHex: h.SeedHex, Options: h.Options,
		Players:  slices.Clone(h.Players),
		Controls: []string{h.Control}, Rated: h.Rated, Tournament: &h.Place, CreatedAt: h.At, Hall: true,
	})
	if err != nil {
		return Game{}, nil, err
	}
	d := draftOf(s)
	if err := d.start("", h.At); err != nil {
		return Game{}, nil, err
	}
	if err := d.playRecorded(h); err != nil {
		return Game{}, nil, err
	}
	return d.Game, d.Lines, nil
}

// playRecorded carries out the recorded events of a game in the hall, and ends it.
func (d *draft) playRecorded(h HallGame) error {
	if h.Ranks == nil {
		return d.abort(Line{At: h.At}.with(sentence.Fixed("its result was removed")))
	}
	for i, token := range h.Tokens {
		if err := d.playToken(token, h.At); err != nil {
			return fmt.Errorf("token %d: %w", i+1, err)
		}
	}
	if !d.Game.Status.Over() {
		return d.adjudicate(Line{Kind: LineAdjudication, Text: engine.Numbers(h.Ranks, ","), At: h.At})
	}
	if o := d.Game.Outcome; o == nil || !slices.Equal(o.Ranks, h.Ranks) {
		return sentence.Errorf("%w: the moves lead to another result than the one that was entered", ErrRanks)
	}
	return nil
}

// playToken carries out a token of a record.
func (d *draft) playToken(token string, at int64) error {
	if d.Game.Status.Over() {
		return ErrGameOver
	}
	e, err := engine.ParseToken(d.Info(), d.Game.Seats, token)
	if err != nil {
		return err
	}
	l := Line{Seat: int8(e.Seat), Text: e.Text, At: at}
	switch e.Kind {
	case engine.Moved:
		mover, err := engine.Mover(d.Match.Pending(), e)
		if err != nil {
			return err
		}
		l.Kind, l.Seat = LineMove, int8(mover)
	case engine.Left:
		l.Kind = LineLeft
	case engine.Agreed:
		l.Kind = LineAgreed
	case engine.Decided:
		l.Kind = LineAdjudication
	}
	return d.repeatAct(l)
}
