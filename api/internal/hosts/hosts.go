// Package hosts validates the Host header (RFC 9110, 7.4) against the names and addresses of the service. A request
// from another site's page, with a name that was made to resolve to this machine (DNS rebinding), carries that name,
// and is refused.
package hosts

import (
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Hosts are the names and addresses of a service. It is safe for concurrent use.
type Hosts struct {
	names []string // configured, and those of the machine

	mu   sync.Mutex
	own  []netip.Addr // of the machine's interfaces
	read time.Time
}

// interfacesFresh is the TTL of the cached addresses of the machine's interfaces.
const interfacesFresh = 10 * time.Second

// New returns the names of this machine and those that are configured, each a name or an address with or without a
// port.
func New(configured ...string) *Hosts {
	h := &Hosts{names: []string{"localhost"}}
	for _, host := range configured {
		if name, ok := Name(host); ok {
			h.names = append(h.names, name)
		}
	}
	if machine, err := os.Hostname(); err == nil && machine != "" {
		machine = strings.ToLower(machine)
		short, _, _ := strings.Cut(machine, ".")
		h.names = append(h.names, machine, short, short+".local")
	}
	return h
}

// Allow reports whether a request may have this Host: a name that is configured or this machine's, or an address of
// this machine or of a private network (loopback, RFC 1918, unique local or link-local).
func (h *Hosts) Allow(host string) bool {
	name, ok := Name(host)
	if !ok {
		return false
	}
	if slices.Contains(h.names, name) || strings.HasSuffix(name, ".localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	address = address.Unmap().WithZone("")
	return address.IsLoopback() || address.IsPrivate() || address.IsLinkLocalUnicast() ||
		slices.Contains(h.interfaces(), address)
}

// interfaces returns the addresses of the machine's interfaces, as they were a moment ago.
func (h *Hosts) interfaces() []netip.Addr {
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.read) < interfacesFresh {
		return h.own
	}
	h.read = time.Now()
	found, err := net.InterfaceAddrs()
	if err != nil {
		return h.own
	}
	h.own = h.own[:0:0]
	for _, one := range found {
		if network, err := netip.ParsePrefix(one.String()); err == nil {
			h.own = append(h.own, network.Addr().Unmap())
		}
	}
	return h.own
}

// Name returns the name or address of a Host header in a canonical form: in lower case, without a port, brackets or the
// dot at the end; false if it has none.
func Name(host string) (string, bool) {
	name, port, hasPort := host, "", false
	if inner, ok := strings.CutPrefix(host, "["); ok {
		if name, port, ok = strings.Cut(inner, "]"); !ok || !strings.Contains(name, ":") {
			return "", false
		}
		if port != "" {
			if port, hasPort = strings.CutPrefix(port, ":"); !hasPort {
				return "", false
			}
		}
	} else if strings.Count(host, ":") == 1 {
		name, port, hasPort = strings.Cut(host, ":")
	}
	if _, err := strconv.ParseUint(port, 10, 16); hasPort && port != "" && err != nil {
		return "", false
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return name, name != "" && !strings.ContainsAny(name, "/@ []?#\\")
}
