package hooks

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"quatuor/tournament/hook"
)

// maxURL is the maximum length of an address, bytes.
const maxURL = 1000

// CheckURL returns a hook.ErrAddress for an address that nothing is ever sent to. The target of a name is checked with
// each connection; see [Config.Networks].
func (s *Service) CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxURL || u.Opaque != "" || u.Hostname() == "":
		return hook.ErrAddress
	case u.User != nil || u.Fragment != "":
		return fmt.Errorf("%w, without a user, a password or a fragment", hook.ErrAddress)
	case u.Scheme != "https" && (u.Scheme != "http" || len(s.Networks) == 0):
		return hook.ErrAddress
	}
	if err := checkPort(u); err != nil {
		return err
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip, err := netip.ParseAddr(host)
	switch {
	case err == nil:
		return s.allowed(ip, u.Scheme == "http")
	case endsInNumber(host):
		return fmt.Errorf("%w: write an IP address as 203.0.113.7", hook.ErrAddress)
	case len(s.Networks) == 0 && (!strings.Contains(host, ".") || strings.HasSuffix(host, ".localhost") ||
		strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal")):
		return fmt.Errorf("%w: %s is no public name", hook.ErrAddress, host)
	}
	return nil
}

// checkPort returns a hook.ErrAddress for an address with a port that no server has.
func checkPort(u *url.URL) error {
	if !strings.HasSuffix(u.Host, ":") && u.Port() == "" {
		return nil
	}
	if port, err := strconv.ParseUint(u.Port(), 10, 16); err != nil || port == 0 {
		return fmt.Errorf("%w: the port must be a number from 1 to 65535", hook.ErrAddress)
	}
	return nil
}

// endsInNumber reports whether the last label of a name is a number: programs read these as IP addresses in other
// forms: 2130706433, 0x7f.1.
func endsInNumber(host string) bool {
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || strings.Trim(last, "0123456789") == ""
}

// reserved are networks without public receivers that package netip does not know: those of the registries for special
// purposes (RFC 6890), and IPv6 networks that embed IPv4 addresses.
var reserved = parsePrefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16",
	"fec0::/10",
)

func parsePrefixes(texts ...string) (all []netip.Prefix) {
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

// allowed returns a hook.ErrAddress for an IP address that must not be connected to: private and reserved addresses,
// unless the operator allows their network, and all others without TLS.
func (s *Service) allowed(ip netip.Addr, plain bool) error {
	ip = ip.Unmap().WithZone("")
	in := func(p netip.Prefix) bool { return p.Contains(ip) }
	switch {
	case slices.ContainsFunc(s.Networks, in):
		return nil
	case plain:
		return fmt.Errorf("%w: http:// is for networks that the operator allows", hook.ErrAddress)
	case !ip.IsGlobalUnicast(), ip.IsPrivate(), slices.ContainsFunc(reserved, in):
		return fmt.Errorf("%w: %s is none", hook.ErrAddress, ip)
	}
	return nil
}

const (
	// sendTime bounds a delivery, from resolving the name to the answer's end.
	sendTime = 10 * time.Second
	// maxAnswer is the part of an answer that is read, in bytes.
	maxAnswer = 4 << 10
)

// client returns an HTTP client that connects to allowed addresses alone: each is checked after its name has been
// resolved, at the moment of connecting, so that a name cannot lead to another address in between. It follows no
// redirects, and uses no proxy.
func (s *Service) client(plain bool) *http.Client {
	dialer := &net.Dialer{
		Timeout: sendTime / 2, Resolver: s.Resolver,
		Control: func(_, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return hook.ErrAddress
			}
			return s.allowed(to.Addr(), plain)
		},
	}
	return &http.Client{
		Timeout: sendTime,
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, to)
			},
			TLSClientConfig:     s.TLS,
			ForceAttemptHTTP2:   true,
			TLSHandshakeTimeout: sendTime / 2, IdleConnTimeout: 30 * time.Second,
			MaxIdleConns: 100, MaxIdleConnsPerHost: 1, MaxResponseHeaderBytes: 16 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
