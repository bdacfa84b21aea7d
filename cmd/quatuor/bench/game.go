package bench

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"quatuor/cmd/quatuor/harness"
	"quatuor/engine"
)

// moveScript is a game of random moves, as requests: it is made up before anything is measured, so that the clients
// spend their time on requests alone.
type moveScript []scriptedMove

type scriptedMove struct {
	seat int
	body string
}

// writeScript plays a game by itself.
func writeScript(rules engine.Rules, chance *rand.Rand) (moveScript, error) {
	setup, err := engine.NewSetup(rules.Info(), rules.Info().Seats[0], "", nil)
	if err != nil {
		return nil, err
	}
	match, err := engine.NewMatch(rules, setup)
	var script moveScript
	for err == nil && !match.Pending().Over() {
		seat := match.Pending().Awaited[0]
		legal := match.State().Legal(seat)
		token := string(legal[chance.IntN(len(legal))])
		script = append(script, scriptedMove{int(seat), moveBody(int(seat), match.Turn(), token, int64(1+len(script)))})
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

// openGame is a game that a client plays for all its seats.
type openGame struct {
	info    engine.Info
	seats   []harness.Player
	chance  *rand.Rand
	script  moveScript // none where something is hidden
	played  int        // moves of the script
	id      string
	address []*url.URL // of its moves, by seat: where its player is
}

// open starts the game.
func (g *openGame) open(ctx context.Context) error { return g.openBy(ctx, g.seats[0], "3600+60", true) }

// openBy has a player start the game. Players at their limit of games without a move accept it.
func (g *openGame) openBy(ctx context.Context, by harness.Player, control string, rated bool) error {
	ids := make([]map[string]string, len(g.seats))
	var others []harness.Player
	for i, s := range g.seats {
		ids[i] = map[string]string{"player_id": s.ID}
		if s.ID != by.ID {
			others = append(others, s)
		}
	}
	view, err := harness.Open(ctx, by, map[string]any{
		"variant": g.info.ID, "time_control": control, "rated": rated, "start": "now", "seats": ids,
	}, others...)
	if err != nil {
		return err
	}
	g.id, g.address = view.ID, make([]*url.URL, len(g.seats))
	for i, s := range g.seats {
		if g.address[i], err = url.Parse(s.Base + "/api/v1/games/" + g.id + "/moves"); err != nil {
			return err
		}
	}
	return nil
}

// play plays an open game, or continues it, by its script or, with hidden information, by the server's legal moves;
// over is false if the measurement ended first.
func (g *openGame) play(ctx context.Context, r *recorder) (over bool, err error) {
	if g.info.Secret {
		return g.queryAndMove(ctx, r)
	}
	for g.played < len(g.script) {
		if ctx.Err() != nil {
			return false, nil
		}
		if err := g.move(ctx, r, g.script[g.played], nil); err != nil {
			return false, err
		}
		g.played++
	}
	return true, nil
}

// queryAndMove plays by the legal moves of each seat, from the answer to its move or by a request.
func (g *openGame) queryAndMove(ctx context.Context, r *recorder) (over bool, err error) {
	var answer bytes.Buffer
	if err := g.look(ctx, 1, &answer); err != nil {
		return false, err
	}
	for ctx.Err() == nil {
		now := glanceAt(answer.Bytes())
		if now.seat == 0 {
			return true, nil
		}
		if now.legal == "" {
			if err := g.look(ctx, now.seat, &answer); err != nil {
				return false, err
			}
			now = glanceAt(answer.Bytes())
		}
		moves := strings.Split(now.legal, `","`)
		m := scriptedMove{now.seat, moveBody(now.seat, now.turn, moves[g.chance.IntN(len(moves))], now.version)}
		if err := g.move(ctx, r, m, &answer); err != nil {
			return false, err
		}
	}
	return false, nil
}

// look reads the game as the player of a seat sees it.
func (g *openGame) look(ctx context.Context, seat int, answer *bytes.Buffer) error {
	by, address := g.seats[seat-1], g.address[seat-1].JoinPath("..")
	return by.Request(context.WithoutCancel(ctx), http.MethodGet, address, "", answer)
}

// glance is the part of a game that a client needs to play it without a script.
type glance struct {
	turn    int
	version int64
	seat    int    // the first that is awaited; 0 for none
	legal   string // its moves, with "," between them; empty where they are not shown
}

// glanceAt finds it in the text of a game: to decode all of that would cost the client more than to send the move.
func glanceAt(text []byte) glance {
	g := glance{
		version: number(text, `"version":`), turn: int(number(text, `"turn":`)), seat: int(number(text, `"awaited":[`)),
	}
	if _, legal, found := bytes.Cut(text, []byte(`"legal":{"`+strconv.Itoa(g.seat)+`":["`)); found {
		legal, _, _ = bytes.Cut(legal, []byte(`"]`))
		g.legal = string(legal)
	}
	return g
}

// number reads the digits after a mark; 0 without any.
func number(text []byte, mark string) (n int64) {
	_, digits, _ := bytes.Cut(text, []byte(mark))
	for i := 0; i < len(digits) && '0' <= digits[i] && digits[i] <= '9'; i++ {
		n = 10*n + int64(digits[i]-'0')
	}
	return n
}

// move sends a move, reads the answer into answer, unless that is nil, and records the time.
func (g *openGame) move(ctx context.Context, r *recorder, m scriptedMove, answer *bytes.Buffer) error {
	mover, address := g.seats[m.seat-1], g.address[m.seat-1]
	return r.time(ctx, func(ctx context.Context) error {
		return mover.Request(ctx, http.MethodPost, address, m.body, answer)
	})
}
