package main

import (
	"context"
	"fmt"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/client"
)

// serveCmd runs the service.
type serveCmd struct {
	storage `embed:""`

	Listen         string   `help:"Address to serve on, ${default} if left out; port 0 takes a free one." default:"127.0.0.1:8080" placeholder:"ADDR"`
	Registration   string   `help:"Who may open an account: open, invite or closed; what the club has decided, or closed, if left out." enum:"open,invite,closed," default:""`
	PublicURL      string   `help:"Address under which people reach the service, if not the one it listens on; https makes cookies secure." placeholder:"URL"`
	TrustedProxies []string `help:"Networks (CIDR) of reverse proxies whose X-Forwarded-For is believed." placeholder:"CIDR"`
	MetricsListen  string   `help:"Address for metrics and profiles; not served without." placeholder:"ADDR"`
	Games          []string `help:"Games or variants on offer, such as quixo or quits/duel; all if left out." placeholder:"GAME"`
	RateLimit      int      `help:"Requests a second that one address may make in the long run, an account half as many; 0 for no limit." default:"1000"`
	StreamLimit    int      `help:"Streams of events that one address may have open at once, an account a sixteenth of it; 0 for no limit." default:"500"`
	Site           string   `help:"Name of the installation, shown on its pages; what the club has decided, or quatuor, if left out."`

	logging `embed:""`
}

// config returns the flags as plain configuration.
func (c serveCmd) config(s streams) app.Config {
	return app.Config{
		Storage: c.plain(), Listen: c.Listen, Registration: c.Registration, PublicURL: c.PublicURL,
		TrustedProxies: c.TrustedProxies, MetricsListen: c.MetricsListen, Games: c.Games, RateLimit: c.RateLimit, StreamLimit: c.StreamLimit,
		Site: c.Site, Logger: c.logger(s),
	}
}

// Run serves until interrupted, then answers what has been asked and stops.
func (c serveCmd) Run(ctx context.Context, s streams) error {
	app.RelaxGC()
	a, err := app.New(ctx, c.config(s))
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Listen(ctx); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "quatuor%s%s\n", client.ListeningOn, a.URL())
	return a.Run(ctx)
}
