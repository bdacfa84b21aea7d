package crashtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"

	"github.com/google/uuid"
)

// errUnexpected is an answer that nothing explains.
var errUnexpected = errors.New("an answer that nothing explains")

// created settles a request that can only succeed.
func created(then func(raw []byte) error) func(int, []byte) error {
	return func(got int, raw []byte) error {
		if got != http.StatusCreated {
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
	if err != nil && (!errors.As(err, &refusal) || refusal.Status == http.StatusServiceUnavailable) {
		return fmt.Errorf("%w: %w", errDead, err)
	}
	return err
}

// gameClient plays the games of some players, for all of them.
type gameClient struct {
	history *history
	players []harness.Player
	chance  *rand.Rand
	pending *request // not answered yet
}

// finish sends the request that is not answered yet.
func (p *gameClient) finish(ctx context.Context) error {
	err := p.history.try(ctx, p.pending)
	if !errors.Is(err, errDead) {
		p.pending = nil
	}
	return err
}

// byID finds the client of a player.
func (p *gameClient) byID(player string) *client.Client {
	for _, s := range p.players {
		if s.ID == player {
			return s.Client
		}
	}
	return nil
}

// decide makes the next request in a running game: a move or a resignation.
func (p *gameClient) decide(ctx context.Context, g harness.Game, resign, fast bool) error {
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
		r.path = "/games/" + g.ID + "/resign"
		r.body = encoded(map[string]int{"seat": seat})
		r.end = true
		r.settle = func(status int, raw []byte) error { return p.resigned(g.ID, seat, r, fast, status, raw) }
		p.pending = r
		return nil
	}
	var own harness.Game
	if err := p.see(ctx, by, g.ID, &own); err != nil || own.Turn != g.Turn || len(own.Legal[strconv.Itoa(seat)]) == 0 {
		return err // a flag has fallen by now
	}
	legal := own.Legal[strconv.Itoa(seat)]
	token := legal[p.chance.IntN(len(legal))]
	r.path = "/games/" + g.ID + "/moves"
	r.body = encoded(map[string]any{"seat": seat, "turn": own.Turn, "move": token})
	move := fmt.Sprintf("%d:%s", seat, token)
	r.settle = func(status int, raw []byte) error { return p.moved(g.ID, move, r, fast, status, raw) }
	p.history.note(func() { p.history.game(g.ID).flight = move })
	p.pending = r
	return nil
}

// see reads a game, which must not be older than the acknowledged moves.
func (p *gameClient) see(ctx context.Context, by *client.Client, game string, g *harness.Game) error {
	before := p.history.acknowledged(game)
	err := look(ctx, by, "/games/"+game, g)
	if err == nil {
		p.history.fresh(game, g.Version, before)
	}
	return err
}

// moved writes down how a move was answered. Its game may have been lost on time, where time is short.
func (p *gameClient) moved(game, move string, r *request, fast bool, status int, raw []byte) error {
	g := p.history.game(game)
	switch {
	case status == http.StatusOK:
		p.history.moves++
		r.end = g.acknowledge(raw)
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
func (p *gameClient) resigned(game string, seat int, r *request, fast bool, status int, raw []byte) error {
	g := p.history.game(game)
	switch {
	case status == http.StatusOK:
		p.history.resignations++
		g.resigned = append(g.resigned, seat)
		r.end = g.acknowledge(raw)
		return nil
	case status == http.StatusConflict && fast:
		return nil // lost on time before that
	case (status == http.StatusConflict || status == http.StatusUnprocessableEntity) && r.sent > 1:
		g.resigned = append(g.resigned, seat) // it was stored before the server died
		return nil
	}
	return errUnexpected
}

// acknowledge records the version in an answer, and reports whether the game is over.
func (g *gameHistory) acknowledge(raw []byte) bool {
	var answer harness.Game
	if err := json.Unmarshal(raw, &answer); err != nil {
		return false
	}
	g.version = max(g.version, answer.Version)
	return answer.Over()
}

// casualClient plays casual games in turn.
type casualClient struct {
	gameClient
	variant, control string
	fast             bool // games are lost on time, be the server there or not
	game             string
}

func (c *casualClient) act(ctx context.Context) error {
	switch {
	case c.pending != nil:
		return c.finish(ctx)
	case c.game == "":
		c.open()
		return nil
	}
	var g harness.Game
	if err := c.see(ctx, c.players[0].Client, c.game, &g); err != nil {
		return err
	}
	if g.Over() {
		c.game = ""
		return nil
	}
	return c.decide(ctx, g, c.chance.IntN(40) == 0, c.fast)
}

func (c *casualClient) open() {
	seats := make([]map[string]string, len(c.players))
	for i, p := range c.players {
		seats[i] = map[string]string{"player_id": p.ID}
	}
	c.pending = &request{
		by: c.players[0].Client, path: "/games", key: uuid.NewString(),
		body: encoded(map[string]any{
			"variant": c.variant, "time_control": c.control, "rated": !c.fast, "start": "now",
			"seats": seats,
		}),
		settle: created(func(raw []byte) error {
			var answer struct {
				harness.Game
				Sealed bool `json:"sealed"`
			}
			err := json.Unmarshal(raw, &answer)
			c.game = answer.ID
			g := c.history.game(answer.ID)
			g.hidden, g.version = answer.Sealed, answer.Version
			return err
		}),
	}
}

// playerClient enters players in turn.
type playerClient struct {
	gameClient
	olga *client.Client
}

func (r *playerClient) act(ctx context.Context) error {
	if r.pending == nil {
		name := "Guest " + uuid.NewString()
		r.pending = &request{
			by: r.olga, path: "/players", key: uuid.NewString(), body: encoded(map[string]string{"name": name}),
			settle: created(func([]byte) error { r.history.names[name] = true; return nil }),
		}
	}
	err := r.finish(ctx)
	if err == nil {
		rest(ctx, 5*time.Millisecond)
	}
	return err
}
