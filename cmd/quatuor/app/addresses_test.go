package app

import (
	"net/netip"
	"strings"
	"testing"
)

// TestAddressesAreExplained lists addresses of every kind on a machine without a private address.
func TestAddressesAreExplained(t *testing.T) {
	for ip, use := range map[string]string{
		"127.0.0.1": "this machine alone", "::1": "this machine alone", "fd00::5": "if it has IPv6",
		"10.0.0.5":    "in the same network",
		"169.254.3.4": "given no address by a router", "fe80::1": "not for browsers", "100.101.102.103": "VPN",
		"203.0.113.7": "the whole internet", "2001:db8::7": "the whole internet",
	} {
		text := explainAddresses([]NetworkAddress{{"eth0", netip.MustParseAddr(ip)}}, "http://ADDRESS:8080")
		if !strings.Contains(text, "    "+ip+" ") || !strings.Contains(text, "eth0: ") || !strings.Contains(text, use) {
			t.Errorf("%s: %q is not in\n%s", ip, use, text)
		}
	}
	if text := explainAddresses(nil, "http://ADDRESS:8080"); !strings.Contains(text, "None of its network interfaces is up") {
		t.Error(text)
	}
	all, err := networkAddresses()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if a.Interface == "" || !a.IP.IsValid() || a.Use() == "" {
			t.Errorf("%+v", a)
		}
	}
}
