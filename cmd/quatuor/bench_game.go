package main

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quatuor/engine"
	"quatuor/engine/catalog"
)

// benchGame is one game that a client plays for all its seats. Where nothing is hidden the moves are chosen by the
// rules that this program knows, so that every request is a move; else the server is asked what is legal.
type benchGame struct {
	info     engine.Info
	seats    []seated
	recorder *recorder
	chance   *rand.Rand
}

func (g benchGame) play(ctx context.Context) error {
	view, err := g.open(ctx)
	if err != nil {
		return err
	}
	address, err := url.Parse(g.seats[0].base + "/api/v1/games/" + view.ID + "/moves")
	if err != nil {
		return err
	}
	if g.info.Secret {
		return g.askAndMove(ctx, address, view)
	}
	return g.moveAlone(ctx, address)
}

// open starts the game.
func (g benchGame) open(ctx context.Context) (view gameView, err error) {
	ids := make([]map[string]string, len(g.seats))
	for i, s := range g.seats {
		ids[i] = map[string]string{"player_id": s.player}
	}
	err = g.seats[0].post(ctx, "/games", map[string]any{
		"variant": g.info.ID, "time_control": "3600+60", "rated": true, "start": "now", "seats": ids,
	}, &view)
	return view, err
}

// moveAlone plays by a match of its own.
func (g benchGame) moveAlone(ctx context.Context, address *url.URL) error {
	match, err := g.match()
	for err == nil && ctx.Err() == nil && !match.Pending().Over() {
		e := g.choose(match)
		if err = g.move(ctx, address, int(e.Seat), match.Turn(), e.Text, nil); err == nil {
			match, err = match.After(e)
		}
	}
	return err
}

// match begins the game on this side.
func (g benchGame) match() (*engine.Match, error) {
	rules, err := catalog.Find(g.info.ID)
	if err != nil {
		return nil, err
	}
	setup, err := engine.NewSetup(g.info, len(g.seats), "", nil)
	if err != nil {
		return nil, err
	}
	return engine.NewMatch(rules, setup)
}

// choose takes any legal move.
func (g benchGame) choose(match *engine.Match) engine.Event {
	seat := match.Pending().Awaited[0]
	legal := match.State().Legal(seat)
	return engine.Event{Kind: engine.Moved, Seat: seat, Text: string(legal[g.chance.IntN(len(legal))])}
}

// askAndMove plays by what the server says is legal for each seat: in the answer to its move, or when it asks.
func (g benchGame) askAndMove(ctx context.Context, address *url.URL, view gameView) error {
	for ctx.Err() == nil && !view.over() {
		seat := view.Awaited[0]
		legal := view.Legal[strconv.Itoa(seat)]
		if len(legal) == 0 {
			if err := g.seats[seat-1].get(ctx, "/games/"+view.ID, &view); err != nil {
				return err
			}
			if legal = view.Legal[strconv.Itoa(seat)]; len(legal) == 0 {
				return errors.New("a seat is awaited that has no legal move")
			}
		}
		turn := view.Turn
		view = gameView{}
		if err := g.move(ctx, address, seat, turn, legal[g.chance.IntN(len(legal))], &view); err != nil {
			return err
		}
	}
	return nil
}

// move sends one move and reads the answer into out, unless that is nil; the time it takes is what is measured.
func (g benchGame) move(ctx context.Context, address *url.URL, seat, turn int, token string, out *gameView) error {
	mover := g.seats[seat-1]
	body := moveBody(seat, turn, token)
	request := &http.Request{
		Method: http.MethodPost, URL: address, Host: address.Host, Header: mover.header,
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
	return g.recorder.time(ctx, func() error {
		if out == nil {
			return mover.ask(ctx, request, nil)
		}
		return mover.ask(ctx, request, out)
	})
}

// moveBody is a move in JSON; tokens have no character that would need an escape.
func moveBody(seat, turn int, token string) string {
	return `{"seat":` + strconv.Itoa(seat) + `,"turn":` + strconv.Itoa(turn) + `,"move":"` + token + `"}`
}
