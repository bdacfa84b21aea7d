package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"quatuor/cmd/quatuor/crashtest"
)

// requireACME, set to 1 in the environment, makes tests fail that would else be skipped without pebble, an ACME server.
const requireACME = "QUATUOR_REQUIRE_ACME"

// acmeServer is a running pebble, which validates names at ports of this machine.
type acmeServer struct {
	directory         string // URL
	authority         string // file with the certificate of the server itself
	management        string // URL
	httpPort, tlsPort string
	trusted           *http.Client // trusts the authority
}

// startACME builds pebble at the version of cmd/tools.mod, and runs it until the test is over. It is built in the user's
// cache, where go leaves it as it is while it is up to date.
func startACME(t *testing.T) *acmeServer {
	t.Helper()
	unable := t.Skip
	if os.Getenv(requireACME) != "" {
		unable = t.Fatal
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	program := filepath.Join(cache, "quatuor-tests", "pebble")
	const module = "github.com/letsencrypt/pebble/v2"
	list := exec.Command("go", "list", "-m", "-modfile=cmd/tools.mod", "-f", "{{.Dir}}", module)
	build := exec.Command("go", "build", "-modfile=cmd/tools.mod", "-o", program, module+"/cmd/pebble")
	list.Dir, build.Dir = root, root
	_, err = build.Output()
	var source []byte
	if err == nil {
		source, err = list.Output() // after the build, which downloads the module: before, it has no folder
	}
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			err = errors.New(string(failed.Stderr))
		}
		unable("pebble, the ACME server of this test, cannot be built:", err)
	}
	s := &acmeServer{}
	s.authority = filepath.Join(strings.TrimSpace(string(source)), "test", "certs", "pebble.minica.pem")
	ports := freePorts(t, 4)
	s.directory, s.management = "https://localhost:"+ports[0]+"/dir", "https://localhost:"+ports[1]
	s.httpPort, s.tlsPort = ports[2], ports[3]
	s.trusted = trusting(t, readFile(t, s.authority))
	s.run(t, program, filepath.Dir(s.authority), ports)
	return s
}

// run starts pebble and waits until it answers.
func (s *acmeServer) run(t *testing.T, program, certs string, ports []string) {
	t.Helper()
	port := func(text string) int { n, _ := strconv.Atoi(text); return n }
	settings, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": "127.0.0.1:" + ports[0], "managementListenAddress": "127.0.0.1:" + ports[1],
		"certificate": filepath.Join(certs, "localhost", "cert.pem"), "privateKey": filepath.Join(certs, "localhost", "key.pem"),
		"httpPort": port(s.httpPort), "tlsPort": port(s.tlsPort),
		"profiles": map[string]any{"default": map[string]any{
			"description": "usual", "validityPeriod": 90 * 24 * 60 * 60,
		}},
	}})
	config := filepath.Join(t.TempDir(), "pebble.json")
	if err = errors.Join(err, os.WriteFile(config, settings, 0o600)); err != nil {
		t.Fatal(err)
	}
	log := &crashtest.Buffer{}
	cmd := exec.Command(program, "-config", config, "-dnsserver", answerNames(t))
	cmd.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(log)
		}
	})
	for end := time.Now().Add(30 * time.Second); ; {
		answer, err := s.trusted.Get(s.directory)
		if err == nil {
			_ = answer.Body.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("pebble does not answer: %v\n%s", err, log)
		}
	}
}

// root returns the root certificates that pebble's certificates chain to; each start of pebble makes a new authority.
func (s *acmeServer) root(t *testing.T) *x509.CertPool {
	t.Helper()
	answer, err := s.trusted.Get(s.management + "/roots/0")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(text) {
		t.Fatalf("%v: %s", err, text)
	}
	return pool
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func trusting(t *testing.T, authority []byte) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(authority) {
		t.Fatalf("no certificate: %s", authority)
	}
	connections := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(connections.CloseIdleConnections)
	return &http.Client{Transport: connections, Timeout: 10 * time.Second}
}

// freePorts returns ports of this machine that are free.
func freePorts(t *testing.T, n int) (ports []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() //nolint:gocritic // not before all are found, so that they differ
		_, port, _ := net.SplitHostPort(l.Addr().String())
		ports = append(ports, port)
	}
	return ports
}

// answerNames runs a name server over TCP until the test is over, and returns its address. Every name leads to this
// machine.
func answerNames(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for answerName(conn) == nil {
				}
			}()
		}
	}()
	return l.Addr().String()
}

// answerName answers a query for a name (RFC 1035, 4.2.2).
func answerName(conn net.Conn) error {
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	query := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, query); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return err
	}
	m.Response, m.Additionals = true, nil
	for _, q := range m.Questions {
		if q.Type == dnsmessage.TypeA {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1},
				Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
			})
		}
	}
	answer, err := m.AppendPack(size[:]) // after the place of its length
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint16(answer, uint16(len(answer)-len(size)))
	_, err = conn.Write(answer)
	return err
}

// serve starts the program for club.example on a port.
func (s *acmeServer) serve(t *testing.T, data, port string, args ...string) *crashtest.Server {
	t.Helper()
	run := func(args ...string) *exec.Cmd {
		cmd := command(t, args...)
		cmd.Env = append(cmd.Env, "SSL_CERT_FILE="+s.authority)
		return cmd
	}
	server := crashtest.Start(t, run, data, append([]string{
		"--listen", "127.0.0.1:" + port, "--tls-domain", "club.example", "--tls-acme-url", s.directory,
	}, args...)...)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(server.Stderr)
		}
	})
	return server
}

// certificate connects as a browser does, and returns the certificate it is shown and the answer, without its body.
func certificate(t *testing.T, port string, trusted *x509.CertPool) (*x509.Certificate, *http.Response) {
	t.Helper()
	connections := &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: trusted},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, network, "127.0.0.1:"+port)
		},
	}
	defer connections.CloseIdleConnections()
	answer, err := (&http.Client{Transport: connections}).Get("https://club.example/login")
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.TLS.PeerCertificates[0], answer
}

// TestACME has a certificate issued by pebble, at the port of TLS and at that of plain HTTP, and serves the same
// certificate after a restart.
func TestACME(t *testing.T) {
	skipInShort(t, "builds pebble")
	s := startACME(t)
	trusted := s.root(t)
	for challenge, where := range map[string]struct{ port, redirect string }{
		"TLS-ALPN-01": {s.tlsPort, "none"},
		"HTTP-01":     {freePorts(t, 1)[0], "127.0.0.1:" + s.httpPort},
	} {
		t.Run(challenge, func(t *testing.T) {
			data := t.TempDir()
			adminByCommand(t, data)
			server := s.serve(t, data, where.port, "--http-redirect", where.redirect)
			first, answer := certificate(t, where.port, trusted) //nolint:bodyclose // it is closed there
			if answer.StatusCode != http.StatusOK || answer.ProtoMajor != 2 || first.DNSNames[0] != "club.example" ||
				answer.Header.Get("Strict-Transport-Security") == "" {
				t.Errorf("%s over %s with a certificate for %s, %v", answer.Status, answer.Proto, first.DNSNames, answer.Header)
			}
			if where.redirect != "none" {
				s.redirects(t)
			}
			server.Stop()
			again := s.serve(t, data, where.port, "--http-redirect", where.redirect, "--tls-acme-url",
				"https://localhost:1/away")
			second, _ := certificate(t, where.port, trusted) //nolint:bodyclose // it is closed there
			if !second.Equal(first) {
				t.Errorf("after a restart the certificate is another one:\n%s", again.Stderr)
			}
			again.Stop()
		})
	}
}

// redirects holds plain HTTP to leading to the public address, and so to port 443.
func (s *acmeServer) redirects(t *testing.T) {
	t.Helper()
	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+s.httpPort+"/ratings", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "club.example"
	answer, err := plain.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if to := answer.Header.Get("Location"); to != "https://club.example/ratings" {
		t.Errorf("%s to %q", answer.Status, to)
	}
}
