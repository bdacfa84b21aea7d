package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"strings"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/pages"
	"quatuor/api/rest"
)

// handler puts the API and the pages on top of the domain.
func (a *app) handler(s serveSettings, offered []string) (http.Handler, error) {
	proxies, err := networks(s.TrustedProxies)
	if err != nil {
		return nil, err
	}
	guard := auth.NewGuard(auth.Config{
		Store: a.store.People(), Issuer: s.PublicURL, Secure: s.secure(),
		Registration: auth.Registration(s.Registration), Limits: auth.DefaultLimits(),
	})
	return api.New(api.Deps{
		Rest: rest.Deps{
			Guard: guard, People: a.store.People(), Tables: a.tables, GameList: a.store.Games(), Tournaments: a.director,
			TournamentList: a.store.Tournaments(), Ratings: a.store.Ratings(), Variants: offered, Now: a.tables.Time,
			Address: strings.TrimRight(s.PublicURL, "/"),
		},
		Hub: a.hub, Replies: a.store.Replies(), Ready: a.ready, Observe: a.measures.observe, Logger: a.logger,
		Limits: limits(s.RateLimit), Version: version(), TrustedProxies: proxies, Secure: s.secure(),
		Pages: pages.New(pages.Deps{
			Games: a.tables, GameList: a.store.Games(), Tournaments: a.director, TournamentList: a.store.Tournaments(),
			Players: a.store.People(), Ratings: a.store.Ratings(), Hub: a.hub, Guard: guard, Logger: a.logger, Site: s.Site,
			Variants: offered, Now: a.tables.Time,
		}),
	})
}

// ready reports whether the database answers and all clocks run.
func (a *app) ready(ctx context.Context) error {
	if err := a.tables.Ready(); err != nil {
		return err
	}
	return a.store.Ready(ctx)
}

// limits allows bursts of some seconds: when a round starts, everybody asks at once.
func limits(perSecond int) api.Limits {
	const burst = 6 // seconds
	return api.Limits{
		Address: api.Rate{PerMinute: perSecond * 60, Burst: perSecond * burst},
		Account: api.Rate{PerMinute: perSecond * 30, Burst: perSecond * burst / 2},
	}
}

func networks(texts []string) ([]*net.IPNet, error) {
	var nets []*net.IPNet
	for _, text := range texts {
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			return nil, usageErrorf("--trusted-proxies takes networks such as 10.0.0.0/8, not %q", text)
		}
		nets = append(nets, network)
	}
	return nets, nil
}

// version names the build: the module's version, or the commit it was made from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && info.Main.Version == "(devel)" {
			return fmt.Sprintf("devel-%.12s", s.Value)
		}
	}
	return info.Main.Version
}
