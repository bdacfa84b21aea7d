package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"quatuor/api/mail"
	"quatuor/tournament/account"
)

// mailbox is a mail server with TLS and a password, which takes every e-mail unless refuse is set.
type mailbox struct {
	t       testing.TB
	address string
	roots   *x509.CertPool
	cert    tls.Certificate
	server  *smtp.Server
	serving sync.WaitGroup
	got     chan received
	changed chan struct{} // the service has stored something since it was read

	mu     sync.Mutex
	refuse func(to string) error // nil for none
	hang   chan struct{}         // while it is set and open, nothing is answered after the recipient
}

// received is an e-mail as it came.
type received struct {
	to         string
	header     netmail.Header
	text, html string
}

// newMailbox starts a mail server on a free port.
func newMailbox(t testing.TB) *mailbox {
	t.Helper()
	web := httptest.NewTLSServer(nil) // it has a certificate for 127.0.0.1
	cert, roots := web.TLS.Certificates[0], x509.NewCertPool()
	roots.AddCert(web.Certificate())
	web.Close()
	m := &mailbox{t: t, address: "127.0.0.1:0", roots: roots, cert: cert, got: make(chan received, 1000), changed: make(chan struct{}, 1)}
	m.start()
	t.Cleanup(m.stop)
	return m
}

func (m *mailbox) start() {
	listener, err := tls.Listen("tcp", m.address, &tls.Config{Certificates: []tls.Certificate{m.cert}})
	if err != nil {
		m.t.Fatal(err)
	}
	m.address = listener.Addr().String()
	m.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{box: m}, nil }))
	m.server.Domain = "127.0.0.1"
	server := m.server
	m.serving.Go(func() {
		if err := server.Serve(listener); err != nil && !errors.Is(err, smtp.ErrServerClosed) && !errors.Is(err, net.ErrClosed) {
			m.t.Error(err)
		}
	})
}

func (m *mailbox) stop() {
	_ = m.server.Close()
	m.serving.Wait()
}

func (m *mailbox) set(refuse func(string) error, hang chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuse, m.hang = refuse, hang
}

// mailSession is a connection to a mailbox.
type mailSession struct {
	box   *mailbox
	known bool
	to    string
}

func (*mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, pass string) error {
		if user != "club" || pass != "se:cret" {
			return smtp.ErrAuthFailed
		}
		s.known = true
		return nil
	}), nil
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.box.mu.Lock()
	refuse, hang := s.box.refuse, s.box.hang
	s.box.mu.Unlock()
	if hang != nil {
		<-hang
	}
	s.to = to
	if refuse != nil {
		return refuse(to)
	}
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	m, err := netmail.ReadMessage(r)
	if err != nil {
		return err
	}
	got := received{to: s.to, header: m.Header}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		body := io.Reader(part)
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			body = quotedprintable.NewReader(part)
		}
		var text bytes.Buffer
		if _, err := text.ReadFrom(body); err != nil {
			return err
		}
		if strings.HasPrefix(part.Header.Get("Content-Type"), "text/html") {
			got.html = text.String()
		} else {
			got.text = strings.ReplaceAll(text.String(), "\r\n", "\n")
		}
	}
	s.box.got <- got
	return nil
}

func (*mailSession) Reset() {}

func (*mailSession) Logout() error { return nil }

// mailPatience is the longest wait of a test for an e-mail.
const mailPatience = 30 * time.Second

// next returns the next e-mail.
func (m *mailbox) next() received {
	m.t.Helper()
	select {
	case got := <-m.got:
		return got
	case <-time.After(mailPatience):
		m.t.Fatal("no e-mail has come")
		return received{}
	}
}

// mailChanges is a store of e-mail that signals when an e-mail leaves the queue or a failure is stored.
type mailChanges struct {
	mail.Store
	changed chan<- struct{}
}

func (c mailChanges) Done(ctx context.Context, id string) error {
	defer c.signal()
	return c.Store.Done(ctx, id)
}

func (c mailChanges) Forgotten(ctx context.Context, asked account.Mail, now, before int64) error {
	defer c.signal()
	return c.Store.Forgotten(ctx, asked, now, before)
}

func (c mailChanges) SetError(ctx context.Context, text string, at int64) error {
	defer c.signal()
	return c.Store.SetError(ctx, text, at)
}

func (c mailChanges) signal() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// waitEmpty returns when no e-mail waits any more.
func (m *mailbox) waitEmpty(a *App) {
	m.t.Helper()
	m.waitFor(a, func(s account.MailState) bool { return s.Waiting == 0 })
}

// waitError returns when a failure is stored.
func (m *mailbox) waitError(a *App) {
	m.t.Helper()
	m.waitFor(a, func(s account.MailState) bool { return s.Error != "" })
}

func (m *mailbox) waitFor(a *App, is func(account.MailState) bool) {
	m.t.Helper()
	late := time.After(mailPatience)
	for {
		state, err := a.Store.Mail().State(m.t.Context())
		if err != nil {
			m.t.Fatal(err)
		}
		if is(state) {
			return
		}
		select {
		case <-m.changed:
		case <-late:
			m.t.Fatalf("%+v", state)
		}
	}
}

// subject returns the decoded subject.
func (r received) subject() string {
	text, _ := new(mime.WordDecoder).DecodeHeader(r.header.Get("Subject"))
	return text
}

var linkForm = regexp.MustCompile(`https?://\S+`)

// path returns the path of the first link, which must lead to the public URL.
func (r received) path(t testing.TB) string {
	t.Helper()
	for _, link := range linkForm.FindAllString(r.text, -1) {
		if !strings.HasPrefix(link, mailURL+"/") {
			t.Errorf("a link leads to %s", link)
		}
	}
	path, found := strings.CutPrefix(linkForm.FindString(r.text), mailURL)
	if !found {
		t.Fatalf("no link in %q", r.text)
	}
	if !strings.Contains(r.html, "<a href=") || !strings.Contains(r.html, mailURL+strings.ReplaceAll(path, "&", "&amp;")) {
		t.Errorf("the HTML has another link: %s", r.html)
	}
	return path
}

// lockedLog is a log that can be read while it is written.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
