package bench

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/harness"
)

// checkServers refuses invalid addresses, and a measurement of several instances with a single address.
func (c *Config) checkServers() error {
	servers := make([]string, len(c.Server))
	for i, address := range c.Server {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.Trim(u.Path, "/") != "" ||
			u.RawQuery != "" {
			return app.UsageErrorf("--server takes addresses such as http://127.0.0.1:8080, not %q", address)
		}
		servers[i] = u.Scheme + "://" + u.Host
		if slices.Contains(servers[:i], servers[i]) {
			return app.UsageErrorf("--server names %s twice; each instance counts once", servers[i])
		}
	}
	c.Server = servers
	if c.What == "readers" && len(servers) < 2 {
		return app.UsageErrorf("--what readers measures readers at another instance than the mover's; name two instances " +
			"or more with --server, such as --server http://10.0.0.1:8080,http://10.0.0.2:8080")
	}
	return nil
}

// checkReady checks that each server is ready; its error explains why a server is not.
func (c *Config) checkReady(ctx context.Context) error {
	const answerTimeout = 5 * time.Second
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	for _, address := range c.Server {
		if _, err := harness.Ready(ctx, address); err != nil {
			return fmt.Errorf("--server %s: %w", address, err)
		}
	}
	return nil
}

// knownEverywhere refuses instances that do not share a database: they do not know a player of the first.
func (l *load) knownEverywhere(ctx context.Context, p harness.Player) error {
	for _, at := range l.instances[1:] {
		c := at.Share()
		c.Token = p.Token
		if err := c.Get(ctx, "/players/"+p.ID, nil); err != nil {
			return fmt.Errorf("%s does not know a player of %s (do both work on one database?): %w", at.Base, l.Base, err)
		}
	}
	return nil
}
