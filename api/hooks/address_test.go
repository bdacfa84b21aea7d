package hooks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"quatuor/tournament/hook"
)

// forbidden are addresses of the machine itself, its network and services of clouds, in many forms.
var forbidden = []string{
	"127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.7", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1",
	"169.254.169.254", "100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
	"240.0.0.1", "255.255.255.255",
	"::1", "::", "fd00::1", "fc00::1", "fe80::1", "ff02::1", "fec0::1", "2001:db8::1", "100::1",
	"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1",
	"64:ff9b:1::1", "2002:7f00:1::1", "2001::1",
}

func TestForbiddenAddresses(t *testing.T) {
	s := New(Config{})
	for _, text := range forbidden {
		ip := netip.MustParseAddr(text)
		if err := s.allowed(ip, false); !errors.Is(err, hook.ErrAddress) {
			t.Errorf("%s: %v", text, err)
		}
		host := text
		if ip.Is6() {
			host = "[" + text + "]"
		}
		if err := s.CheckURL("https://" + host + "/hook"); !errors.Is(err, hook.ErrAddress) {
			t.Errorf("https://%s: %v", host, err)
		}
	}
	for _, address := range []string{
		"http://example.org/", "ftp://example.org/", "https://", "https:///x", "example.org", "https://user@example.org/",
		"https://user:pw@example.org/", "https://example.org/#x", "javascript:alert(1)", "https:example.org",
		"https://localhost/", "https://localhost./", "https://a.localhost/", "https://server/", "https://printer.local/",
		"https://metadata.google.internal/",
		"https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/",
		"https://017700000001/", "https://1.2.3.0x4/", "https://[::ffff:7f00:1]/", "https://[fe80::1%25eth0]/",
		"https://" + strings.Repeat("a", 1000) + ".org/",
		"https://example.org:0/", "https://example.org:00/", "https://example.org:65536/", "https://example.org:99999/",
		"https://example.org:/", "https://example.org:-1/", "https://example.org:443:443/", "https://example.org:18446744073709551617/",
		"https://93.184.215.14:0/", "https://[2606:2800:21f::1]:/", "https://[2606:2800:21f::1]:70000/",
	} {
		if err := s.CheckURL(address); !errors.Is(err, hook.ErrAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{
		"https://example.org/hook?x=1", "https://example.org:8443/", "https://example.org:1/", "https://example.org:65535/",
		"https://[2606:2800:21f::1]:443/", "https://93.184.215.14/", "https://[2606:2800:21f::1]/",
		"https://xn--bcher-kva.example/",
	} {
		if err := s.CheckURL(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestAllowedNetworks: an operator's networks, and nothing else of the kind.
func TestAllowedNetworks(t *testing.T) {
	s := New(Config{Networks: []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00:1::/32")}})
	for _, address := range []string{"http://10.1.2.3/", "https://10.1.2.3/", "https://[fd00:1::7]/", "https://[::ffff:10.1.2.3]/", "http://chat/"} {
		if err := s.CheckURL(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{"http://10.2.0.1/", "https://127.0.0.1/", "http://93.184.215.14/", "https://[fd00:2::1]/"} {
		if err := s.CheckURL(address); !errors.Is(err, hook.ErrAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// names is a resolver that answers as a test wants, each question afresh.
func names(t *testing.T, answer func(asked int) [4]byte) *net.Resolver {
	t.Helper()
	server, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		asked, packet := 0, make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(packet)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(packet[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				asked++
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET, TTL: 0},
					Body:   &dnsmessage.AResource{A: answer(asked)},
				}}
			}
			if reply, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// target is a TLS server on this machine that counts its requests.
func target(t *testing.T, handler http.HandlerFunc) (server *httptest.Server, asked *atomic.Int64, trusted *tls.Config) {
	t.Helper()
	asked = new(atomic.Int64)
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server, asked, &tls.Config{RootCAs: roots, ServerName: "example.com", MinVersion: tls.VersionTLS12}
}

// TestNamesThatLeadInside: a name that leads to this machine, or leads there only when it is connected to, is refused
// at the moment of connecting, and the machine is not connected to.
func TestNamesThatLeadInside(t *testing.T) {
	server, asked, trusted := target(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	inside := func(int) [4]byte { return [4]byte{127, 0, 0, 1} }
	rebound := func(n int) [4]byte {
		if n == 1 {
			return [4]byte{93, 184, 215, 14}
		}
		return [4]byte{127, 0, 0, 1}
	}
	for name, answer := range map[string]func(int) [4]byte{"inside": inside, "rebound": rebound} {
		resolver := names(t, answer)
		s := New(Config{Now: time.Now, Resolver: resolver, TLS: trusted})
		address := "https://hooks.example.com:" + port + "/"
		if err := s.CheckURL(address); err != nil {
			t.Fatal(err)
		}
		if name == "rebound" { // the first look-up of the name gets a harmless address
			if found, err := resolver.LookupHost(t.Context(), "hooks.example.com"); err != nil || found[0] != "93.184.215.14" {
				t.Fatal(found, err)
			}
		}
		_, err := s.send(t.Context(), hook.Hook{URL: address}, hook.Delivery{ID: "1"}, nil, "application/json")
		if !errors.Is(err, hook.ErrAddress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("this machine was asked %d times", n)
	}
	allowed := New(Config{
		Now: time.Now, Resolver: names(t, inside), TLS: trusted, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})
	h := hook.Hook{URL: "https://hooks.example.com:" + port + "/"}
	if status, err := allowed.send(t.Context(), h, hook.Delivery{ID: "1"}, nil, "application/json"); err != nil || status != 204 {
		t.Errorf("where the operator allows it: %d, %v", status, err)
	}
}

// TestAnswers: redirects are not followed, long answers are not read, and what a receiver writes is not passed on.
func TestAnswers(t *testing.T) {
	var inside *httptest.Server
	inside, asked, _ := target(t, func(http.ResponseWriter, *http.Request) {})
	server, _, trusted := target(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, inside.URL, http.StatusTemporaryRedirect)
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 32<<10)); err != nil {
					return
				}
			}
		case "/teapot":
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte("secret of an inside service"))
		}
	})
	s := New(Config{Now: time.Now, TLS: trusted, Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	for path, want := range map[string]string{"/redirect": "redirect", "/endless": "", "/teapot": "418", "/fine": ""} {
		_, err := s.send(t.Context(), hook.Hook{URL: server.URL + path}, hook.Delivery{ID: "1"}, nil, "application/json")
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if asked.Load() != 0 {
		t.Error("a redirect was followed")
	}
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	refused := New(Config{Now: time.Now})
	if _, err := refused.send(t.Context(), hook.Hook{URL: "https://127.0.0.1:" + port}, hook.Delivery{}, nil, ""); !errors.Is(err, hook.ErrAddress) {
		t.Errorf("%v", err)
	}
}

// TestSignature is the example of Standard Webhooks.
func TestSignature(t *testing.T) {
	secret := mustDecode(t, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	got := sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func mustDecode(t *testing.T, text string) []byte {
	t.Helper()
	secret, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
