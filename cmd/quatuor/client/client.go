// Package client is what the program's own tools share beside the client of the API (package api/client): players,
// games and servers as processes. The demo, the load generator and the crash test use it.
package client

import (
	"net/http"

	"quatuor/api/client"
)

// Client makes requests to one server for one account.
type Client = client.Client

// Problem is a refusal by the server.
type Problem = client.Problem

// New returns an anonymous client of a server, over connections of its own.
func New(base string, connections http.RoundTripper) *Client { return client.New(base, connections) }
