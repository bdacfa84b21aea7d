// Package harness is a tool: players, games, and servers as processes, for the demo, the load generator, `quatuor ready`
// and the tests of the program. Package api/client is the client of the API.
package harness

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"quatuor/api/client"
)

// Player is a client that is logged in as a player.
type Player struct {
	*client.Client
	ID     string
	Header http.Header // of requests with a body that are sent with Do
}

// maxChallengesAtOnce is the most that the contract allows.
const maxChallengesAtOnce = 20

// Register opens an account with a player of that name, logs c in, and returns the player. It is open to challenges:
// its casual games start unconfirmed, up to its limit.
func Register(ctx context.Context, c *client.Client, login, password, name string) (Player, error) {
	return register(ctx, c, login, password, map[string]any{"player_name": name})
}

// RegisterBot is Register for the account of a bot.
func RegisterBot(ctx context.Context, c *client.Client, login, password, name string) (Player, error) {
	return register(ctx, c, login, password, map[string]any{"player_name": name, "bot": true})
}

func register(
	ctx context.Context, c *client.Client, login, password string, account map[string]any,
) (Player, error) {
	var made struct {
		PlayerID string `json:"player_id"`
	}
	account["login"], account["password"] = login, password
	if err := c.Post(ctx, "/accounts", account, &made); err != nil {
		return Player{}, err
	}
	if err := c.Login(ctx, login, password); err != nil {
		return Player{}, err
	}
	if err := c.Patch(ctx, "/me", map[string]any{
		"open_to_challenges": true,
		"challenges_at_once": maxChallengesAtOnce,
	}, nil); err != nil {
		return Player{}, err
	}
	return Player{c, made.PlayerID, http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + c.Token},
	}}, nil
}

// Request makes a request as the player, with a body in JSON unless that is "", and reads the answer into a buffer, or
// nowhere where that is nil. It is the path that benchmarks measure, so it allocates only what differs between
// requests.
func (p Player) Request(ctx context.Context, method string, address *url.URL, body string, into *bytes.Buffer) error {
	request := &http.Request{Method: method, URL: address, Host: address.Host, Header: p.Header}
	if body != "" {
		request.Body, request.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	}
	return p.Do(ctx, request, into)
}
