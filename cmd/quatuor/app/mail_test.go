package app

import (
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"quatuor/api/auth"
	"quatuor/api/mail"
	"quatuor/cmd/quatuor/harness"
	"quatuor/store/dbtest"
	"quatuor/tournament/account"
)

const mailURL = "http://club.example"

// withMail configures e-mail by a mailbox, with short intervals.
func (m *mailbox) withMail(c *Config) {
	c.SMTPURL = "smtps://club:se%3Acret@" + m.address
	c.MailFrom = "Chess Club <club@club.example>"
	c.PublicURL = mailURL
	c.AdaptMail = func(c *mail.Config) {
		c.Every, c.Store = 20*time.Millisecond, mailChanges{c.Store, m.changed}
		c.Server.TLS, c.Server.Timeout = &tls.Config{RootCAs: m.roots, MinVersion: tls.VersionTLS12}, 2*time.Second
	}
}

// mailApp runs the program with a mailbox.
func mailApp(t *testing.T, change func(*Config)) (*App, *mailbox) {
	t.Helper()
	box := newMailbox(t)
	c := Config{
		Storage: newData(t), Listen: "127.0.0.1:0", Registration: "open", Logger: slog.New(slog.DiscardHandler),
		AdaptAuth: func(c *auth.Config) { c.PasswordCost, c.Limits = cheap, auth.Limits{} },
	}
	box.withMail(&c)
	if change != nil {
		change(&c)
	}
	a, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	setUp(t, a)
	t.Cleanup(runs(t, a))
	return a, box
}

// reader is a browser.
type reader struct {
	t    testing.TB
	base string
	http *http.Client
}

func newReader(t testing.TB, a *App) *reader {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &reader{t, a.URL(), &http.Client{
		Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// do sends a form, or requests a page without a form, and returns status, target and text.
func (r *reader) do(path string, form ...string) string {
	r.t.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		values := url.Values{}
		for i := 0; i+1 < len(form); i += 2 {
			values.Add(form[i], form[i+1])
		}
		method, body = http.MethodPost, values.Encode()
	}
	request, err := http.NewRequestWithContext(r.t.Context(), method, r.base+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "text/html")
	answer, err := r.http.Do(request)
	if err != nil {
		r.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprintln(answer.StatusCode, answer.Header.Get("Location")) + string(text)
}

// want fails unless an answer begins with a status and has a text.
func (r *reader) want(answer, status, text string) {
	r.t.Helper()
	if !strings.HasPrefix(answer, status) || !strings.Contains(answer, text) {
		r.t.Fatalf("want %s and %q:\n%s", status, text, answer)
	}
}

// setAddress sets the confirmed address of an account.
func setAddress(t testing.TB, a *App, accountID, address string) {
	t.Helper()
	m := account.Mail{ID: "confirm-" + accountID, Kind: account.MailConfirm, AccountID: accountID}
	m.NextAt = time.Now().Add(time.Hour).UnixMilli()
	m.CreatedAt = time.Now().UnixMilli()
	err := a.Store.Mail().SetAddress(t.Context(), accountID, address, m)
	if err == nil {
		err = a.Store.Mail().Confirm(t.Context(), accountID, address)
	}
	if err == nil {
		err = a.Store.Mail().Done(t.Context(), m.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestMailAddress sets an address, confirms it, and gets a new password by it.
func TestMailAddress(t *testing.T) {
	t.Parallel() // it waits more than it computes
	a, box := mailApp(t, nil)
	member(t, []*App{a}, "ada")
	ada, guest := newReader(t, a), newReader(t, a)
	ada.want(ada.do("/login", "login", "ada", "password", phrase), "303", "")
	ada.want(ada.do("/me"), "200", `name="email"`)
	for _, bad := range []string{"ada", "a@b\r\nBcc: eve@x", "Ada <ada@x.example>", "a b@x.example", "ada@x.example,eve@x.example", `"a"@x`} {
		ada.want(ada.do("/me/mail", "email", bad, "current", phrase), "4", "")
	}
	ada.want(ada.do("/me/mail", "email", "ada@x.example", "current", "wrong"), "401", "")
	ada.want(ada.do("/me/mail", "email", "ada@x.example", "current", phrase), "303 /me?said=mail_confirm", "")
	got := box.next()
	if got.to != "ada@x.example" || !strings.Contains(got.header.Get("From"), "club@club.example") ||
		got.header.Get("List-Unsubscribe") != "" || len(got.header["Message-Id"]) != 1 || got.header.Get("Bcc") != "" {
		t.Errorf("%+v", got)
	}
	link := got.path(t)

	// Before the address is confirmed nothing else goes there: this e-mail would come first.
	guest.want(guest.do("/reset/mail", "who", "ada"), "303 /reset?said=mail_reset", "")
	guest.want(guest.do(link+"x"), "404", "")
	guest.want(guest.do(link), "200", "ada@x.example")
	own, err := a.Store.Mail().Address(t.Context(), accountOf(t, a, "ada"))
	if err != nil || own.Address != "" || own.Pending == "" {
		t.Fatalf("looking at the page confirms: %+v %v", own, err)
	}
	box.waitEmpty(a)
	token := strings.TrimPrefix(link, "/mail/confirm?token=")
	guest.want(guest.do("/mail/confirm", "token", token), "200", "ada@x.example")
	guest.want(guest.do("/mail/confirm", "token", token), "404", "") // used

	// Known and unknown names get the same answer, and only accounts that exist are sent an e-mail.
	known := guest.do("/reset/mail", "who", "ADA@X.example")
	for _, other := range []string{"nobody", "nobody@x.example", "a' OR 1=1 --"} {
		if answer := guest.do("/reset/mail", "who", other); answer != known {
			t.Errorf("%q is answered\n%s\nand one that exists\n%s", other, answer, known)
		}
	}
	got = box.next()
	if got.to != "ada@x.example" {
		t.Errorf("the link goes to %s", got.to)
	}
	code := strings.TrimPrefix(got.path(t), "/reset?code=")
	guest.want(guest.do("/reset", "code", code, "password", "another long pass phrase"), "303", "")
	guest.want(guest.do("/reset", "code", code, "password", "a third long pass phrase"), "422", "")
	box.waitEmpty(a)

	if got.header.Get("List-Unsubscribe")+got.header.Get("List-Unsubscribe-Post") != "" || strings.Contains(got.text, "/mail/off") {
		t.Errorf("a link turns links for a forgotten password off: %+v", got)
	}
	if len(box.got) != 0 {
		t.Errorf("another e-mail came: %+v", box.next())
	}
}

func accountOf(t testing.TB, a *App, login string) string {
	t.Helper()
	found, err := a.Store.People().AccountByLogin(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	return found.ID
}

// TestMailFlood: e-mails are limited for each form and for each address, from all senders together.
func TestMailFlood(t *testing.T) {
	t.Parallel() // it waits more than it computes
	a, box := mailApp(t, func(c *Config) {
		c.AdaptAuth = func(c *auth.Config) {
			c.PasswordCost, c.Limits = cheap, auth.Limits{Mail: auth.Rate{Interval: time.Minute, Burst: 3}}
		}
	})
	guest := newReader(t, a)
	for i := range 5 {
		want := "303"
		if i >= 3 {
			want = "429"
		}
		guest.want(guest.do("/reset/mail", "who", fmt.Sprint("guess", i)), want, "")
	}
	for i := range 5 { // of five accounts
		login := fmt.Sprint("m", i)
		member(t, []*App{a}, login)
		one := newReader(t, a)
		one.want(one.do("/login", "login", login, "password", phrase), "303", "")
		one.want(one.do("/me/mail", "email", "victim@x.example", "current", phrase), "303", "")
	}
	box.waitEmpty(a)
	if len(box.got) != 3 || a.mail.Dropped() != 2 {
		t.Errorf("%d e-mails came to one address, %d were dropped", len(box.got), a.mail.Dropped())
	}
	if answer := guest.do("/reset/mail", "who", strings.Repeat("x", 300)); !strings.HasPrefix(answer, "4") {
		t.Errorf("%s", answer)
	}
}

// TestMailNews: players are sent an e-mail when a round is published, and when it is their turn in a slow game; they
// unsubscribe with a single click.
func TestMailNews(t *testing.T) {
	t.Parallel() // it waits more than it computes
	a, box := mailApp(t, nil)
	all := []*App{a}
	ada, bob := player(t, all, "ada")[0], player(t, all, "bob")[0]
	setAddress(t, a, accountOf(t, a, "ada"), "ada@x.example")
	from, err := a.Store.People().Account(t.Context(), accountOf(t, a, "ada"))
	if err != nil {
		t.Fatal(err)
	}
	to := from
	to.Language = "de"
	if err := a.Store.People().UpdateAccount(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	var game harness.Game
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(ada.Post(t.Context(), "/games", map[string]any{
		"variant": "quixo/duel", "time_control": "3days", "start": "now",
		"seats": []map[string]string{{"player_id": ada.ID}, {"player_id": bob.ID}},
	}, &game))
	must(bob.Post(t.Context(), "/games/"+game.ID+"/accept", nil, nil))
	got := box.next()
	if got.path(t) != "/games/"+game.ID || !strings.Contains(got.text, "bob") || !strings.Contains(got.subject(), "am Zug") ||
		got.header.Get("Content-Language") != "de" {
		t.Errorf("%+v", got)
	}
	asked, err := ada.Send(t.Context(), http.MethodPatch, "/me", map[string]any{"open_to_challenges": false})
	must(err)
	must(asked.Body.Close())
	var answered harness.Game
	for _, invitation := range []*harness.Game{&answered, &game} {
		must(bob.Post(t.Context(), "/games", map[string]any{
			"variant": "quivive/duel", "time_control": "300+3",
			"seats": []map[string]string{{"player_id": bob.ID}, {"player_id": ada.ID}},
		}, invitation))
	}
	must(ada.Post(t.Context(), "/games/"+answered.ID+"/accept", nil, nil))
	invitations := func() {
		now := time.Now().UnixMilli()
		must(a.Store.Mail().QueueInvitations(t.Context(), now-60_000, now, now))
		a.mail.Wake()
	}
	invitations()
	got = box.next()
	if got.path(t) != "/games/"+game.ID || !strings.Contains(got.text, "mit bob eingeladen") {
		t.Errorf("%+v", got)
	}
	invitations()
	makeOrganiser(t, all, ada.Token)
	must(ada.Post(t.Context(), "/tournaments", map[string]any{
		"name": "Herbst\u00a0Cup", "variant": "quixo/duel", "format": "round_robin", "time_control": "300+3",
	}, &game))
	cup := "/tournaments/" + game.ID
	must(ada.Post(t.Context(), cup+"/open", nil, nil))
	must(ada.Post(t.Context(), cup+"/entries", map[string]any{"player_id": ada.ID}, nil))
	must(bob.Post(t.Context(), cup+"/entries", map[string]any{"player_id": bob.ID}, nil))
	must(ada.Post(t.Context(), cup+"/close", nil, nil))
	must(ada.Post(t.Context(), cup+"/start", nil, nil))
	must(ada.Post(t.Context(), cup+"/rounds", nil, nil))
	got = box.next()
	if got.path(t) != cup || !strings.Contains(got.text, "an Brett 1 gegen bob") || !regexp.MustCompile(`Runde 1$`).MatchString(got.subject()) {
		t.Errorf("%+v", got)
	}
	off := strings.TrimPrefix(strings.Trim(got.header.Get("List-Unsubscribe"), "<>"), mailURL)
	if got.header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || !strings.HasPrefix(off, "/mail/off?token=") {
		t.Fatalf("%q", got.header)
	}
	stranger := newReader(t, a)
	stranger.want(stranger.do(off), "200", "<button>")
	for _, other := range []string{".turn.", ".reset."} {
		forged := strings.Replace(off, ".round.", other, 1)
		stranger.want(stranger.do(forged, "List-Unsubscribe", "One-Click"), "404", "")
	}
	stranger.want(stranger.do(off[:len(off)-1], "List-Unsubscribe", "One-Click"), "404", "")
	if own, _ := a.Store.Mail().Address(t.Context(), from.ID); len(own.Off) != 0 {
		t.Errorf("turned off without a form: %v", own.Off)
	}
	stranger.want(stranger.do(off, "List-Unsubscribe", "One-Click"), "200", "")
	if own, _ := a.Store.Mail().Address(t.Context(), from.ID); !slices.Equal(own.Off, []account.MailKind{account.MailRound}) {
		t.Errorf("turned off: %v", own.Off)
	}
	for range 3 { // looked for again and again, and found no more
		must(a.Store.Mail().QueueRounds(t.Context(), 0, time.Now().UnixMilli()))
		must(a.Store.Mail().QueueTurns(t.Context(), time.Now().UnixMilli(), 0))
		invitations()
	}
	box.waitEmpty(a)
	if len(box.got) != 0 {
		t.Errorf("once more: %+v", box.next())
	}
}

// TestMailServerFails: refused recipients do not hold others up; a server that hangs or is down is tried again, and
// nothing is lost.
func TestMailServerFails(t *testing.T) {
	t.Parallel() // it waits more than it computes
	var log lockedLog
	a, box := mailApp(t, func(c *Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	all := []*App{a}
	for _, login := range []string{"ada", "bob"} {
		setAddress(t, a, member(t, all, login).ID, login+"@x.example")
	}
	test := func(login string) {
		t.Helper()
		now := time.Now().UnixMilli()
		id := fmt.Sprint(login, now, len(log.String()))
		err := a.Store.Mail().Queue(t.Context(), account.Mail{ID: id, Kind: account.MailTest, AccountID: accountOf(t, a, login), CreatedAt: now, NextAt: now})
		if err != nil {
			t.Fatal(err)
		}
		a.mail.Wake()
	}
	box.set(func(to string) error {
		if to == "ada@x.example" {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "ada@x.example is unknown"}
		}
		return nil
	}, nil)
	test("ada")
	test("bob")
	if got := box.next(); got.to != "bob@x.example" {
		t.Errorf("%+v", got)
	}
	box.waitEmpty(a)
	if a.mail.Dropped() != 1 {
		t.Errorf("%d dropped", a.mail.Dropped())
	}

	hang := make(chan struct{})
	box.set(nil, hang)
	test("ada")
	box.waitError(a)
	box.set(nil, nil)
	close(hang)
	if got := box.next(); got.to != "ada@x.example" {
		t.Errorf("%+v", got)
	}
	box.waitEmpty(a)

	box.stop()
	test("ada")
	box.waitError(a)
	test("bob")
	box.start()
	if to := []string{box.next().to, box.next().to}; to[0] == to[1] {
		t.Errorf("%v", to)
	}
	box.waitEmpty(a)
	state, err := a.Store.Mail().State(t.Context())
	if err != nil || state.Error != "" {
		t.Errorf("%+v %v", state, err)
	}
	text := log.String()
	if strings.Count(text, "e-mails cannot be sent") != 2 || strings.Contains(text, "x.example") || strings.Contains(text, "se:cret") {
		t.Errorf("%s", text)
	}
}

// TestMailOfInstances: what two instances queue is sent once each.
func TestMailOfInstances(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL")
	}
	box := newMailbox(t)
	all := instances(t, dbtest.Cluster(t, "fsync=off").Schema(t), 2, func(c *Config) { box.withMail(c) })
	setUp(t, all[0])
	const people = 20
	for i := range people {
		login := fmt.Sprint("m", i)
		id := member(t, all, login).ID
		setAddress(t, all[0], id, login+"@x.example")
		now := time.Now().UnixMilli()
		m := account.Mail{ID: login, Kind: account.MailTest, AccountID: id, CreatedAt: now, NextAt: now}
		if err := all[i%2].Store.Mail().Queue(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for range people {
		seen[box.next().header.Get("Message-Id")] = true
	}
	box.waitEmpty(all[0])
	if len(seen) != people || len(box.got) != 0 {
		t.Errorf("%d different e-mails, and %d more", len(seen), len(box.got))
	}
	for _, a := range all { // the second comes too soon after the first
		if err := a.mail.Forgotten(t.Context(), auth.Identity{}, "M0@x.example", "192.0.2.1"); err != nil {
			t.Fatal(err)
		}
	}
	code := strings.TrimPrefix(box.next().path(t), "/reset?code=")
	owner, err := all[1].Guard.ResetOwner(t.Context(), code, "192.0.2.1")
	if err != nil || owner.Login != "m0" {
		t.Errorf("%+v %v", owner, err)
	}
	box.waitEmpty(all[0])
	if len(box.got) != 0 {
		t.Errorf("once more: %+v", box.next())
	}
}

// TestMailSettings refuses what e-mail cannot be sent with, and repeats no password.
func TestMailSettings(t *testing.T) {
	good := Config{SMTPURL: "smtps://u:hidden@mail.example:465", MailFrom: "club@club.example", PublicURL: mailURL}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Config){
		func(c *Config) { c.PublicURL = "" },
		func(c *Config) { c.MailFrom = "" },
		func(c *Config) { c.MailFrom = "club@club.example\nBcc: eve@x.example" },
		func(c *Config) { c.SMTPURL = "" },
		func(c *Config) { c.SMTPURL = "https://u:hidden@mail.example" },
		func(c *Config) { c.SMTPURL = "smtp://u:hidden@mail.example:99999" },
		func(c *Config) { c.SMTPURL = "smtps://u:hidden@mail.example/%zz" },
	} {
		c := good
		change(&c)
		if err := c.check(); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q %q: %v", c.SMTPURL, c.MailFrom, err)
		}
	}
}
