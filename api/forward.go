package api

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/contract"
	"quatuor/api/forward"
	"quatuor/api/problem"
)

// target is the game, tournament or account that a request acts on.
type target struct {
	key        string // the id of a game or a tournament; "" for neither
	game       bool
	repeatable bool
}

// targetOf returns the target of a request: the game or tournament that it acts on.
func (s *Server) targetOf(c echo.Context, o *contract.Operation) target {
	switch method := c.Request().Method; {
	case method == http.MethodGet || method == http.MethodHead:
		return target{}
	case o != nil && o.ActsOnGame:
		return target{c.Param("game_id"), true, o.Repeatable}
	case o != nil && !o.TakesFiles:
		return target{key: c.Param("tournament_id")}
	case o != nil || method != http.MethodPost || s.pages == nil:
		return target{}
	}
	switch on := s.pages.Target(c.Path()); on.On {
	case command.AGame:
		return target{c.Param("id"), true, on.Repeatable}
	case command.ATournament:
		return target{key: c.Param("id")}
	}
	return target{}
}

// forwardAct sends an act to the instance that owns its target, and passes the answer on. Without an answer it is to be
// carried out here if that is safe; see package forward.
func (s *Server) forwardAct(c echo.Context, q *request) (answered bool, err error) {
	if s.peers == nil || q.forwarded || q.target.key == "" || q.identity.Anonymous() {
		return false, nil
	}
	owner, elsewhere := s.peers.Owner(q.target.key)
	if !elsewhere {
		return false, nil
	}
	r := c.Request()
	act := &forward.Act{
		Method: r.Method, URI: r.URL.RequestURI(), Header: r.Header, Body: q.body.Bytes(),
		Host: r.Host, Address: q.address, RequestID: q.id, Identity: q.identity, At: s.tables.Time().UnixMilli(),
	}
	if q.arrival != nil {
		act.At = q.arrival.At
		q.arrival.Done() // the owner has a queue of its own
	}
	kind := forward.Kind{OnGame: q.target.game, Repeatable: q.target.repeatable || keyOf(r, q.operation) != ""}
	answer, outcome := s.peers.Send(r.Context(), owner, act, kind)
	switch outcome {
	case forward.Answered:
		return true, passOn(c, answer)
	case forward.Unknown:
		return true, problem.ErrOutcome
	}
	q.again = outcome == forward.Again
	if q.arrival != nil {
		q.arrival = s.tables.ArriveAt(q.target.key, act.At)
	}
	return false, nil
}

// passOn answers with the answer of another instance.
func passOn(c echo.Context, a forward.Answer) error {
	h := c.Response().Header()
	delete(h, "Cache-Control")
	delete(h, "Content-Security-Policy")
	delete(h, "Vary")
	for name, values := range a.Header {
		h[name] = values
	}
	c.Response().WriteHeader(a.Status)
	if len(a.Body) == 0 {
		return nil
	}
	_, err := c.Response().Write(a.Body)
	return err
}

// connectInstance takes a connection from another instance.
func (s *Server) connectInstance(c echo.Context) error {
	if err := s.peers.Accept(c.Response().Writer, c.Request(), requestOf(c).identity.Address, s.CarryOut); err != nil {
		return err
	}
	c.Response().Committed, c.Response().Status = true, http.StatusSwitchingProtocols
	return nil
}

// actAnswer takes the answer to an act that another instance has sent.
type actAnswer struct {
	heldAnswer
	act *forward.Act
}

// CarryOut carries out an act that another instance has sent. With an error nothing is to be answered.
func (s *Server) CarryOut(act *forward.Act) (_ forward.Answer, err error) {
	defer func() {
		if r := recover(); r != nil { // a panic that would end a connection
			err = fmt.Errorf("an act was broken off: %v", r)
		}
	}()
	r, err := http.NewRequestWithContext(context.Background(), act.Method, act.URI, http.NoBody)
	if err != nil {
		return forward.Answer{}, err
	}
	r.RequestURI = act.URI
	r.Header = act.Header
	r.Host = act.Host
	r.RemoteAddr = net.JoinHostPort(act.Address, "0")
	held := &actAnswer{heldAnswer{header: http.Header{}}, act}
	s.echo.ServeHTTP(held, r)
	held.WriteHeader(http.StatusOK) // where the operation wrote nothing
	return forward.Answer{Status: held.status, Header: held.header, Body: held.body.Bytes()}, nil
}

// sentAct returns the act that another instance has sent, nil for a client's request.
func sentAct(c echo.Context) *forward.Act {
	if answer, sent := c.Response().Writer.(*actAnswer); sent {
		return answer.act
	}
	return nil
}

// receive takes over an act that another instance has sent, in the place of everything that a client's request has to
// pass: it was stamped, limited and authenticated where it arrived.
func (s *Server) receive(c echo.Context, q *request, act *forward.Act) {
	r := c.Request()
	q.forwarded = true
	q.identity = act.Identity
	q.at = s.now()
	if len(act.Body) > 0 {
		q.body.Reset(act.Body)
		r.Body, r.ContentLength = &q.body, int64(len(act.Body))
	}
	if q.target = s.targetOf(c, q.operation); q.target.game {
		q.arrival = s.tables.ArriveAt(q.target.key, act.At)
		q.arrival.Expires = act.Expires
	}
}

// maxRequestID is the longest request id that is taken over from another instance, in characters.
const maxRequestID = 100
