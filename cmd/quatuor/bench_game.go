package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quatuor/engine"
)

// benchScript is a game of random moves, as requests: it is made up before anything is measured, so that the clients
// spend their time on requests alone.
type benchScript []benchMove

type benchMove struct {
	seat int
	body string
}

// writeScript plays a game by itself.
func writeScript(rules engine.Rules, chance *rand.Rand) (benchScript, error) {
	setup, err := engine.NewSetup(rules.Info(), rules.Info().Seats[0], "", nil)
	if err != nil {
		return nil, err
	}
	match, err := engine.NewMatch(rules, setup)
	var script benchScript
	for err == nil && !match.Pending().Over() {
		seat := match.Pending().Awaited[0]
		legal := match.State().Legal(seat)
		token := string(legal[chance.IntN(len(legal))])
		script = append(script, benchMove{int(seat), moveBody(int(seat), match.Turn(), token, int64(1+len(script)))})
		match, err = match.After(engine.Event{Kind: engine.Moved, Seat: seat, Text: token})
	}
	return script, err
}

// moveBody is a move in JSON by a client that knows the log up to an event; tokens have no character that would need an
// escape.
func moveBody(seat, turn int, token string, since int64) string {
	return `{"seat":` + strconv.Itoa(seat) + `,"turn":` + strconv.Itoa(turn) + `,"move":"` + token + `","since":` +
		strconv.FormatInt(since, 10) + `}`
}

// benchGame is one game that a client plays for all its seats.
type benchGame struct {
	info    engine.Info
	seats   []seated
	chance  *rand.Rand
	script  benchScript // none where something is hidden
	opened  gameView
	address *url.URL // of its moves
}

// open starts the game.
func (g *benchGame) open(ctx context.Context) error {
	ids := make([]map[string]string, len(g.seats))
	for i, s := range g.seats {
		ids[i] = map[string]string{"player_id": s.player}
	}
	err := g.seats[0].post(ctx, "/games", map[string]any{
		"variant": g.info.ID, "time_control": "3600+60", "rated": true, "start": "now", "seats": ids,
	}, &g.opened)
	if err != nil {
		return fmt.Errorf("opening a game: %w", err)
	}
	g.address, err = url.Parse(g.seats[0].base + "/api/v1/games/" + g.opened.ID + "/moves")
	return err
}

// play plays a game that is open by its script or, where something is hidden, by what the server says is legal.
func (g *benchGame) play(ctx context.Context, r *recorder) error {
	if g.info.Secret {
		return g.askAndMove(ctx, r)
	}
	for _, m := range g.script {
		if err := g.move(ctx, r, m, nil); err != nil || ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// askAndMove plays by what the server says is legal for each seat: in the answer to its move, or when it asks.
func (g *benchGame) askAndMove(ctx context.Context, r *recorder) error {
	view := g.opened
	for ctx.Err() == nil && !view.over() {
		seat := view.Awaited[0]
		legal := view.Legal[strconv.Itoa(seat)]
		if len(legal) == 0 {
			view = gameView{}
			if err := g.seats[seat-1].get(ctx, "/games/"+g.opened.ID, &view); err != nil {
				return err
			}
			if legal = view.Legal[strconv.Itoa(seat)]; len(legal) == 0 {
				return errors.New("a seat is awaited that has no legal move")
			}
		}
		m := benchMove{seat, moveBody(seat, view.Turn, legal[g.chance.IntN(len(legal))], view.Version)}
		view = gameView{}
		if err := g.move(ctx, r, m, &view); err != nil {
			return err
		}
	}
	return nil
}

// move sends one move and reads the answer into out, unless that is nil; the time it takes is what is measured.
func (g *benchGame) move(ctx context.Context, r *recorder, m benchMove, out *gameView) error {
	mover := g.seats[m.seat-1]
	request := &http.Request{
		Method: http.MethodPost, URL: g.address, Host: g.address.Host, Header: mover.header,
		Body: io.NopCloser(strings.NewReader(m.body)), ContentLength: int64(len(m.body)),
	}
	return r.time(ctx, func() error {
		if out == nil {
			return mover.ask(ctx, request, nil)
		}
		return mover.ask(ctx, request, out)
	})
}
