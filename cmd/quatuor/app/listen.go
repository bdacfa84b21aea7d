package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"

	"quatuor/tournament/club"
)

// Default addresses to listen on.
const (
	localOnly = "127.0.0.1:8080"
	everyone  = ":8080"
	everyTLS  = ":443"
)

// Listen binds the address, so that a port 0 is known before anything runs: the given address, else that of --lan or
// the club's settings.
func (a *App) Listen(ctx context.Context) error {
	stored, err := a.Store.People().Settings(ctx)
	if err != nil {
		return err
	}
	network := a.config.LAN || a.config.Listen == "" && !a.config.TLS.enabled() && stored.Reach == club.ReachNetwork
	address := cmp.Or(a.config.Listen, localOnly)
	switch {
	case a.config.Listen != "":
	case a.config.TLS.enabled():
		address = everyTLS
	case network:
		address = everyone
	}
	if a.listener, err = listen(ctx, address); err != nil {
		return err
	}
	if err := a.listenToRedirect(ctx); err != nil || !network {
		return err
	}
	here := a.URL()
	if ip := privateAddress(); ip != nil {
		here = a.scheme() + "://" + net.JoinHostPort(ip.String(), a.port())
		a.Club.SetAddress(here)
	} else if a.config.PublicURL == "" {
		all, err := networkAddresses()
		if err != nil {
			return err
		}
		a.notice = explainAddresses(all, a.scheme()+"://ADDRESS:"+a.port())
	}
	if a.certificates != nil {
		a.notice += a.certificateNotice(cmp.Or(a.config.PublicURL, here))
	}
	return nil
}

// Notice returns a warning about the addresses of the service, or "": it is to be reached from the local network, the
// machine has no private address there, and no public address was given; or phones there will not trust the
// certificate. It is known after Listen.
func (a *App) Notice() string { return a.notice }

func listen(ctx context.Context, address string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		if errors.Is(err, fs.ErrPermission) {
			err = fmt.Errorf("%w (ports below 1024 need a right; see Without a proxy in docs/operating.md)", err)
		}
		return nil, fmt.Errorf("the address %s cannot be served: %w", address, err)
	}
	return listener, nil
}

func (a *App) port() string {
	_, port, _ := net.SplitHostPort(a.listener.Addr().String())
	return port
}

// openToNetwork listens on this machine's address in the network too, on the same port, where the service has listened
// on the machine alone so far.
func (a *App) openToNetwork(ctx context.Context) error {
	if a.listener == nil {
		return errors.New("the service does not listen yet")
	}
	ip := privateAddress()
	if ip == nil {
		return errors.New("this machine has no address in a local network")
	}
	address := net.JoinHostPort(ip.String(), a.port())
	if host, ok := a.listener.Addr().(*net.TCPAddr); ok && host.IP.IsLoopback() && a.Club.Current(ctx).Address == "" {
		more, err := listen(context.WithoutCancel(ctx), address)
		if err != nil {
			return err
		}
		select {
		case a.later <- more:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), more.Close())
		}
	}
	a.Club.SetAddress(a.scheme() + "://" + address)
	return nil
}

// SetupURL returns the address of the page that sets up an installation without an admin, with its one-time code; ""
// once an admin exists. It is known after Listen.
func (a *App) SetupURL(ctx context.Context) (string, error) {
	code, err := a.Guard.SetupCode(ctx)
	if err != nil || code == "" {
		return "", err
	}
	return cmp.Or(a.Club.Current(ctx).Address, a.URL()) + "/setup?code=" + url.QueryEscape(code), nil
}

// privateAddress returns this machine's address in the local network, nil if it has none: that of the interface towards
// other networks, else the first private address. No packet is sent.
func privateAddress() net.IP {
	if probe, err := net.Dial("udp4", "192.0.2.1:9"); err == nil { //nolint:noctx // it only picks a route
		defer probe.Close()
		if local, ok := probe.LocalAddr().(*net.UDPAddr); ok && local.IP.IsPrivate() {
			return local.IP
		}
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsPrivate() {
			return n.IP
		}
	}
	return nil
}
