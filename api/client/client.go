// Package client is a client of the API of a quatuor server, for bots, scripts and services in Go.
//
// Requests and answers have the types of the contract, which package api/gen has; those used most have names here.
// [Client.Get], [Client.Post] and the like take addresses below /api/v1, and refusals come as a *[Problem]:
//
//	c := client.New("https://chess.example", nil)
//	c.Token = "qt_…"
//	var game client.Game
//	err := c.Get(ctx, "/games/"+id, &game)
//
// [Client.Events] follows a stream and resumes it after each break, so that nothing is missed:
//
//	for e, err := range c.Events(ctx, "/me/events") {
//		if err != nil {
//			return err
//		}
//		if e.Name == "my_turn" {
//			game, err := client.Data[client.Game](e)
//			…
//		}
//	}
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quatuor/api/gen"
)

// Client makes requests to a server for an account. Its requests may run at the same time.
type Client struct {
	Base  string // http://host:port
	HTTP  *http.Client
	Token string // access token; "" makes anonymous requests
}

// New returns an anonymous client of a server, over connections of its own; nil makes the usual connections.
func New(base string, connections http.RoundTripper) *Client {
	return &Client{Base: strings.TrimRight(base, "/"), HTTP: &http.Client{Transport: connections}}
}

// Share returns an anonymous client of the same server that shares the connections of c.
func (c *Client) Share() *Client { return &Client{Base: c.Base, HTTP: c.HTTP} }

// Problem is a refusal by the server (RFC 9457).
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

// Error returns the status, the type and the detail.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Type, p.Detail) }

// Get reads a resource below /api/v1 into out.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.call(ctx, http.MethodGet, path, nil, out)
}

// Post sends in to a resource below /api/v1 and reads the answer into out; either may be nil.
func (c *Client) Post(ctx context.Context, path string, in, out any) error {
	return c.call(ctx, http.MethodPost, path, in, out)
}

// Put sends in to a resource below /api/v1, whatever state that is in, and reads the answer into out.
func (c *Client) Put(ctx context.Context, path string, in, out any) error {
	return c.call(ctx, http.MethodPut, path, in, out)
}

// Patch changes a resource below /api/v1, whatever state that is in, and reads the answer into out.
func (c *Client) Patch(ctx context.Context, path string, in, out any) error {
	return c.call(ctx, http.MethodPatch, path, in, out)
}

func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	answer, err := c.Send(ctx, method, path, in)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if out == nil {
		_, err = io.Copy(io.Discard, answer.Body)
		return err
	}
	if err := json.NewDecoder(answer.Body).Decode(out); err != nil {
		return fmt.Errorf("%s %s: the answer is not readable: %w", method, path, err)
	}
	return nil
}

// Send makes a request and returns the answer, which the caller must close. A refusal is a *Problem.
func (c *Client) Send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.Base+"/api/v1"+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPut || method == http.MethodPatch {
		request.Header.Set("If-Match", "*")
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	answer, err := c.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		defer answer.Body.Close()
		return nil, refusalOf(answer)
	}
	return answer, nil
}

// Do sends a request as it is and reads the answer to its end: into a buffer, or nowhere where that is nil. A refusal
// is a *Problem. It follows no redirect and adds no header.
func (c *Client) Do(ctx context.Context, request *http.Request, into *bytes.Buffer) error {
	answer, err := c.HTTP.Transport.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode >= http.StatusBadRequest:
		return refusalOf(answer)
	case into != nil:
		into.Reset()
		_, err = into.ReadFrom(answer.Body)
		return err
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// refusalOf reads the problem document of an answer.
func refusalOf(answer *http.Response) error {
	refusal := &Problem{Status: answer.StatusCode}
	if err := json.NewDecoder(answer.Body).Decode(refusal); err != nil {
		refusal.Detail = "no problem document in the answer"
	}
	return refusal
}

// Login opens a session and keeps its access token.
func (c *Client) Login(ctx context.Context, login, password string) error {
	var session struct {
		AccessToken string `json:"access_token"`
	}
	credentials := map[string]string{"login": login, "password": password}
	if err := c.Post(ctx, "/sessions", credentials, &session); err != nil {
		return fmt.Errorf("logging in as %s: %w", login, err)
	}
	c.Token = session.AccessToken
	return nil
}

// Player is a player of the club.
type Player = gen.Player

// Game is a game as the account may see it.
type Game = gen.Game

// NewGame is a game to be opened.
type NewGame = gen.NewGame

// Move is a move to be made.
type Move = gen.NewMove

// Tournament is a tournament.
type Tournament = gen.Tournament

// Round is a round with its pairings.
type Round = gen.Round

// Standings are the standings of a tournament.
type Standings = gen.Standings

// AccountState is the data of the event state of /me/events.
type AccountState = gen.AccountState

// RoundNotice is the data of the event round_published of /me/events.
type RoundNotice = gen.RoundNotice

// OwnPairing is the data of the event my_pairing of /me/events.
type OwnPairing = gen.OwnPairing

// ArbiterAnswer is the data of the event arbiter_answered of /me/events.
type ArbiterAnswer = gen.ArbiterAnswer

// Notice is the data of the event notice of /me/events.
type Notice = gen.Notice
