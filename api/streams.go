package api

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

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
	if behind {
		return s.games.ServeBehind(r.Context(), c.Response(), game.Game.ID, r.Header.Get("Last-Event-ID"))
	}
	return s.games.Serve(r.Context(), c.Response(), c.Param("game_id"), auth.From(r.Context()).PlayerID,
		r.Header.Get("Last-Event-ID"))
}

func (s *Server) streamTournament(c echo.Context) error {
	ctx := c.Request().Context()
	staff, err := s.api.Staff(ctx, c.Param("tournament_id"))
	if err != nil {
		return err
	}
	return s.events.Serve(ctx, c.Response(), c.Param("tournament_id"), staff)
}
