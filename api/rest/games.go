package rest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/google/uuid"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/engine"
	"quatuor/engine/table"
)

// gameAnswer is the response of every operation that returns a single game, rendered by [API.RenderGame].
type gameAnswer struct {
	status int
	text   []byte
}

// gameAnswers pools response buffers: allocating a buffer for every move takes about 6 % more CPU time.
var gameAnswers = sync.Pool{New: func() any { return new(gameAnswer) }}

// maxPooled is the largest buffer, in bytes, returned to the pool.
const maxPooled = 64 << 10

// VisitGame writes the response.
func (g *gameAnswer) VisitGame(w http.ResponseWriter) error {
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(g.text))}
	w.WriteHeader(g.status)
	_, err := w.Write(g.text)
	if cap(g.text) <= maxPooled {
		gameAnswers.Put(g)
	}
	return err
}

var jsonType = []string{"application/json"}

// act executes a command on a game, and returns the game after it.
func act[In any](ctx context.Context, a *API, do command.Game[In], at command.At, in In) (*gameAnswer, error) {
	s, err := do.Run(ctx, a.commands, at, in)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK, 0)
}

// show returns a game as the client may see it, with the log lines numbered above since.
func (a *API) show(ctx context.Context, s *table.Snapshot, status int, since int64) (*gameAnswer, error) {
	answer := gameAnswers.Get().(*gameAnswer)
	text, err := a.appendGame(ctx, answer.text[:0], s, viewer(ctx, s), since)
	answer.status, answer.text = status, text
	return answer, err
}

// viewer returns the client as a viewer: the seats it holds.
func viewer(ctx context.Context, s *table.Snapshot) engine.Viewer {
	return s.Viewer(auth.From(ctx).PlayerID)
}

// GetGame shows a game.
func (a *API) GetGame(ctx context.Context, r gen.GetGameIn) (gen.GetGameOut, error) {
	s, err := a.Tables.Snapshot(ctx, r.GameID)
	if err != nil {
		return nil, err
	}
	a.Presence.Seen(s, auth.From(ctx).PlayerID)
	if s, err = a.seen(ctx, s); err != nil {
		return nil, err
	}
	return a.show(ctx, s, http.StatusOK, 0)
}

// CreateGame creates a casual game, which starts once all its players have accepted.
func (a *API) CreateGame(ctx context.Context, r gen.CreateGameIn) (gen.CreateGameOut, error) {
	who := auth.From(ctx)
	if err := checkSeats(r.Body.Seats); err != nil {
		return nil, err
	}
	wanted := table.NewGame{
		ID: idOf(who, "game", r.Params.IdempotencyKey, r.Body), Variant: r.Body.Variant, Lag: valueOf(r.Body.Lag),
		Rated: valueOf(r.Body.Rated), Options: valueOf(r.Body.Options),
		Nonces: valueOf(r.Body.Nonces), Takebacks: !valueOf(r.Body.Rated),
		Open:    slices.ContainsFunc(r.Body.Seats, func(s gen.NewGameSeat) bool { return valueOf(s.Open) }),
		Private: valueOf(r.Body.Private),
	}
	command.Set(&wanted.Takebacks, r.Body.Takebacks)
	for _, seat := range r.Body.Seats {
		wanted.Players = append(wanted.Players, playerAt(seat))
		control := r.Body.TimeControl
		if seat.TimeControl != nil {
			control = *seat.TimeControl
		}
		wanted.Controls = append(wanted.Controls, control)
	}
	game, err := command.OpenGame.Run(ctx, a.commands, wanted)
	if err != nil {
		return nil, err
	}
	return a.show(ctx, game, http.StatusCreated, 0)
}

// idOf derives the id of a new resource from the request's Idempotency-Key, so that a retry after a crash between
// commit and response finds the resource of the first attempt; "" without a key.
func idOf(who auth.Identity, what string, key *string, body any) string {
	if key == nil {
		return ""
	}
	text, err := json.Marshal(body)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s", what, who.AccountID, *key, text))
	return uuid.NewSHA1(uuid.NameSpaceOID, sum[:]).String()
}

// playerAt returns the id of the player or bot at a seat; "" for an open seat.
func playerAt(seat gen.NewGameSeat) string {
	if seat.Bot != nil {
		return table.BotID(*seat.Bot)
	}
	return valueOf(seat.PlayerID)
}

// checkSeats validates seats: each has a player, is open, or has a bot.
func checkSeats(seats []gen.NewGameSeat) error {
	for i, seat := range seats {
		ways := 0
		for _, way := range []bool{seat.PlayerID != nil, valueOf(seat.Open), seat.Bot != nil} {
			if way {
				ways++
			}
		}
		if ways != 1 {
			return command.Invalid(fmt.Sprintf("/seats/%d", i), "a seat has a player_id, is open, or has a bot: one of these")
		}
	}
	return nil
}

// at returns the game and seat that a request acts on.
func (a *API) at(game string, seat *gen.Seat) command.At {
	return command.At{Game: game, Arrival: a.request.Arrival, Seat: seat}
}

// PlayMove makes a move.
func (a *API) PlayMove(ctx context.Context, r gen.PlayMoveIn) (gen.PlayMoveOut, error) {
	s, err := command.Move.Run(ctx, a.commands, a.at(r.GameID, &r.Body.Seat), table.Move{
		Turn: r.Body.Turn, Token: r.Body.Move, Elapsed: r.Body.ElapsedMs,
	})
	if err != nil {
		return nil, explain(s, r.Body.Seat, err)
	}
	return a.show(ctx, s, http.StatusOK, valueOf(r.Body.Since))
}

// explain adds a hint to the refusal of a move in a game: the legal moves of the seat, or the current turn.
func explain(s *table.Snapshot, by gen.Seat, refused error) error {
	illegal := errors.Is(refused, engine.ErrIllegal)
	if !illegal && !errors.Is(refused, table.ErrStaleTurn) && !errors.Is(refused, engine.ErrTurn) {
		return refused
	}
	seat := engine.Seat(by)
	p := s.Project(engine.ViewerOf(seat))
	if illegal {
		return &command.Refusal{Err: refused, Legal: p.Legal[seat]}
	}
	return &command.Refusal{Err: refused, Turn: p.Turn}
}

// ResignGame resigns for a seat.
func (a *API) ResignGame(ctx context.Context, r gen.ResignGameIn) (gen.ResignGameOut, error) {
	seat := valueOf(r.Body).Seat
	return act(ctx, a, command.Resign, a.at(r.GameID, seat), command.None{})
}

// BerserkGame takes half of a seat's time.
func (a *API) BerserkGame(ctx context.Context, r gen.BerserkGameIn) (gen.BerserkGameOut, error) {
	seat := valueOf(r.Body).Seat
	return act(ctx, a, command.Berserk, a.at(r.GameID, seat), command.None{})
}

// DrawGame offers a draw, or answers an offer.
func (a *API) DrawGame(ctx context.Context, r gen.DrawGameIn) (gen.DrawGameOut, error) {
	do := command.OfferDraw
	switch r.Body.Action {
	case gen.Accept:
		do = command.AcceptDraw
	case gen.Decline:
		do = command.DeclineDraw
	}
	return act(ctx, a, do, a.at(r.GameID, r.Body.Seat), command.None{})
}

// AbortGame aborts a casual game before every remaining seat has moved.
func (a *API) AbortGame(ctx context.Context, r gen.AbortGameIn) (gen.AbortGameOut, error) {
	return act(ctx, a, command.Abort, a.at(r.GameID, nil), command.None{})
}
