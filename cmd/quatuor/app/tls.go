package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// TLS configures how the service serves TLS itself. The zero value serves none.
type TLS struct {
	Cert, Key string   // PEM files: a certificate with its chain, and its key
	Domains   []string // names to fetch certificates for by ACME, instead of files
	ACMEURL   string   // directory of the ACME server; "" for Let's Encrypt's
	// Redirect is the address of a listener that redirects from HTTP to HTTPS: "none" for no listener; "" for port 80
	// with Domains, if it can be bound, else none.
	Redirect string
}

// noRedirect is the value of --http-redirect without a listener.
const noRedirect = "none"

func (t TLS) enabled() bool { return t.Cert != "" || t.Key != "" || len(t.Domains) > 0 }

// domainForm is a host name as certificates and browsers write it.
var domainForm = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])$`)

// checkTLS refuses settings that contradict each other.
func (c Config) checkTLS() error {
	t := c.TLS
	switch {
	case (t.Cert == "") != (t.Key == ""):
		return UsageErrorf("--tls-cert and --tls-key go together: one file has the certificate, the other its key")
	case t.Cert != "" && len(t.Domains) > 0:
		return UsageErrorf("give either --tls-cert with --tls-key, or --tls-domain, which fetches a certificate")
	case t.ACMEURL != "" && len(t.Domains) == 0:
		return UsageErrorf("--tls-acme-url is where certificates for --tls-domain come from; give that, too")
	case t.Redirect != "" && !t.enabled():
		return UsageErrorf("--http-redirect leads from HTTP to HTTPS, and needs --tls-domain, or --tls-cert with --tls-key")
	case !t.enabled():
		return nil
	case c.PeerAddress != "":
		return UsageErrorf("several instances are behind a proxy, and TLS is its job; leave out --peer-address or TLS")
	case strings.HasPrefix(c.PublicURL, "http://"):
		return UsageErrorf("--public-url must begin with https:// where TLS is served, not %q", c.PublicURL)
	}
	if t.ACMEURL != "" {
		if u, err := url.Parse(t.ACMEURL); err != nil || u.Scheme != "https" || u.Host == "" {
			return UsageErrorf("--tls-acme-url must look like https://acme.example/directory, not %q", t.ACMEURL)
		}
	}
	return c.checkDomains()
}

// checkDomains refuses domains that no certificate can be had for, and a public URL that has none of them.
func (c Config) checkDomains() error {
	domains := c.TLS.Domains
	for _, domain := range domains {
		if !domainForm.MatchString(domain) {
			return UsageErrorf("--tls-domain takes names such as club.example (with xn--… for other letters), without "+
				"port or wildcard, not %q", domain)
		}
	}
	public, err := url.Parse(c.PublicURL)
	if err != nil || len(domains) == 0 || slices.Contains(domains, strings.ToLower(public.Hostname())) {
		return nil
	}
	return UsageErrorf("the name in --public-url, %q, is none of --tls-domain, so that no browser would accept its "+
		"certificate", public.Hostname())
}

// certificates are those that the service presents over TLS.
type certificates struct {
	config  *tls.Config
	expires atomic.Int64 // when the first of them expires, s since 1970; 0 while there is none
	// refresh renews them. A certificate that fails stays as it was, with the reason in the error.
	refresh  func() error
	interval time.Duration
	// handler adds the ACME server's requests over HTTP; nil adds nothing.
	handler func(fallback http.Handler) http.Handler

	names    []string // that they are valid for
	failures atomic.Int64
	mu       sync.Mutex // held by a check
	failed   string     // the latest error; "" after a success
	logger   *slog.Logger
}

// newCertificates returns the certificates of the configuration; nil where no TLS is served.
func (c Config) newCertificates() (*certificates, error) {
	switch {
	case !c.TLS.enabled():
		return nil, nil
	case c.TLS.Cert != "":
		return newFileCertificates(c.TLS, c.Logger)
	}
	return newACMECertificates(c.TLS, c.Data, c.Logger), nil
}

func newTLSConfig(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), protocols ...string) *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: append([]string{"h2", "http/1.1"}, protocols...), GetCertificate: get,
	}
}

// check brings the certificates up to date. A failure is logged and counted once, until the error changes.
func (c *certificates) check() {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.refresh()
	if err == nil {
		c.failed = ""
		return
	}
	if text := err.Error(); text != c.failed {
		c.failed = text
		c.failures.Add(1)
		c.logger.Warn("there is no new certificate; one served so far stays", "error", err, "expires", c.expiry())
	}
}

// served notes which certificates are served now.
func (c *certificates) served(all ...*tls.Certificate) {
	first := slices.MinFunc(all, func(a, b *tls.Certificate) int { return a.Leaf.NotAfter.Compare(b.Leaf.NotAfter) })
	if at := first.Leaf.NotAfter.Unix(); c.expires.Swap(at) != at {
		c.logger.Info("a certificate is served", "expires", c.expiry())
	}
}

// expiry returns when the first certificate expires, as a log shows it.
func (c *certificates) expiry() string {
	at := c.expires.Load()
	if at == 0 {
		return "none is served"
	}
	return time.Unix(at, 0).UTC().Format(time.RFC3339)
}

// watchCertificates keeps the certificates up to date until ctx ends.
func (a *App) watchCertificates(ctx context.Context) {
	a.certificates.check()
	every(ctx, a.certificates.interval, a.certificates.check)
}

// scheme returns that of the addresses of the service's own listeners.
func (a *App) scheme() string {
	if a.certificates != nil {
		return "https"
	}
	return "http"
}

// serveOn answers requests on a listener, over TLS if that is configured.
func (a *App) serveOn(server *http.Server, l net.Listener) error {
	if a.certificates == nil {
		return unlessClosed(server.Serve(l))
	}
	return unlessClosed(server.ServeTLS(l, "", ""))
}

// listenToRedirect binds the address that redirects requests to HTTPS, if any.
func (a *App) listenToRedirect(ctx context.Context) (err error) {
	address := a.config.TLS.Redirect
	optional := address == "" && len(a.config.TLS.Domains) > 0
	if optional {
		host, _, err := net.SplitHostPort(a.config.Listen)
		if err != nil {
			host = ""
		}
		address = net.JoinHostPort(host, "80")
	}
	if address == "" || address == noRedirect {
		return nil
	}
	a.redirecting, err = listen(ctx, address)
	if optional && err != nil {
		a.logger.Warn("plain HTTP is not redirected to HTTPS; give --http-redirect an address, or none", "error", err)
		return nil
	}
	return err
}

// redirect answers requests over plain HTTP.
func (a *App) redirect() http.Handler {
	var handler http.Handler = http.HandlerFunc(a.redirectToHTTPS)
	if a.certificates.handler != nil {
		handler = a.certificates.handler(handler)
	}
	return handler
}

// redirectToHTTPS redirects readers. Requests that change something are refused: their sender would repeat a password
// or a token in the clear for ever, and not notice.
func (a *App) redirectToHTTPS(w http.ResponseWriter, r *http.Request) {
	switch {
	case !a.Handler.AllowsHost(r.Host):
		http.Error(w, "this service has another name", http.StatusMisdirectedRequest)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "use https:// in the address", http.StatusBadRequest)
	default:
		http.Redirect(w, r, a.secureBase(r.Host)+r.URL.RequestURI(), http.StatusPermanentRedirect)
	}
}

// secureBase returns the base URL that requests for a Host are redirected to: the public URL, else the same host at the
// port of TLS.
func (a *App) secureBase(host string) string {
	if a.config.PublicURL != "" {
		return strings.TrimRight(a.config.PublicURL, "/")
	}
	u := url.URL{Scheme: "https", Host: host}
	name := u.Hostname()
	u.Host = net.JoinHostPort(name, a.port())
	if a.port() == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	return u.String()
}

// certificateNotice returns the warning that visitors of the local network will see about the certificate of this
// machine's address there; "" for none.
func (a *App) certificateNotice(address string) string {
	if len(a.config.TLS.Domains) > 0 {
		return fmt.Sprintf("The certificate is for %s alone: phones in the hall reach the service only under that name, "+
			"and only if it leads to this machine in the hall's network. Under %s they get no answer.\n",
			strings.Join(a.config.TLS.Domains, ", "), address)
	}
	served, err := a.certificates.config.GetCertificate(&tls.ClientHelloInfo{})
	if err != nil {
		return ""
	}
	leaf := served.Leaf
	const warning = "Phones will warn that the connection is not private, and each visitor has to get past that by hand, " +
		"if the browser lets them at all. "
	if leaf.CheckSignatureFrom(leaf) == nil || bytes.Equal(leaf.RawIssuer, leaf.RawSubject) {
		return "The certificate is signed by itself, which no phone trusts. " + warning + "For an evening in the hall serve " +
			"without TLS, or use a name on the internet with --tls-domain.\n"
	}
	if u, err := url.Parse(address); err == nil && leaf.VerifyHostname(u.Hostname()) != nil {
		return fmt.Sprintf("The certificate is for %s, not for %s. ", strings.Join(leaf.DNSNames, ", "), u.Hostname()) +
			warning + "Give people a name of the certificate that leads to this machine in the hall's network, with " +
			"--public-url.\n"
	}
	return ""
}

// errorLog is a handler for the reports of net/http: failed handshakes, which any scanner causes, are for debugging.
type errorLog struct{ slog.Handler }

// Handle takes a report.
func (e errorLog) Handle(ctx context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, "http: TLS handshake error") {
		if r.Level = slog.LevelDebug; !e.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return e.Handler.Handle(ctx, r)
}

// hosts returns the names and addresses of the service for people, those of the certificate among them.
func (a *App) hosts() []string {
	all := a.config.hosts()
	if a.certificates != nil {
		all = append(all, a.certificates.names...)
	}
	return all
}
