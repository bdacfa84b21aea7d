package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"net"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"quatuor/tournament/account"
)

// taker takes e-mails; refuse is by recipient.
type taker struct {
	sender error
	refuse map[string]error
	texts  chan string
}

func (b *taker) Reset() {}

func (b *taker) Logout() error { return nil }

func (b *taker) Mail(string, *smtp.MailOptions) error { return b.sender }

func (b *taker) Rcpt(to string, _ *smtp.RcptOptions) error { return b.refuse[to] }

func (b *taker) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	b.texts <- string(text)
	return err
}

// serve starts a mail server, and returns a client that takes it for a server on another machine.
func serve(t *testing.T, b *taker, offersTLS bool) *Server {
	t.Helper()
	web := httptest.NewTLSServer(nil) // it has a certificate for 127.0.0.1
	defer web.Close()
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return b, nil }))
	server.Domain = "127.0.0.1"
	if offersTLS {
		server.TLSConfig = &tls.Config{Certificates: web.TLS.Certificates, MinVersion: tls.VersionTLS12}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
	})
	s, err := NewServer("smtp://"+listener.Addr().String(), "club@club.example")
	if err != nil {
		t.Fatal(err)
	}
	s.TLS, s.Timeout = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, 5*time.Second
	if !s.local {
		t.Error("127.0.0.1 is not taken for this machine")
	}
	s.local = false
	return s
}

func send(t *testing.T, s *Server, to string) error {
	t.Helper()
	conn, err := s.connect(t.Context())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	m, err := s.message(letter{
		to: to, subject: "a\r\nBcc: eve@x.example", text: "text", html: "<p>text", language: "en", off: "https://club.example/off",
	}, "id", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return conn.Send(m)
}

// TestStartTLSIsDemanded: nothing is sent in the clear to another machine, or to a machine with a certificate of
// another authority.
func TestStartTLSIsDemanded(t *testing.T) {
	b := &taker{texts: make(chan string, 10)}
	if err := send(t, serve(t, b, false), "ada@x.example"); err == nil {
		t.Error("sent in the clear")
	}
	s := serve(t, b, true)
	s.TLS = nil
	if err := send(t, s, "ada@x.example"); err == nil {
		t.Error("sent to an unknown certificate")
	}
	if len(b.texts) != 0 {
		t.Fatal("something was sent")
	}
	if err := send(t, serve(t, b, true), "ada@x.example"); err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(<-b.texts, "\r\n\r\n")
	for line := range strings.SplitSeq(header, "\r\n") {
		if strings.HasPrefix(strings.ToLower(line), "bcc") {
			t.Errorf("a subject begins another header: %s", header)
		}
	}
	if !strings.Contains(header, "<id@club.example>") || !strings.Contains(header, "<https://club.example/off>") {
		t.Error(header)
	}
}

// TestEncodedWordsStayText: a reader's mail program shows a subject as it was written, typed encoded words included,
// and finds no other header in it.
func TestEncodedWordsStayText(t *testing.T) {
	s, err := NewServer("smtps://mail.club.example", "Club <club@club.example>")
	if err != nil {
		t.Fatal(err)
	}
	spoken := strings.Repeat("Größe =?utf-8?b?", 20)
	for _, c := range []struct{ subject, want string }{
		{"Cup: round 1", "Cup: round 1"},
		{"Schachklub Süd: Runde 1", "Schachklub Süd: Runde 1"},
		{"Cup: =?utf-8?q?Your_password?=", "Cup: =?utf-8?q?Your_password?="},
		{"=?UTF-8?B?WW91ciBwYXNzd29yZA==?= ü", "=?UTF-8?B?WW91ciBwYXNzd29yZA==?= ü"},
		{"=?utf-8?q?a?==?utf-8?q?b?=", "=?utf-8?q?a?==?utf-8?q?b?="},
		{spoken, spoken},
		{"=?utf-8?q?a?=\r\nBcc: eve@x.example", "=?utf-8?q?a?=  Bcc: eve@x.example"},
		{"a\r\nBcc: eve@x.example\x00", "a  Bcc: eve@x.example "},
		{strings.Repeat("\x80=?", 60), strings.Repeat("\uFFFD=?", 60)},
	} {
		m, err := s.message(letter{to: "ada@x.example", subject: c.subject, text: "text", language: "en"}, "id", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		var raw bytes.Buffer
		if _, err := m.WriteTo(&raw); err != nil {
			t.Fatal(err)
		}
		read, err := mail.ReadMessage(&raw)
		if err != nil {
			t.Fatalf("%q: %v", c.subject, err)
		}
		shown, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
		if err != nil || strings.TrimSpace(shown) != strings.TrimSpace(c.want) || read.Header.Get("Bcc") != "" {
			t.Errorf("%q is shown as %q: %v", c.subject, shown, err)
		}
	}
}

// TestNamesOfSenders: the display name of the sender is shown as it is configured, or refused.
func TestNamesOfSenders(t *testing.T) {
	for sender, ok := range map[string]bool{
		"club@club.example":                               true,
		"Chess Club <club@club.example>":                  true,
		"=?utf-8?q?Schachklub_S=C3=BCd?= <c@x.example>":   true, // its decoded name is sent
		`"=?utf-8?q?Your_bank?=" <club@club.example>`:     false,
		"=?utf-8?q?=3D=3Futf-8=3Fq=3Fa=3F=3D?= <c@x.org>": false,
		"=?utf-8?q?a=0D=0ABcc:_eve?= <club@club.example>": false,
	} {
		if _, err := NewServer("smtps://mail.club.example", sender); (err == nil) != ok {
			t.Errorf("%s: %v", sender, err)
		}
	}
}

// TestOffLinks: links turn off news without a login, and nothing that an account needs.
func TestOffLinks(t *testing.T) {
	s := New(Config{Store: keyOnly{}, People: anna{}, Now: time.Now})
	for _, k := range append(account.MailChoices(), account.MailConfirm, account.MailTest, account.MailHook) {
		want := slices.Contains(account.MailChoices(), k) && k != account.MailReset
		d := &draft{Printer: s.texts.Match("en", "en"), subject: "subject", paragraphs: []string{"text"}, kind: k}
		l, err := s.finish(t.Context(), d, account.Mail{Kind: k, AccountID: "anna"}, account.MailAddress{Address: "ada@x.example"})
		if err != nil {
			t.Fatal(err)
		}
		in := strings.Contains(l.text+l.html, "/mail/off")
		if (l.off != "") != want || in != want {
			t.Errorf("an e-mail of kind %s has the link %q: %s", k, l.off, l.text)
		}
		_, turned, err := s.Unsubscribe(t.Context(), offToken([]byte("key"), "anna", k)) // of an e-mail sent earlier
		if want && (err != nil || turned != k) || !want && !errors.Is(err, account.ErrNotFound) {
			t.Errorf("the link of kind %s turns %s off: %v", k, turned, err)
		}
	}
}

// keyOnly is a store with a key and nothing else; kinds can be turned off.
type keyOnly struct{ Store }

func (keyOnly) Secret(context.Context) ([]byte, error) { return []byte("key"), nil }

func (keyOnly) SetOff(context.Context, string, func([]account.MailKind) []account.MailKind) error {
	return nil
}

// anna owns every account.
type anna struct{ People }

func (anna) Account(context.Context, string) (account.Account, error) {
	return account.Account{ID: "anna", Login: "anna"}, nil
}

// TestJudge: what the server answers decides what becomes of an e-mail; its words, which have the address, are not kept.
func TestJudge(t *testing.T) {
	refusal := func(code int, enhanced smtp.EnhancedCode) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "about ada@x.example"}
	}
	for _, c := range []struct {
		name     string
		sender   error
		receiver error
		want     outcome
		codes    string
	}{
		{"taken", nil, nil, sent, ""},
		{"unknown", nil, refusal(550, smtp.EnhancedCode{5, 1, 1}), refused, "550 5.1.1"},
		{"busy", nil, refusal(450, smtp.EnhancedCode{4, 2, 1}), delayed, "450 4.2.1"},
		{"sender", refusal(553, smtp.EnhancedCode{5, 7, 1}), nil, down, "553 5.7.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &taker{sender: c.sender, refuse: map[string]error{"ada@x.example": c.receiver}, texts: make(chan string, 1)}
			how, text := judge(send(t, serve(t, b, true), "ada@x.example"))
			if how != c.want || !strings.Contains(text, c.codes) || strings.Contains(text, "ada") {
				t.Errorf("%d %q", how, text)
			}
		})
	}
	if how, _ := judge(errors.New("connection refused")); how != down {
		t.Errorf("%d", how)
	}
}

// TestIsAddress: nothing that is taken for an address means anything in a header or a command.
func TestIsAddress(t *testing.T) {
	for _, good := range []string{"ada@x.example", "Ada.O'Neil+club@mail.x-y.example", "a@localhost"} {
		if !IsAddress(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "ada", "@x.example", "ada@", "ada@x..example", "a@b@c", "ada @x.example", "ada@x.example\r\nBcc: eve@x.example",
		"ada@x.example>", "<ada@x.example>", `"ada"@x.example`, "ada@x.example,eve@x.example", "ada@[127.0.0.1]", "ädä@x.example",
		"ada@x.example\x00", strings.Repeat("a", 65) + "@x.example", "a@" + strings.Repeat("x.", 130) + "example", ".a@x.example",
	} {
		if IsAddress(bad) {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestLimitsOfAnAddress: an address that is not confirmed gets three e-mails at once, and then an e-mail an hour.
func TestLimitsOfAnAddress(t *testing.T) {
	now := time.Now()
	s := New(Config{Store: unused{}, Now: func() time.Time { return now }})
	confirm := s.limiter(account.MailConfirm)
	for range 3 {
		if v := confirm.Take("ada@x.example"); !v.OK {
			t.Fatalf("%+v", v)
		}
	}
	if v := confirm.Take("ada@x.example"); v.OK || v.RetryIn != time.Hour {
		t.Errorf("the fourth: %+v", v)
	}
	if v := s.limiter(account.MailRound).Take("ada@x.example"); !v.OK {
		t.Errorf("another kind: %+v", v)
	}
	now = now.Add(time.Hour)
	if v := confirm.Take("ada@x.example"); !v.OK {
		t.Errorf("an hour later: %+v", v)
	}
}

// unused is a store that nothing is stored in.
type unused struct{ Store }
