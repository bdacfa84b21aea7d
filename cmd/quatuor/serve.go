package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
)

// serveSettings are the flags of `quatuor serve`.
type serveSettings struct {
	storage `embed:""`

	Listen         string   `help:"Address to serve on, ${default} if left out; port 0 takes a free one." default:"127.0.0.1:8080" placeholder:"ADDR"`
	Registration   string   `help:"Who may open an account: ${enum}." enum:"open,invite,closed" default:"closed"`
	PublicURL      string   `help:"Address under which people reach the service, if not the one it listens on; https makes cookies secure." placeholder:"URL"`
	TrustedProxies []string `help:"Networks (CIDR) of reverse proxies whose X-Forwarded-For is believed." placeholder:"CIDR"`
	MetricsListen  string   `help:"Address for metrics and profiles; not served without." placeholder:"ADDR"`
	Games          []string `help:"Games or variants on offer, such as quixo or quits/duel; all if left out." placeholder:"GAME"`
	RateLimit      int      `help:"Requests a second that one address may make in the long run, an account half as many; 0 for no limit." default:"1000"`
	Site           string   `help:"Name of the installation, shown on its pages." default:"quatuor"`
}

// listeningOn stands before the address in the line that says where the service can be reached.
const listeningOn = " listening on "

// relaxedGC lets the heap grow to nine times what is in use before memory is collected, instead of twice. A request
// leaves little behind and a server holds little: collecting so often took a fifth of its time. GOGC overrules it.
const relaxedGC = 800

func relaxGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(relaxedGC)
	}
}

// serveCmd runs the service.
type serveCmd struct {
	serveSettings `embed:""`
	logging       `embed:""`
}

// Run serves until interrupted, then answers what has been asked and stops.
func (c serveCmd) Run(ctx context.Context, s streams) error {
	if err := checkPublicURL(c.PublicURL); err != nil {
		return err
	}
	relaxGC()
	a, err := newApp(ctx, c.serveSettings, c.logger(s))
	if err != nil {
		return err
	}
	defer a.close()
	fmt.Fprintf(s.Out, "quatuor%s%s\n", listeningOn, a.url)
	return a.run(ctx)
}
