package app

import (
	"context"
	"net"
	"strings"
	"time"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/administration"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/ports"
	"quatuor/api/pages/programs"
	"quatuor/api/rest"
	"quatuor/api/settings"
	"quatuor/rating/ledger"
)

// newClub makes the settings of the club.
func (a *App) newClub() {
	c := a.config
	a.Club = settings.New(a.Store.People(), settings.Given{
		Name: c.Site, Registration: auth.Registration(c.Registration), Reach: c.reach(),
		Address: strings.TrimRight(c.PublicURL, "/"), OpenToNetwork: a.openToNetwork,
	}, c.Now, a.logger)
}

// newHandler puts the API and the pages on top of the domain.
func (a *App) newHandler(offered []string) error {
	c := a.config
	proxies, err := networks(c.TrustedProxies)
	if err != nil {
		return err
	}
	a.trusted = proxies
	var logo *kit.Logo
	if c.Logo != "" {
		if logo, err = kit.ReadLogo(c.Logo); err != nil {
			return UsageErrorf("--logo: %v", err)
		}
	}
	security, err := api.NewSecurityContact(c.SecurityContact, c.SecurityPolicy)
	if err != nil {
		return UsageErrorf("--security-contact, --security-policy: %v", err)
	}
	guarded := auth.Config{
		Store: a.Store.People(), Issuer: c.PublicURL, Secure: c.secure(), Now: c.Now,
		Named: func(ctx context.Context) string { return a.Club.Current(ctx).Name }, Limits: auth.DefaultLimits(),
	}
	if attempts := a.Store.Attempts(); attempts != nil {
		guarded.Attempts, guarded.RememberFor = attempts, rememberShared
	}
	guarded.Resets, guarded.LoginFailed = a.Club.Resets, a.measures.loginFailed
	if a.publisher != nil {
		guarded.Ended = a.publisher.accountChanged
	}
	adapt(&guarded, c.AdaptAuth)
	if guarded.Registration == "" {
		guarded.Decided = a.Club.Registration
	}
	a.Guard = auth.NewGuard(guarded)
	if err := a.newMail(); err != nil {
		return err
	}
	if err := a.newHooks(); err != nil {
		return err
	}
	acts := command.Config{
		Director: a.Director, Tables: a.Tables, GameList: a.Store.Games(), Offer: command.Offer{Variants: offered}, People: a.Store.People(),
		Presence: a.hub, Guard: a.Guard, Mail: a.mail, Hooks: a.hooks, Settings: a.Club, Merger: a, Eraser: a,
		RatingDesk: ledger.Desk{DeskStore: a.Store.Ratings(), Ledger: a.ratings}, AdminLog: a.Store.People(),
		Ratings: a.Store.Ratings(),
		Seasons: a.Store.Seasons(), Now: a.Tables.ServiceTime, LadderChanged: a.ladderChanged,
	}
	if a.publisher != nil {
		acts.NameChanged = a.publisher.nameChanged
	}
	if a.backups != nil { // a nil *Keeper would be an interface that is not nil
		acts.Backups = a.backups
	}
	a.commands = command.New(acts)
	served := api.Config{
		Rest: rest.Config{
			Commands: a.commands,
			Guard:    a.Guard, People: a.Store.People(), Tables: a.Tables, GameList: a.Store.Games(), Tournaments: a.Director,
			TournamentList: a.Store.Tournaments(), Ratings: a.Store.Ratings(), Lists: a.lists,
			Now: a.Tables.ServiceTime, Mail: a.mail, Hooks: a.hooks,
			Address: strings.TrimRight(c.PublicURL, "/"),
		},
		Hub: a.hub, Replies: a.Store.Replies(), Peers: a.peers, Ready: a.ready, Observe: a.measures.observe, Logger: a.logger,
		Limits: limits(c.RateLimit, c.StreamLimit), Version: Version(), Hosts: a.hosts(), TrustedProxies: proxies,
		Secure: c.secure(), Security: security, Shared: a.publisher != nil,
		Pages: pages.New(pages.Config{
			Config: kit.Config{
				Ports: ports.Ports{
					Games: a.Tables, GameList: a.Store.Games(), Tournaments: a.Director, TournamentList: a.Store.Tournaments(),
					Players: a.Store.People(), Ratings: a.Store.Ratings(), Lists: a.lists, Guard: a.Guard,
					Variants: offered,
				},
				Commands: a.commands, Hub: a.hub, Club: a.Club.Current, Now: a.Tables.ServiceTime, Logger: a.logger,
				Logo: logo, Design: c.Design,
			},
			Accounts:       accounts.Config{Accounts: a.Guard, Mail: a.mail},
			Administration: administration.Config{Settings: a.Club, AccountList: a.Store.People(), Installation: a},
			Programs:       programs.Config{Accounts: a.Guard, Hooks: a.hooks},
		}),
	}
	adapt(&served, c.AdaptAPI)
	a.Handler, err = api.New(served)
	return err
}

// rememberShared is the TTL of cached accounts and sessions with several instances, and so the longest life of a
// session that another has ended if its hint is lost.
const rememberShared = 1800 * time.Millisecond

// limits allows bursts of some seconds: when a round starts, all its players send requests at once. A hall full of
// spectators may be behind a single address; an account is a person with a few windows.
func limits(perSecond, streams int) api.Limits {
	const burst = 6 // seconds
	perAccount := streams / 16
	if streams > 0 {
		perAccount = max(1, perAccount)
	}
	all := api.Limits{AddressStreams: streams, AccountStreams: perAccount}
	if perSecond > 0 {
		interval := time.Second / time.Duration(perSecond)
		all.Address = api.Rate{Interval: interval, Burst: perSecond * burst}
		all.Account = api.Rate{Interval: 2 * interval, Burst: perSecond * burst / 2}
	}
	return all
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
