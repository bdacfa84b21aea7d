package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// readyCmd checks whether a running service is ready: for containers, which have no other HTTP client.
type readyCmd struct {
	Server  string        `help:"Address of the service." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Timeout time.Duration `help:"How long it may take to answer." default:"3s"`
}

// Run prints the version of a service that is ready; otherwise its error explains why it is not.
func (c readyCmd) Run(ctx context.Context, s streams) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.Server, "/")+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("not ready: it does not answer: %w", err)
	}
	defer answer.Body.Close()
	var reply struct{ Version, Detail string }
	if err := json.NewDecoder(answer.Body).Decode(&reply); err != nil {
		return fmt.Errorf("not ready: %s is no quatuor: it answers %s", c.Server, answer.Status)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("not ready: %s", reply.Detail)
	}
	_, err = fmt.Fprintln(s.Out, "ready:", reply.Version)
	return err
}
