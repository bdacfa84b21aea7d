package hosts

import (
	"net"
	"os"
	"strings"
	"testing"
)

func TestAllow(t *testing.T) {
	h := New("Club.Example", "[2001:db8::7]:8080", "203.0.113.7", "bad/name")
	for host, want := range map[string]bool{
		"localhost": true, "LOCALHOST:8080": true, "localhost.": true, "a.localhost": true, "127.0.0.1:80": true,
		"127.9.9.9":  true,
		"[::1]:8080": true, "[::1]": true, "::1": true, "[::ffff:127.0.0.1]:1": true, "192.168.1.5:8080": true,
		"10.1.2.3":   true,
		"172.16.0.1": true, "169.254.3.4": true, "[fe80::1%25eth0]:80": true, "[fd00::5]": true,
		"club.example": true, "CLUB.EXAMPLE.:443": true, "club.example:": true, "[2001:db8::7]": true, "203.0.113.7:80": true,

		"": false, ":80": false, ".": false, "evil.example": false, "club.example.evil.example": false,
		"xclub.example":          false,
		"127.0.0.1.evil.example": false, "localhost.evil.example": false, "evil.example:localhost": false,
		"8.8.8.8": false, "172.32.0.1": false, "[2001:db8::8]": false, "[2001:db8::7": false, "[2001:db8::7]x": false,
		"[localhost]": false, "evil.example@localhost": false, "localhost@evil.example": false, "localhost:99999": false,
		"localhost:80:80": false, "0x7f.1": false, "bad/name": false, "club.example..": false,
	} {
		if got := h.Allow(host); got != want {
			t.Errorf("%q is allowed: %v, want %v", host, got, want)
		}
	}
}

func TestAllowMachine(t *testing.T) {
	h := New()
	machine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	short, _, _ := strings.Cut(machine, ".")
	own, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	hosts := []string{machine, strings.ToUpper(machine) + ":8080", short, short + ".local", short + ".local.:80"}
	for _, one := range own {
		if network, ok := one.(*net.IPNet); ok {
			hosts = append(hosts, net.JoinHostPort(network.IP.String(), "8080"))
		}
	}
	for _, host := range hosts {
		if !h.Allow(host) {
			t.Errorf("%q, which is this machine's, is refused", host)
		}
	}
}
