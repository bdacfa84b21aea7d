package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"quatuor/api/pages/qrcode"
	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/backups"
	"quatuor/cmd/quatuor/harness"
	"quatuor/cmd/quatuor/terminal"
)

// serveCmd runs the service.
type serveCmd struct {
	storage `embed:""`

	Listen       string   `help:"Address to serve on; port 0 takes a free one. Left out, it is 127.0.0.1:8080, or all of port 8080 with --lan or where the club has decided so." placeholder:"ADDR"`
	TLSCert      string   `name:"tls-cert" help:"Serve TLS: file of the certificate with its chain (PEM), read again when it changes. Listens on :443 if --listen is left out." type:"path" placeholder:"FILE"`
	TLSKey       string   `name:"tls-key" help:"File of the certificate's key (PEM)." type:"path" placeholder:"FILE"`
	TLSDomain    []string `name:"tls-domain" help:"Serve TLS with certificates for these names that are fetched and renewed by ACME, from Let's Encrypt. You accept its terms with this. Listens on :443 if --listen is left out." placeholder:"NAME"`
	TLSACMEURL   string   `name:"tls-acme-url" help:"Directory of another ACME server for --tls-domain." placeholder:"URL"`
	HTTPRedirect string   `name:"http-redirect" help:"With TLS: address that redirects from HTTP to HTTPS, or none; with --tls-domain port 80, where that can be had." placeholder:"ADDR"`

	LAN              bool           `name:"lan" help:"Let the local network reach the service, and use this machine's address there for links."`
	Registration     string         `help:"Opening of accounts: open, invite or closed; what the club has decided, or closed, if left out." enum:"open,invite,closed," default:""`
	PublicURL        string         `help:"Address under which people reach the service, if not the one it listens on; https makes cookies secure." placeholder:"URL"`
	Hosts            []string       `help:"Further names under which people reach the service, such as club.example. Under others it does not answer, but for the public URL's, this machine's own and private addresses." placeholder:"NAME"`
	TrustedProxies   []string       `help:"Networks (CIDR) of reverse proxies to trust for X-Forwarded-For." placeholder:"CIDR"`
	MetricsListen    string         `help:"Address for metrics and profiles; not served without." placeholder:"ADDR"`
	Games            []string       `help:"Games or variants on offer, such as quixo or quits/duel; all if left out." placeholder:"GAME"`
	RateLimit        int            `help:"Requests a second that one address may make in the long run, an account half as many; 0 for no limit." default:"1000"`
	StreamLimit      int            `help:"Streams of events that one address may have open at once, an account a sixteenth of it; 0 for no limit." default:"500"`
	PeerAddress      string         `help:"Address at which other instances on the same PostgreSQL reach this one, for acts on games and tournaments that it owns; takes the secret that they share in QUATUOR_PEER_SECRET." placeholder:"URL"`
	SMTPURL          string         `name:"smtp-url" help:"Mail server, such as smtps://user:password@mail.example.org:465 or smtp://…:587 (STARTTLS); no e-mail is sent without. Needs --public-url and --mail-from." placeholder:"URL"`
	MailFrom         string         `help:"Sender of e-mails, such as \"Club <club@example.org>\"." placeholder:"ADDRESS"`
	WebhookNetworks  []string       `help:"Networks (CIDR) of private addresses that webhooks may lead to, by http:// too; without, they lead to public addresses by https:// alone." placeholder:"CIDR"`
	SecurityContact  []string       `help:"Where vulnerabilities are reported, in /.well-known/security.txt: e-mail addresses, or https:, mailto: and tel: addresses; without, there is no such file." placeholder:"ADDRESS"`
	SecurityPolicy   string         `help:"Page about reports of vulnerabilities, in /.well-known/security.txt." placeholder:"URL"`
	Site             string         `help:"Name of the installation, shown on its pages; what the club has decided, or quatuor, if left out."`
	Logo             string         `help:"Picture of the club for its home page, player cards and badges: a PNG or JPEG file of up to 64 KiB." type:"path" placeholder:"FILE"`
	BackupAt         backups.Moment `help:"Time of day, in the club's zone, at which a backup is made, or off." default:"04:00" placeholder:"HH:MM"`
	backupFolder     `embed:""`
	BackupKeepDaily  int    `help:"Days with a backup of which one is kept." default:"7" placeholder:"N"`
	BackupKeepWeekly int    `help:"Weeks with a backup of which one is kept." default:"4" placeholder:"N"`
	BackupCommand    string `help:"Command for the system's shell after each backup, such as one that takes it to another machine; its path is in QUATUOR_BACKUP_FILE." placeholder:"COMMAND"`
	Design           bool   `help:"Serve /design, which shows every component of the pages." hidden:""`

	logging `embed:""`
}

// peerSecret is the variable with the secret that instances share. It has no flag: others on the machine see a
// process's arguments.
const peerSecret = "QUATUOR_PEER_SECRET"

// adapt is nil, but in the tests' program, where a hash of a password costs next to nothing, and the clock can be moved.
var adapt func(*app.Config)

// config returns the flags as plain configuration.
func (c serveCmd) config(logger *slog.Logger) app.Config {
	config := app.Config{
		Storage: c.plain(), Listen: c.Listen, LAN: c.LAN,
		TLS: app.TLS{
			Cert: c.TLSCert, Key: c.TLSKey, Domains: c.TLSDomain, ACMEURL: c.TLSACMEURL, Redirect: c.HTTPRedirect,
		},
		Registration: c.Registration, PublicURL: c.PublicURL,
		Hosts: c.Hosts, TrustedProxies: c.TrustedProxies, MetricsListen: c.MetricsListen, Games: c.Games,
		RateLimit: c.RateLimit, StreamLimit: c.StreamLimit, Site: c.Site, Logo: c.Logo, Design: c.Design, PeerAddress: c.PeerAddress,
		Backups: app.BackupConfig{
			Dir: c.BackupDir, At: c.BackupAt, Daily: c.BackupKeepDaily, Weekly: c.BackupKeepWeekly, Command: c.BackupCommand,
		},
		PeerSecret: os.Getenv(peerSecret), SMTPURL: c.SMTPURL, MailFrom: c.MailFrom, SecurityContact: c.SecurityContact, SecurityPolicy: c.SecurityPolicy,
		HookNetworks: c.WebhookNetworks, Logger: logger,
	}
	if adapt != nil {
		adapt(&config)
	}
	return config
}

// Run serves until interrupted, then answers the requests in flight and stops.
func (c serveCmd) Run(ctx context.Context, s streams) error {
	app.RelaxGC()
	logger, flush := c.logger(s)
	defer flush()
	a, err := app.New(ctx, c.config(logger))
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Listen(ctx); err != nil {
		return err
	}
	fmt.Fprintf(s.Out, "quatuor%s%s\n%s%s", harness.ListeningOn, a.URL(), a.Notice(), a.Summary(ctx))
	if err := c.greet(ctx, a, s); err != nil {
		return err
	}
	return a.Run(ctx)
}

// greet shows the operator how to set up an installation without an admin: its set-up address, with a QR code on a
// terminal.
func (c serveCmd) greet(ctx context.Context, a *app.App, s streams) error {
	address, err := a.SetupURL(ctx)
	if err != nil || address == "" {
		return err
	}
	fmt.Fprintf(s.Out, "There is no admin yet. Set the service up at this address, which works once:\n\n    %s\n\n",
		address)
	if out, ok := s.Out.(*terminal.Screen); ok && out.Terminal() != nil {
		drawn, err := qrcode.Text(address)
		if err != nil {
			return err
		}
		fmt.Fprintln(s.Out, drawn)
	}
	fmt.Fprintln(s.Out, "Or stop it and make the organiser's account with: quatuor admin create --login NAME")
	return nil
}
