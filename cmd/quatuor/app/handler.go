package app

import (
	"context"
	"net"
	"net/http"
	"strings"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/pages"
	"quatuor/api/rest"
)

// newHandler returns the API and the pages on top of the domain.
func (a *App) newHandler(offered []string) (http.Handler, error) {
	c := a.config
	proxies, err := networks(c.TrustedProxies)
	if err != nil {
		return nil, err
	}
	guard := auth.NewGuard(auth.Config{
		Store: a.Store.People(), Issuer: c.PublicURL, Secure: c.secure(),
		Registration: auth.Registration(c.Registration), Site: c.Site, Limits: auth.DefaultLimits(),
	})
	return api.New(api.Config{
		Rest: rest.Config{
			Guard: guard, People: a.Store.People(), Tables: a.Tables, GameList: a.Store.Games(), Tournaments: a.Director,
			TournamentList: a.Store.Tournaments(), Ratings: a.Store.Ratings(), Ledger: a.ratings, Variants: offered, Now: a.Tables.Time,
			Address: strings.TrimRight(c.PublicURL, "/"),
		},
		Hub: a.hub, Replies: a.Store.Replies(), Ready: a.ready, Observe: a.measures.observe, Logger: a.logger,
		Limits: limits(c.RateLimit, c.StreamLimit), Version: Version(), TrustedProxies: proxies, Secure: c.secure(),
		Pages: pages.New(pages.Config{
			Games: a.Tables, GameList: a.Store.Games(), Tournaments: a.Director, TournamentList: a.Store.Tournaments(),
			Players: a.Store.People(), Ratings: a.Store.Ratings(), Hub: a.hub, Guard: guard, Logger: a.logger, Site: c.Site,
			Variants: offered, Now: a.Tables.Time,
		}),
	})
}

// ready reports whether the database answers and all clocks run.
func (a *App) ready(ctx context.Context) error {
	if err := a.Tables.Ready(); err != nil {
		return err
	}
	return a.Store.Ready(ctx)
}

// limits allows bursts of some seconds: when a round starts, all its players ask at once.
// A hall full of spectators may be behind one address; an account is one person with a few windows.
func limits(perSecond, streams int) api.Limits {
	const burst = 6 // seconds
	perAccount := streams / 16
	if streams > 0 {
		perAccount = max(1, perAccount)
	}
	return api.Limits{
		Address: api.Rate{PerMinute: perSecond * 60, Burst: perSecond * burst},
		Account: api.Rate{PerMinute: perSecond * 30, Burst: perSecond * burst / 2},

		AddressStreams: streams, AccountStreams: perAccount,
	}
}

func networks(texts []string) ([]*net.IPNet, error) {
	var nets []*net.IPNet
	for _, text := range texts {
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			return nil, UsageErrorf("--trusted-proxies takes networks such as 10.0.0.0/8, not %q", text)
		}
		nets = append(nets, network)
	}
	return nets, nil
}
