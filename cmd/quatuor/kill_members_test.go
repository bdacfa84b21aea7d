package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"quatuor/cmd/quatuor/client"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// errUnexpected is an answer that nothing explains.
var errUnexpected = errors.New("an answer that nothing explains")

// want settles a request that can only succeed.
func want(status int, then func(raw []byte) error) func(int, []byte) error {
	return func(got int, raw []byte) error {
		if got != status {
			return errUnexpected
		}
		return then(raw)
	}
}

func encoded(body any) []byte {
	if body == nil {
		return nil
	}
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return raw
}

// look reads a resource; errDead if the server is gone.
func look(ctx context.Context, c *client.Client, path string, out any) error {
	err := c.Get(ctx, path, out)
	var refusal *client.Problem
	if err != nil && !errors.As(err, &refusal) {
		return fmt.Errorf("%w: %w", errDead, err)
	}
	return err
}

// desk plays the games of some players, for all of them.
type desk struct {
	book    *book
	players []client.Player
	chance  *rand.Rand
	pending *request // not answered yet
}

// finish sends the request that is not answered yet.
func (p *desk) finish(ctx context.Context) error {
	err := p.book.try(ctx, p.pending)
	if !errors.Is(err, errDead) {
		p.pending = nil
	}
	return err
}

// byID finds the client of a player.
func (p *desk) byID(player string) *client.Client {
	for _, s := range p.players {
		if s.ID == player {
			return s.Client
		}
	}
	return nil
}

// decide makes the next request in a running game: a move, or the resignation of whose turn it is.
func (p *desk) decide(ctx context.Context, g client.Game, resign, fast bool) error {
	seat := g.Awaited[p.chance.IntN(len(g.Awaited))]
	by := p.byID(g.Seats[seat-1].Player.ID)
	if by == nil {
		return fmt.Errorf("game %s: the player of seat %d is not known", g.ID, seat)
	}
	r := &request{by: by}
	if p.chance.IntN(2) == 0 {
		r.key = uuid.NewString()
	}
	if resign {
		r.path, r.body = "/games/"+g.ID+"/resign", encoded(map[string]int{"seat": seat})
		r.settle = func(status int, _ []byte) error { return p.resigned(g.ID, seat, r, fast, status) }
		p.pending = r
		return nil
	}
	var own client.Game
	if err := look(ctx, by, "/games/"+g.ID, &own); err != nil || own.Turn != g.Turn || len(own.Legal[strconv.Itoa(seat)]) == 0 {
		return err // a flag has fallen meanwhile
	}
	legal := own.Legal[strconv.Itoa(seat)]
	token := legal[p.chance.IntN(len(legal))]
	r.path = "/games/" + g.ID + "/moves"
	r.body = encoded(map[string]any{"seat": seat, "turn": own.Turn, "move": token})
	move := fmt.Sprintf("%d:%s", seat, token)
	r.settle = func(status int, _ []byte) error { return p.moved(g.ID, move, fast, status) }
	p.book.note(func() { p.book.game(g.ID).flight = move })
	p.pending = r
	return nil
}

// moved writes down how a move was answered. Its game may have been lost on time, where time is short.
func (p *desk) moved(game, move string, fast bool, status int) error {
	g := p.book.game(game)
	switch {
	case status == http.StatusOK:
		p.book.moves++
		if g.flight == move { // else it was stored before the server died, and has been found
			g.moves = append(g.moves, move)
		}
	case status != http.StatusConflict || !fast:
		return errUnexpected
	}
	g.flight = ""
	return nil
}

// resigned writes down how a resignation was answered. Repeated, it may find the game over by itself.
func (p *desk) resigned(game string, seat int, r *request, fast bool, status int) error {
	switch {
	case status == http.StatusOK:
		p.book.resignations++
		p.book.game(game).resigned = seat
		return nil
	case status == http.StatusConflict && fast:
		return nil // lost on time before that
	case status == http.StatusConflict && r.sent > 1:
		p.book.game(game).resigned = seat // it was stored before the server died
		return nil
	}
	return errUnexpected
}

// casual plays one game after the other.
type casual struct {
	desk
	variant, control string
	fast             bool // games are lost on time, be the server there or not
	game             string
}

func (c *casual) act(ctx context.Context) error {
	switch {
	case c.pending != nil:
		return c.finish(ctx)
	case c.game == "":
		c.open()
		return nil
	}
	var g client.Game
	if err := look(ctx, c.players[0].Client, "/games/"+c.game, &g); err != nil {
		return err
	}
	if g.Over() {
		c.game = ""
		return nil
	}
	return c.decide(ctx, g, c.chance.IntN(40) == 0, c.fast)
}

func (c *casual) open() {
	one, two := c.players[0], c.players[1]
	c.pending = &request{
		by: one.Client, path: "/games", key: uuid.NewString(),
		body: encoded(map[string]any{
			"variant": c.variant, "time_control": c.control, "rated": true, "start": "now",
			"seats": []map[string]string{{"player_id": one.ID}, {"player_id": two.ID}},
		}),
		settle: want(http.StatusCreated, func(raw []byte) error {
			var g client.Game
			err := json.Unmarshal(raw, &g)
			c.game = g.ID
			c.book.game(g.ID).hidden = c.variant == "quiwin/duel"
			return err
		}),
	}
}

// registrar enters one player after the other.
type registrar struct {
	book    *book
	olga    *client.Client
	pending *request
}

func (r *registrar) act(ctx context.Context) error {
	if r.pending == nil {
		name := "Guest " + uuid.NewString()
		r.pending = &request{
			by: r.olga, path: "/players", key: uuid.NewString(), body: encoded(map[string]string{"name": name}),
			settle: want(http.StatusCreated, func([]byte) error { r.book.names[name] = true; return nil }),
		}
	}
	err := r.book.try(ctx, r.pending)
	if !errors.Is(err, errDead) {
		r.pending = nil
	}
	if err != nil {
		return err
	}
	select { // to leave turns for the others
	case <-time.After(5 * time.Millisecond):
	case <-ctx.Done():
	}
	return nil
}

// arbiter holds one tournament after the other: everybody meets everybody, rounds come by themselves, and every game
// ends soon by resignation, so that much of what the server does is ending games and pairing rounds.
type arbiter struct {
	desk
	siege *siege
	olga  *client.Client
	name  string
	held  int
	cup   string // id
	steps []step // that lead to the first round
	ended bool   // the tournament is finished; its standings are to be read
}

// step is one request that leads to the first round.
type step struct {
	path   string
	body   any
	status int
}

func (a *arbiter) act(ctx context.Context) error {
	switch {
	case a.pending != nil:
		return a.finish(ctx)
	case a.cup == "" && a.siege.closing:
		return errDone
	case a.cup == "":
		a.announce()
		return nil
	case len(a.steps) > 0:
		a.prepare()
		return nil
	case a.ended:
		return a.readStandings(ctx)
	}
	return a.playOn(ctx)
}

// announce has a new tournament made.
func (a *arbiter) announce() {
	a.held++
	name := fmt.Sprintf("%s, no. %d", a.name, a.held)
	a.pending = &request{
		by: a.olga, path: "/tournaments", key: uuid.NewString(),
		body: encoded(map[string]any{
			"name": name, "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3", "rated": true,
			"auto_rounds": true,
		}),
		settle: want(http.StatusCreated, func(raw []byte) error {
			var made struct{ ID string }
			err := json.Unmarshal(raw, &made)
			a.cup = made.ID
			a.book.cups[a.cup] = &cupBook{name: name, points: map[string]int{}}
			return err
		}),
	}
	a.steps = []step{{"/open", nil, http.StatusOK}}
	for _, p := range a.players {
		a.steps = append(a.steps, step{"/entries", map[string]string{"player_id": p.ID}, http.StatusCreated})
	}
	a.steps = append(a.steps, step{"/start", nil, http.StatusOK}, step{"/rounds", nil, http.StatusCreated})
}

// prepare takes the next step. Sent a second time, it may find that it was taken.
func (a *arbiter) prepare() {
	s := a.steps[0]
	r := &request{by: a.olga, path: "/tournaments/" + a.cup + s.path, key: uuid.NewString(), body: encoded(s.body)}
	r.settle = func(status int, _ []byte) error {
		taken := r.sent > 1 && (status == http.StatusConflict || status == http.StatusUnprocessableEntity)
		if status != s.status && !taken {
			return errUnexpected
		}
		a.steps = a.steps[1:]
		return nil
	}
	a.pending = r
}

// roundView is a round as the API shows it.
type roundView struct {
	Number   int    `json:"number"`
	Status   string `json:"status"`
	Pairings []struct {
		GameID string `json:"game_id"`
		Result string `json:"result"`
	} `json:"pairings"`
}

// playOn takes the next step in the first game that is open, or ends the tournament. What the end of a round asks for
// may take a moment, but not long, whatever was interrupted.
func (a *arbiter) playOn(ctx context.Context) error {
	const patience = 10 * time.Second
	for deadline := time.Now().Add(patience); ; {
		var rounds struct {
			Items []roundView `json:"items"`
		}
		if err := look(ctx, a.olga, "/tournaments/"+a.cup+"/rounds", &rounds); err != nil {
			return err
		}
		open := 0
		for _, r := range rounds.Items {
			for _, p := range r.Pairings {
				if p.Result != "" {
					continue
				}
				open++
				if acted, err := a.playIn(ctx, p.GameID); acted || err != nil {
					return err
				}
			}
		}
		if open == 0 && len(rounds.Items) == len(a.players)-1 {
			return a.finishCup(ctx, rounds.Items)
		}
		select { // for the server to finish what it has begun
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("tournament %s: an interrupted step was not finished: %+v", a.cup, rounds.Items)
		}
	}
}

// playIn makes the next request in a tournament game, unless it is about to be opened, or over and its result on the
// way.
func (a *arbiter) playIn(ctx context.Context, game string) (acted bool, err error) {
	var g client.Game
	err = look(ctx, a.olga, "/games/"+game, &g)
	var refusal *client.Problem
	switch {
	case errors.As(err, &refusal) && refusal.Status == http.StatusNotFound:
		return false, nil
	case err != nil || g.Over():
		return false, err
	}
	return true, a.decide(ctx, g, g.Turn > 2+a.chance.IntN(4), false)
}

// finishCup counts who won, by the resignations in the book, and has the tournament declared finished.
func (a *arbiter) finishCup(ctx context.Context, rounds []roundView) error {
	points := map[string]int{}
	for _, r := range rounds {
		for _, p := range r.Pairings {
			var g client.Game
			if err := look(ctx, a.olga, "/games/"+p.GameID, &g); err != nil {
				return err
			}
			a.book.note(func() {
				winner := g.Seats[2-a.book.game(p.GameID).resigned].Player.ID // seats count from 1: the other of two
				points[a.siege.names[winner]]++
			})
		}
	}
	a.book.note(func() { a.book.cups[a.cup].points = points })
	r := &request{by: a.olga, path: "/tournaments/" + a.cup + "/finish", key: uuid.NewString()}
	r.settle = func(status int, _ []byte) error {
		if status != http.StatusOK && (r.sent == 1 || status != http.StatusConflict) {
			return errUnexpected
		}
		a.ended = true
		return nil
	}
	a.pending = r
	return nil
}

// readStandings writes the standings of the finished tournament down; they must not change any more.
func (a *arbiter) readStandings(ctx context.Context) error {
	var table standingsView
	if err := look(ctx, a.olga, "/tournaments/"+a.cup+"/standings", &table); err != nil {
		return err
	}
	a.book.note(func() {
		cup := a.book.cups[a.cup]
		cup.standings = fmt.Sprint(table.Rows)
		a.book.comparePoints(cup, table)
	})
	a.cup, a.ended = "", false
	return nil
}
