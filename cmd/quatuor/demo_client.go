package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// client speaks to a quatuor server over its public API, as any program of a player's or organiser's would.
type client struct {
	base  string // http://host:port
	http  *http.Client
	token string // access token; "" = anonymous
}

// problem is a refusal by the server (RFC 9457).
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
}

func (p *problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Type, p.Detail) }

// get reads a resource below /api/v1 into out.
func (c *client) get(ctx context.Context, path string, out any) error {
	return c.call(ctx, http.MethodGet, path, nil, out)
}

// post sends in to a resource below /api/v1 and reads the answer into out; either may be nil.
func (c *client) post(ctx context.Context, path string, in, out any) error {
	return c.call(ctx, http.MethodPost, path, in, out)
}

func (c *client) call(ctx context.Context, method, path string, in, out any) error {
	answer, err := c.send(ctx, method, path, in)
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

// send makes a request and gives the answer if it is a good one; a *problem or a transport's error if not.
func (c *client) send(ctx context.Context, method, path string, in any) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+"/api/v1"+path, body)
	if err != nil {
		return nil, err
	}
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		defer answer.Body.Close()
		return nil, refusalOf(answer)
	}
	return answer, nil
}

// refusalOf reads the problem document of an answer.
func refusalOf(answer *http.Response) error {
	refusal := &problem{Status: answer.StatusCode}
	if err := json.NewDecoder(answer.Body).Decode(refusal); err != nil {
		refusal.Detail = "no problem document in the answer"
	}
	return refusal
}

// login opens a session and keeps its access token.
func (c *client) login(ctx context.Context, login, password string) error {
	var session struct {
		AccessToken string `json:"access_token"`
	}
	credentials := map[string]string{"login": login, "password": password}
	if err := c.post(ctx, "/sessions", credentials, &session); err != nil {
		return fmt.Errorf("logging in as %s: %w", login, err)
	}
	c.token = session.AccessToken
	return nil
}

// follow reads a stream of server-sent events and hands over the data of each until it ends or handle says stop.
func (c *client) follow(ctx context.Context, path string, handle func(data []byte) (stop bool, err error)) error {
	answer, err := c.send(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	const longest = 1 << 20
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		if !ok {
			continue
		}
		if stop, err := handle([]byte(data)); stop || err != nil {
			return err
		}
	}
	return lines.Err()
}
