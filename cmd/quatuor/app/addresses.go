package app

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// NetworkAddress is an address of an interface of this machine that is up.
type NetworkAddress struct {
	Interface string
	IP        netip.Addr
}

// networkAddresses returns the addresses of all interfaces that are up.
func networkAddresses() (all []NetworkAddress, err error) {
	interfaces, err := net.Interfaces()
	if err != nil {
		return nil, err
	}
	for _, i := range interfaces {
		if i.Flags&net.FlagUp == 0 {
			continue
		}
		addresses, err := i.Addrs()
		if err != nil {
			return nil, err
		}
		for _, a := range addresses {
			if prefix, err := netip.ParsePrefix(a.String()); err == nil {
				all = append(all, NetworkAddress{i.Name, prefix.Addr().Unmap()})
			}
		}
	}
	return all, nil
}

// shared are the addresses of RFC 6598, which providers give to lines, and some private networks to their members.
var shared = netip.MustParsePrefix("100.64.0.0/10")

// Use describes the machines that can reach the address.
func (a NetworkAddress) Use() string {
	switch ip := a.IP; {
	case ip.IsLoopback():
		return "this machine alone"
	case ip.IsPrivate() && ip.Is4():
		return "phones and computers in the same network"
	case ip.IsPrivate():
		return "phones and computers in the same network, if it has IPv6"
	case ip.IsLinkLocalUnicast() && ip.Is4():
		return "computers on the same cable; this machine was given no address by a router"
	case ip.IsLinkLocalUnicast():
		return "not for browsers; other programs in the same network"
	case shared.Contains(ip):
		return "members of the same private network (VPN)"
	}
	return "public: the whole internet, unless a firewall or a router keeps it out"
}

// explainAddresses returns a text for --lan on a machine without a private IPv4 address: the other addresses, and the
// remedy. example has the placeholder ADDRESS.
func explainAddresses(all []NetworkAddress, example string) string {
	var text strings.Builder
	text.WriteString("This machine has no private IPv4 address (such as 192.168.1.20), at which phones in the hall " +
		"would find it.\n")
	if len(all) == 0 {
		text.WriteString("None of its network interfaces is up. ")
	} else {
		text.WriteString("It has these addresses:\n\n")
		for _, a := range all {
			fmt.Fprintf(&text, "    %-24s %s: %s\n", a.IP, a.Interface, a.Use())
		}
		text.WriteString("\n")
	}
	text.WriteString("Connect it to the hall's network and start the service again, or name the address at which " +
		"people reach it:\n" +
		"quatuor serve --lan --public-url " + example + "\n")
	return text.String()
}
