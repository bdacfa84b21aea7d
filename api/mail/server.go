package mail

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	gomail "github.com/wneessen/go-mail"
)

// Server is the mail server through which e-mails are sent.
type Server struct {
	host       string
	port       int
	implicit   bool // TLS from the first byte
	local      bool // this machine: without TLS
	user, pass string
	from       *netmail.Address

	TLS     *tls.Config   // nil for the system's certificates
	Timeout time.Duration // of connecting, and of sending an e-mail; 0 is 20 seconds
}

// NewServer returns the server with an address smtps://user:pass@host:465 or smtp://user:pass@host:587, which sends
// from a sender like "Club <club@example.org>". Its errors repeat no password.
func NewServer(address, sender string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "smtps" && u.Scheme != "smtp") || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("it must look like smtps://user:password@mail.example.org:465 or smtp://mail.example.org:587; " +
			"write special characters of the password as %40 and the like")
	}
	s := &Server{host: u.Hostname(), implicit: u.Scheme == "smtps", local: isLocal(u.Hostname()), port: 587}
	if s.implicit {
		s.port = 465
	}
	if u.Port() != "" {
		if s.port, err = strconv.Atoi(u.Port()); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("its port is no port")
		}
	}
	s.user = u.User.Username()
	s.pass, _ = u.User.Password()
	s.from, err = netmail.ParseAddress(sender)
	if err != nil || !IsAddress(s.from.Address) {
		return nil, errors.New("--mail-from must be the address of the sender, such as club@example.org")
	}
	if strings.Contains(s.from.Name, "=?") || strings.ContainsFunc(s.from.Name, unicode.IsControl) {
		return nil, errors.New("the name in --mail-from must be one line of text without =?, which mail programs would decode")
	}
	return s, nil
}

// isLocal reports whether a host is this machine.
func isLocal(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// addressForm is that of HTML's fields for e-mail addresses, without the forms that need quotes.
var addressForm = regexp.MustCompile(`^[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_{|}~-]+)*@` +
	`[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$`)

// IsAddress reports whether a text is an e-mail address: up to 254 letters, digits and signs that mean nothing in a
// header.
func IsAddress(text string) bool {
	return len(text) <= 254 && strings.LastIndexByte(text, '@') <= 64 && addressForm.MatchString(text)
}

// client returns a client of the server that is not connected yet.
func (s *Server) client() (*gomail.Client, error) {
	timeout := s.Timeout
	if timeout == 0 {
		timeout = 20 * time.Second
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.TLS != nil {
		config = s.TLS.Clone()
	}
	config.ServerName = s.host
	policy := gomail.TLSMandatory
	if s.local {
		policy = gomail.NoTLS
	}
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTimeout(timeout), gomail.WithTLSConfig(config), gomail.WithTLSPolicy(policy),
		gomail.WithoutNoop(),
	}
	if s.implicit {
		options = append(options, gomail.WithSSL())
	}
	if s.user != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(s.user),
			gomail.WithPassword(s.pass))
	}
	return gomail.NewClient(s.host, options...)
}

// connect connects to the server.
func (s *Server) connect(ctx context.Context) (*gomail.Client, error) {
	c, err := s.client()
	if err != nil {
		return nil, err
	}
	if err := c.DialWithContext(ctx); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// letter is an e-mail ready to be sent.
type letter struct {
	to, subject, text, html, language string
	off                               string // address of the click to unsubscribe; "" for none
}

// maxEncoded is the number of bytes in an encoded word, which has up to 75 characters (RFC 2047, section 2).
const maxEncoded = 45

// headerText returns a text as a header shows it literally. Control characters become spaces. The client's encoder
// leaves printable ASCII as it is, so that a reader would decode a typed text that looks like an encoded word,
// "=?utf-8?q?Reset?="; a text with the beginning of an encoded word is encoded as a whole.
func headerText(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if !strings.Contains(text, "=?") {
		return text
	}
	var words []string
	for text != "" {
		n := min(len(text), maxEncoded)
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n--
		}
		words = append(words, "=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(text[:n]))+"?=")
		text = text[n:]
	}
	return strings.Join(words, " ")
}

// message returns a letter as a message with an id.
func (s *Server) message(l letter, id string, at time.Time) (*gomail.Msg, error) {
	m := gomail.NewMsg()
	m.FromMailAddress(s.from)
	if err := m.To(l.to); err != nil {
		return nil, err
	}
	m.Subject(headerText(l.subject))
	m.SetDateWithValue(at)
	m.SetMessageIDWithValue(id + "@" + s.from.Address[strings.LastIndexByte(s.from.Address, '@')+1:])
	m.SetGenHeader("Content-Language", l.language)
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	if l.off != "" {
		m.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribe, "<"+l.off+">")
		m.SetGenHeaderPreformatted(gomail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	m.SetBodyString(gomail.TypeTextPlain, l.text)
	m.AddAlternativeString(gomail.TypeTextHTML, l.html)
	return m, nil
}

// outcome is the result of an attempt to send an e-mail.
type outcome int8

const (
	sent    outcome = iota
	refused         // for good
	delayed         // by the server, for this e-mail
	down            // the server does not work
)

// judge returns the outcome of an attempt, and a note about it: the server's codes but not its words, which may have
// the recipient's address in them.
func judge(err error) (outcome, string) {
	var failed *gomail.SendError
	switch {
	case err == nil:
		return sent, ""
	case errors.As(err, &failed) && failed.Reason == gomail.ErrSMTPReset: // after it was taken
		return sent, ""
	case errors.As(err, &failed) && failed.ErrorCode() >= 400:
		text := strings.TrimSpace(fmt.Sprint(failed.ErrorCode(), " ", failed.EnhancedStatusCode()))
		if failed.Reason == gomail.ErrSMTPMailFrom { // the sender: no other e-mail is taken either
			return down, "the mail server refuses the sender (" + text + ")"
		}
		if failed.IsTemp() {
			return delayed, "the mail server does not take an e-mail yet (" + text + ")"
		}
		return refused, "the mail server refuses an e-mail (" + text + ")"
	case errors.As(err, &failed):
		return down, "the connection to the mail server broke"
	}
	return down, "the mail server does not answer: " + strings.Join(strings.Fields(err.Error()), " ")
}
