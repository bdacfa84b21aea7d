package api

import (
	"context"
	"fmt"
	"sync"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/problem"
	"quatuor/api/stream"
)

// streamCount counts the open streams of addresses and accounts.
type streamCount struct {
	perAddress, perAccount int // maxima; 0 for no bound

	mu   sync.Mutex
	open map[streamOwner]int
}

// streamOwner is an address or an account.
type streamOwner struct{ address, account string }

// enter counts another stream, and returns the function that uncounts it at its end.
func (c *streamCount) enter(address, account string) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, of := streamOwner{address: address}, streamOwner{account: account}
	switch {
	case c.perAddress > 0 && c.open[at] >= c.perAddress:
		return nil, fmt.Errorf("%w: one address may have %d at once; close one first", problem.ErrTooManyStreams,
			c.perAddress)
	case account != "" && c.perAccount > 0 && c.open[of] >= c.perAccount:
		return nil, fmt.Errorf("%w: one account may have %d at once; close one first", problem.ErrTooManyStreams,
			c.perAccount)
	}
	c.add(at, 1)
	if account != "" {
		c.add(of, 1)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.add(at, -1)
		if account != "" {
			c.add(of, -1)
		}
	}, nil
}

func (c *streamCount) add(o streamOwner, n int) {
	if c.open == nil {
		c.open = map[streamOwner]int{}
	}
	if c.open[o] += n; c.open[o] == 0 {
		delete(c.open, o)
	}
}

// admitStream admits a stream of the API or of the pages within the limits, and ends it with the right to it.
func (s *Server) admitStream(ctx context.Context) (held context.Context, done func(), err error) {
	who := auth.From(ctx)
	leave, err := s.streams.enter(who.Address, who.AccountID)
	if err != nil {
		return nil, nil, err
	}
	held, release, err := s.guard.Hold(ctx, who)
	if err != nil {
		leave()
		return nil, nil, err
	}
	return held, func() { release(); leave() }, nil
}

func (s *Server) streamGame(c echo.Context) error {
	r := c.Request()
	game, err := s.tables.Snapshot(r.Context(), c.Param("game_id"))
	if err != nil {
		return err
	}
	behind, err := s.api.Behind(r.Context(), game)
	if err != nil {
		return err
	}
	who := stream.Reader{LastID: r.Header.Get("Last-Event-ID"), Format: stream.FormatOf(r)}
	if behind {
		return s.games.ServeBehind(r.Context(), c.Response(), game.Game.ID, who)
	}
	who.Player, who.May = auth.From(r.Context()).PlayerID, s.api.Lasting(r.Context(), game)
	return s.games.Serve(r.Context(), c.Response(), game.Game.ID, who)
}

func (s *Server) streamMe(c echo.Context) error {
	r := c.Request()
	player, err := s.api.OwnPlayer(r.Context())
	if err != nil {
		return err
	}
	return s.account.Serve(r.Context(), c.Response(), stream.Reader{
		Player: player, LastID: r.Header.Get("Last-Event-ID"), Format: stream.FormatOf(r),
	})
}

func (s *Server) streamTournament(c echo.Context) error {
	ctx := c.Request().Context()
	staff, err := s.api.Staff(ctx, c.Param("tournament_id"))
	if err != nil {
		return err
	}
	return s.events.Serve(ctx, c.Response(), c.Param("tournament_id"), stream.FormatOf(c.Request()), staff)
}
