package app

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quatuor/api/auth"
	"quatuor/api/client"
	"quatuor/cmd/quatuor/harness"
)

// pairFiles are the files of a certificate, and the authority that issues it.
type pairFiles struct {
	t          *testing.T
	authority  *x509.Certificate
	signer     *ecdsa.PrivateKey
	trusted    *x509.CertPool
	cert, key  string
	serial     int64
	notBefore  time.Time
	selfSigned bool
}

func newPairFiles(t *testing.T) *pairFiles {
	t.Helper()
	f := &pairFiles{t: t, trusted: x509.NewCertPool(), notBefore: time.Now().Add(-48 * time.Hour)}
	dir := t.TempDir()
	f.cert, f.key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	f.signer = f.newKey()
	f.authority = f.issue("authority", time.Now().Add(48*time.Hour), f.signer)
	f.trusted.AddCert(f.authority)
	return f
}

func (f *pairFiles) newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		f.t.Fatal(err)
	}
	return key
}

// issue returns a certificate for a name: the authority's own while there is none, or where it is to sign itself.
func (f *pairFiles) issue(name string, until time.Time, key *ecdsa.PrivateKey) *x509.Certificate {
	f.t.Helper()
	f.serial++
	own := f.authority == nil || f.selfSigned
	wanted := &x509.Certificate{
		SerialNumber: big.NewInt(f.serial), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: f.notBefore, NotAfter: until, BasicConstraintsValid: true, IsCA: own,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	issuer, signer := f.authority, f.signer
	if own {
		issuer, signer = wanted, key
	}
	der, err := x509.CreateCertificate(rand.Reader, wanted, issuer, &key.PublicKey, signer)
	if err != nil {
		f.t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		f.t.Fatal(err)
	}
	return made
}

// write puts a new pair for club.example into the files and returns its serial number.
func (f *pairFiles) write(until time.Time) int64 {
	f.t.Helper()
	key := f.newKey()
	made := f.issue("club.example", until, key)
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		f.t.Fatal(err)
	}
	f.put(f.cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made.Raw}))
	f.put(f.key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}))
	return f.serial
}

func (f *pairFiles) put(file string, text []byte) {
	f.t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// run starts the program with the files, which redirects from HTTP, and runs it until the test is over.
func (f *pairFiles) run(log io.Writer) *App {
	f.t.Helper()
	return runApp(f.t, Config{
		Storage: newData(f.t), Listen: "127.0.0.1:0", Registration: "open",
		TLS:    TLS{Cert: f.cert, Key: f.key, Redirect: "127.0.0.1:0"},
		Logger: slog.New(slog.NewTextHandler(log, nil)),
	})
}

// runApp starts the program with an admin, and runs it until the test is over.
func runApp(t *testing.T, c Config) *App {
	t.Helper()
	c.AdaptAuth = func(c *auth.Config) { c.PasswordCost = cheap }
	a, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	if err := errors.Join(CreateAdmin(t.Context(), a.Store, "olga", phrase), a.Listen(t.Context())); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return a
}

// at returns a client for https://club.example, which is the program, over connections of its own.
func (f *pairFiles) at(a *App, change func(*http.Transport)) *client.Client {
	connections := &http.Transport{
		ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: f.trusted},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			var dialer net.Dialer
			return dialer.DialContext(ctx, network, a.listener.Addr().String())
		},
	}
	f.t.Cleanup(connections.CloseIdleConnections)
	change(connections)
	return client.New("https://club.example", connections)
}

func asItIs(*http.Transport) {}

// servedSerial returns the serial number of the certificate that a new connection is shown.
func (f *pairFiles) servedSerial(a *App) int64 {
	f.t.Helper()
	conn, err := tls.Dial("tcp", a.listener.Addr().String(), &tls.Config{RootCAs: f.trusted, ServerName: "club.example"})
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// lockedBuffer is a log that is written and read at once.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds to it.
func (b *lockedBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(text)
}

// String returns it.
func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestTLS reads a page over HTTP/2 and HTTP/1.1, logs in, and tries what is too old.
func TestTLS(t *testing.T) {
	f := newPairFiles(t)
	f.write(time.Now().Add(time.Hour))
	a := f.run(io.Discard)
	if !strings.HasPrefix(a.URL(), "https://127.0.0.1:") {
		t.Errorf("it listens on %s", a.URL())
	}
	for proto, change := range map[string]func(*http.Transport){
		"HTTP/2.0": asItIs,
		"HTTP/1.1": func(c *http.Transport) { c.ForceAttemptHTTP2 = false },
	} {
		answer, err := f.at(a, change).HTTP.Get("https://club.example/login")
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusOK || answer.Proto != proto ||
			answer.Header.Get("Strict-Transport-Security") != "max-age=31536000" {
			t.Errorf("%s: %s, %s, %v", proto, answer.Status, answer.Proto, answer.Header)
		}
		for _, c := range answer.Cookies() {
			if !c.Secure {
				t.Errorf("the cookie %s is not secure", c.Name)
			}
		}
	}
	old := f.at(a, func(c *http.Transport) {
		c.TLSClientConfig.MinVersion, c.TLSClientConfig.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
	})
	//nolint:bodyclose // there is none
	if _, err := old.HTTP.Get("https://club.example/login"); err == nil ||
		!strings.Contains(err.Error(), "protocol version") {
		t.Errorf("TLS 1.1: %v", err)
	}
	if answer := f.logIn(a); len(answer) == 0 {
		t.Error("a login sets no cookie")
	} else {
		for _, c := range answer {
			if !c.Secure || !strings.HasPrefix(c.Name, "__Host-") {
				t.Errorf("a login sets %v", c)
			}
		}
	}
}

// logIn sends the form of the login and returns the cookies.
func (f *pairFiles) logIn(a *App) []*http.Cookie {
	f.t.Helper()
	c := f.at(a, asItIs)
	c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := c.HTTP.PostForm("https://club.example/login", map[string][]string{
		"login": {"olga"}, "password": {phrase},
	})
	if err != nil {
		f.t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		f.t.Fatalf("the login is answered %s", answer.Status)
	}
	return answer.Cookies()
}

// TestRedirect: readers over plain HTTP are redirected, a form and another name are refused.
func TestRedirect(t *testing.T) {
	f := newPairFiles(t)
	f.write(time.Now().Add(time.Hour))
	a := f.run(io.Discard)
	_, port, _ := net.SplitHostPort(a.listener.Addr().String())
	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, tt := range []struct {
		method, host, public string
		status               int
		to                   string
	}{
		{http.MethodGet, "club.example", "", http.StatusPermanentRedirect, "https://club.example:" + port + "/games?page=2"},
		{http.MethodHead, "club.example:80", "", http.StatusPermanentRedirect, "https://club.example:" + port + "/games?page=2"},
		{http.MethodGet, "[::1]", "", http.StatusPermanentRedirect, "https://[::1]:" + port + "/games?page=2"},
		{http.MethodGet, "127.0.0.1", "https://club.example/", http.StatusPermanentRedirect, "https://club.example/games?page=2"},
		{http.MethodPost, "club.example", "", http.StatusBadRequest, ""},
		{http.MethodGet, "evil.example", "", http.StatusMisdirectedRequest, ""},
	} {
		a.config.PublicURL = tt.public
		r, err := http.NewRequestWithContext(t.Context(), tt.method,
			"http://"+a.redirecting.Addr().String()+"/games?page=2", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = tt.host
		answer, err := plain.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != tt.status || answer.Header.Get("Location") != tt.to {
			t.Errorf("%s http://%s: %s to %q", tt.method, tt.host, answer.Status, answer.Header.Get("Location"))
		}
	}
}

// followed is a stream of a game over HTTP/2, with the versions that come.
type followed struct {
	versions chan int64 // closed when the stream ends
}

// next returns the version of the next event.
func (f followed) next(t *testing.T) int64 {
	t.Helper()
	v, open := <-f.versions
	if !open {
		t.Fatal("the stream has ended")
	}
	return v
}

func follow(t *testing.T, c *client.Client, game string) followed {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	t.Cleanup(leave)
	f := followed{make(chan int64, 16)}
	go func() {
		defer close(f.versions)
		_ = c.Follow(ctx, "/games/"+game+"/events", func(data []byte) (bool, error) {
			var g harness.Game
			err := json.Unmarshal(data, &g)
			if g.ID != "" {
				f.versions <- g.Version
			}
			return false, err
		})
	}()
	return f
}

// duelOver opens a game of two players over a client's connections.
func duelOver(t *testing.T, c *client.Client) (players [2]harness.Player, game harness.Game) {
	t.Helper()
	var err error
	for i, login := range []string{"ada", "bob"} {
		if players[i], err = harness.Register(t.Context(), c.Share(), login, phrase, login); err != nil {
			t.Fatal(err)
		}
	}
	game, err = harness.Open(t.Context(), players[0], map[string]any{
		"variant": "quixo/duel", "time_control": "300", "rated": false, "start": "now",
		"seats": []map[string]string{{"player_id": players[0].ID}, {"player_id": players[1].ID}},
	}, players[1])
	if err != nil {
		t.Fatal(err)
	}
	return players, game
}

// spoilings are ways to write a pair that is not to be served.
func (f *pairFiles) spoilings() map[string]func() {
	return map[string]func(){
		"expired":   func() { f.write(time.Now().Add(-time.Hour)) },
		"too early": func() { f.notBefore = time.Now().Add(time.Hour); f.write(time.Now().Add(2 * time.Hour)) },
		"no pair": func() {
			f.write(time.Now().Add(time.Hour))
			cert, err := os.ReadFile(f.cert)
			if err != nil {
				f.t.Fatal(err)
			}
			f.write(time.Now().Add(time.Hour))
			f.put(f.cert, cert)
		},
		"nonsense": func() { f.put(f.cert, []byte("no certificate")) },
		"missing":  func() { _ = os.Remove(f.key) },
	}
}

// TestCertificateReload replaces the files while a stream is open over HTTP/2: by a new pair, by an expired pair, by
// halves of two, and by nonsense.
func TestCertificateReload(t *testing.T) {
	f := newPairFiles(t)
	first := f.write(time.Now().Add(time.Hour))
	log := &lockedBuffer{}
	a := f.run(log)
	c := f.at(a, asItIs)
	players, game := duelOver(t, c)
	events := follow(t, c, game.ID)
	events.next(t)

	untilReplaced := time.Now().Add(24 * time.Hour)
	second := f.write(untilReplaced)
	if got := f.servedSerial(a); got != first {
		t.Fatalf("before the files are read again, %d is served and not %d", got, first)
	}
	a.certificates.check()
	a.certificates.check() // nothing has changed
	if n := a.certificates.failures.Load(); n != 0 {
		t.Errorf("%d failures before any", n)
	}
	for what, spoil := range f.spoilings() {
		spoil()
		before, lines := a.certificates.failures.Load(), strings.Count(log.String(), "there is no new certificate")
		a.certificates.check()
		a.certificates.check() // finds the same again
		counted := a.certificates.failures.Load() - before
		logged := strings.Count(log.String(), "there is no new certificate") - lines
		if counted != 1 || logged != 1 {
			t.Errorf("%s: %d failures, %d lines:\n%s", what, counted, logged, log)
		}
		if got := f.servedSerial(a); got != second {
			t.Errorf("%s: %d is served, not %d", what, got, second)
		}
	}
	f.notBefore = time.Now().Add(-48 * time.Hour)
	last := f.write(untilReplaced)
	a.certificates.check()
	if got := f.servedSerial(a); got != last {
		t.Errorf("after all, %d is served and not %d", got, last)
	}
	if got := a.certificates.expires.Load(); got != untilReplaced.Unix() {
		t.Errorf("it expires at %d, want %d", got, untilReplaced.Unix())
	}
	var full harness.Game
	if err := players[0].Post(t.Context(), "/games/"+game.ID+"/resign", map[string]int{"seat": 1}, &full); err != nil {
		t.Fatal(err)
	}
	if v := events.next(t); v <= game.Version {
		t.Errorf("the open stream gets version %d after %d", v, game.Version)
	}
}

// TestTLSSettings: what contradicts itself is refused before anything is opened.
func TestTLSSettings(t *testing.T) {
	with := func(change func(*Config)) Config {
		c := Config{TLS: TLS{Domains: []string{"Club.example", "www.club.example"}}}
		change(&c)
		return c
	}
	files := func(c *Config) { c.TLS = TLS{Cert: "c.pem", Key: "k.pem"} }
	for wrong, c := range map[string]Config{
		"go together":            {TLS: TLS{Cert: "c.pem"}},
		"one file has":           {TLS: TLS{Key: "k.pem"}},
		"give either":            with(func(c *Config) { c.TLS.Cert, c.TLS.Key = "c.pem", "k.pem" }),
		"--tls-domain come from": with(func(c *Config) { files(c); c.TLS.ACMEURL = "https://acme.example/dir" }),
		"needs --tls-domain":     {TLS: TLS{Redirect: ":80"}},
		"behind a proxy":         with(func(c *Config) { files(c); c.PeerAddress = "http://10.0.0.2:8080" }),
		"must begin with https":  with(func(c *Config) { files(c); c.PublicURL = "http://club.example" }),
		"--tls-acme-url must":    with(func(c *Config) { c.TLS.ACMEURL = "http://acme.example" }),
		`not "club.example:443"`: with(func(c *Config) { c.TLS.Domains = []string{"club.example:443"} }),
		`not "*.club.example"`:   with(func(c *Config) { c.TLS.Domains = []string{"*.club.example"} }),
		`not "192.0.2.1"`:        with(func(c *Config) { c.TLS.Domains = []string{"192.0.2.1"} }),
		`not "localhost"`:        with(func(c *Config) { c.TLS.Domains = []string{"localhost"} }),
		`"other.example", is none`: with(func(c *Config) {
			c.PublicURL = "https://other.example"
		}),
	} {
		c.setDefaults()
		err := c.check()
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v, want %q", err, wrong)
		}
	}
	for _, c := range []Config{
		{},
		with(func(*Config) {}), with(files), with(func(c *Config) { files(c); c.PublicURL = "https://else.example" }),
		with(func(c *Config) { c.PublicURL, c.TLS.Redirect = "https://www.club.example:8443", noRedirect }),
	} {
		c.setDefaults()
		if err := c.check(); err != nil {
			t.Errorf("%+v is refused: %v", c.TLS, err)
		}
		if c.TLS.enabled() != c.secure() {
			t.Errorf("%+v makes cookies secure: %v", c.TLS, c.secure())
		}
	}
	if _, err := New(t.Context(), Config{TLS: TLS{Cert: "none.pem", Key: "none.pem"}}); err == nil ||
		!strings.Contains(err.Error(), "--tls-cert and --tls-key") {
		t.Errorf("without the files: %v", err)
	}
}

// TestCertificateNotice: operators of a hall learn what phones will show.
func TestCertificateNotice(t *testing.T) {
	const here = "https://192.168.1.5:443"
	f := newPairFiles(t)
	notice := func(address string) string {
		f.write(time.Now().Add(time.Hour))
		c, err := newFileCertificates(TLS{Cert: f.cert, Key: f.key}, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return (&App{certificates: c}).certificateNotice(address)
	}
	if text := notice("https://club.example"); text != "" {
		t.Errorf("a good certificate: %q", text)
	}
	if text := notice(here); !strings.Contains(text, "is for club.example, not for 192.168.1.5. Phones will warn") {
		t.Errorf("for another name: %q", text)
	}
	f.selfSigned = true
	if text := notice("https://club.example"); !strings.Contains(text, "signed by itself, which no phone trusts") {
		t.Errorf("signed by itself: %q", text)
	}
	domains := &App{config: Config{TLS: TLS{Domains: []string{"club.example"}}}}
	if text := domains.certificateNotice(here); !strings.Contains(text, "only under that name") {
		t.Errorf("with a domain: %q", text)
	}
}
