package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"quatuor/api"
	"quatuor/api/auth"
	"quatuor/api/forward"
	"quatuor/api/hooks"
	"quatuor/api/mail"
	"quatuor/store"
	"quatuor/tournament/club"
)

// Config configures an installation. Only Storage has to be set.
type Config struct {
	Storage

	Listen         string   // address to serve on; port 0 takes a free port, "" leaves it to LAN and the club
	TLS            TLS      // served without a proxy
	LAN            bool     // the local network can reach the service, at this machine's address there
	Registration   string   // restriction on opening accounts: an auth.Registration; "" leaves that to the club
	PublicURL      string   // base URL of the service for people; "" if they use Listen
	Hosts          []string // further names and addresses of the service for people
	TrustedProxies []string // networks (CIDR) of trusted reverse proxies (X-Forwarded-For)
	MetricsListen  string   // address for metrics and profiles; "" serves none
	Games          []string // games or variants on offer; none means all
	// requests a second that an address may make in the long run, an account half as many; 0 for no limit
	RateLimit   int
	StreamLimit int    // streams that an address may have open at once, an account a sixteenth of it; 0 for no limit
	Site        string // name of the installation, shown on its pages; "" leaves that to the club
	Logo        string // file with the club's logo; "" for none
	Design      bool   // the page /design shows every component of the pages
	PeerAddress string // base URL of this instance for others on the same PostgreSQL; "" if they do not reach it
	PeerSecret  string // that all of these instances share; "" without PeerAddress
	SMTPURL     string // of the mail server; "" for no e-mail
	MailFrom    string // sender of e-mails

	SecurityContact []string // where vulnerabilities are reported: e-mail addresses or URIs; none for no security.txt
	SecurityPolicy  string   // URL of the page about these reports; "" for none

	HookNetworks []string // networks (CIDR) of private addresses that webhooks may lead to

	Backups BackupConfig // of SQLite

	Logger *slog.Logger // nil uses the default

	// The rest is for tests, which run the shipped program with these parts exchanged.
	Now        func() time.Time    // nil uses the system's clock
	NewSeed    func() [32]byte     // secret seeds of games with chance; nil draws them from the system
	AdaptAuth  func(*auth.Config)  // changes authentication and its limits; nil changes nothing
	AdaptAPI   func(*api.Config)   // changes the API's parts; nil changes nothing
	AdaptMail  func(*mail.Config)  // changes e-mail; nil changes nothing
	AdaptHooks func(*hooks.Config) // changes webhooks; nil changes nothing
	HealEvery  time.Duration       // interval of reconciling streams with the database; 0 for the default
	// looks after running arenas again and again until ctx ends; nil does it every second. look is false if it could not.
	LookAfter func(ctx context.Context, look func() bool)
	// time that streams outlive the connection to a database that others use too; 0 for the usual time
	Outlive time.Duration
}

// setDefaults fills in the defaults.
func (c *Config) setDefaults() {
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.LookAfter == nil {
		c.LookAfter = func(ctx context.Context, look func() bool) { every(ctx, lookInterval, func() { look() }) }
	}
	for i, domain := range c.TLS.Domains {
		c.TLS.Domains[i] = strings.ToLower(domain)
	}
	if c.PublicURL == "" && len(c.TLS.Domains) > 0 {
		c.PublicURL = "https://" + c.TLS.Domains[0]
	}
}

// adapt changes a part's configuration, unless by is nil.
func adapt[C any](config *C, by func(*C)) {
	if by != nil {
		by(config)
	}
}

// check refuses a public address that links and cookies could not be made from, and instances that could not reach each
// other.
func (c Config) check() error {
	if err := c.checkTLS(); err != nil {
		return err
	}
	if c.PublicURL != "" {
		u, err := url.Parse(c.PublicURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" {
			return UsageErrorf("--public-url must look like https://club.example, not %q", c.PublicURL)
		}
	}
	for _, host := range c.Hosts {
		if u, err := url.Parse("http://" + host); err != nil || u.Host != host || u.Hostname() == "" {
			return UsageErrorf("--hosts takes names such as club.example, not %q", host)
		}
	}
	switch b := c.Backups; {
	case c.Database != "" && (b.Dir != "" || b.Command != ""):
		return UsageErrorf("--backup-dir and --backup-command are for SQLite; with PostgreSQL use pg_dump, or archive its " +
			"write-ahead log")
	case b.Daily < 0 || b.Weekly < 0 || b.Daily == 0 && b.Weekly != 0:
		return UsageErrorf("--backup-keep-daily must be 1 or more, and --backup-keep-weekly 0 or more")
	}
	if _, err := c.mailServer(); err != nil {
		return err
	}
	if _, err := c.hookNetworks(); err != nil {
		return err
	}
	return c.checkPeers()
}

// hosts returns the names and addresses of the service for people.
func (c Config) hosts() []string {
	all := slices.Clone(c.Hosts)
	if u, err := url.Parse(c.PublicURL); err == nil && u.Host != "" {
		all = append(all, u.Host)
	}
	return all
}

// checkPeers refuses an address for other instances without the secret, the secret without an address, and either
// without other instances.
func (c Config) checkPeers() error {
	switch address, secret := c.PeerAddress != "", c.PeerSecret != ""; {
	case !address && !secret:
		return nil
	case c.Database == "":
		return UsageErrorf("--peer-address and QUATUOR_PEER_SECRET are for several instances on one PostgreSQL; with " +
			"SQLite there is one alone, so leave them out")
	case !secret:
		return UsageErrorf("--peer-address needs QUATUOR_PEER_SECRET in the environment: the same %d characters or more "+
			"for every instance, such as openssl rand -hex 32 prints", forward.MinSecret)
	case !address:
		return UsageErrorf("QUATUOR_PEER_SECRET needs --peer-address, the address at which the other instances reach this " +
			"one")
	case len(c.PeerSecret) < forward.MinSecret:
		return UsageErrorf("QUATUOR_PEER_SECRET is too short: it must have at least %d characters", forward.MinSecret)
	}
	u, err := url.Parse(c.PeerAddress)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || u.Port() == "" ||
		u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return UsageErrorf("--peer-address must look like http://10.0.0.2:8080, not %q", c.PeerAddress)
	}
	return nil
}

// reach returns from where the service can be reached as far as the operator has decided it; "" leaves that to the
// club.
func (c Config) reach() club.Reach {
	host, _, err := net.SplitHostPort(c.Listen)
	switch ip := net.ParseIP(host); {
	case c.Listen == "" && c.TLS.enabled():
		return club.ReachNetwork
	case c.Listen == "" && !c.LAN:
		return ""
	case err == nil && (host == "localhost" || ip != nil && ip.IsLoopback()):
		return club.ReachLocal
	}
	return club.ReachNetwork
}

// secure reports whether people reach the service over https.
func (c Config) secure() bool { return c.TLS.enabled() || strings.HasPrefix(c.PublicURL, "https://") }

// Storage locates the data of an installation.
type Storage struct {
	Data        string // folder of the database and its lock file
	Database    string // a postgres:// address to use PostgreSQL instead of SQLite in the data folder
	Ratings     string // file of the rating systems; "" for ratings.json in the data folder, if it exists
	Connections int    // most connections to PostgreSQL; 0 leaves that to the store
	MaxBatch    int    // most writes that share a commit; 0 leaves that to the store
}

// StoreConfig returns the store's configuration. It creates nothing.
func (s Storage) StoreConfig(logger *slog.Logger) store.Config {
	c := store.Config{DSN: s.Database, Connections: s.Connections, MaxBatch: s.MaxBatch, Logger: logger}
	if s.Database == "" {
		c.Dir = filepath.Clean(s.Data)
	}
	return c
}

// create returns the store's configuration, after creating the data folder where it is needed.
func (s Storage) create(logger *slog.Logger) (store.Config, error) {
	if s.Database == "" {
		if err := os.MkdirAll(s.Data, 0o700); err != nil {
			return store.Config{}, fmt.Errorf("the data folder cannot be made: %w", err)
		}
	}
	return s.StoreConfig(logger), nil
}

// OpenStore opens the database for a command that needs nothing else, brings its schema up to date and, for SQLite,
// locks the folder against a second process.
func (s Storage) OpenStore(ctx context.Context) (*store.Store, error) {
	config, err := s.create(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return store.Open(ctx, config)
}

// UsageError is a fault of the operator's: a command or a setting was used in a way that it cannot take. The command
// line ends with an exit status of its own for it.
type UsageError struct{ err error }

// Error explains the fault, and the remedy.
func (e *UsageError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.err }

// UsageErrorf returns a UsageError; its arguments are those of [fmt.Errorf].
func UsageErrorf(format string, args ...any) error {
	return &UsageError{fmt.Errorf(format, args...)}
}
