package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// certificateInterval is the time between reads of the files of a certificate.
const certificateInterval = 10 * time.Second

// certificateFiles are a certificate and its key in two files, which are read again when they change.
type certificateFiles struct {
	cert, key string
	served    [2][]byte // contents of the current files
	current   atomic.Pointer[tls.Certificate]
}

// newFileCertificates returns the certificate of two files. At the start, for want of another, it serves even a
// certificate that is not in force.
func newFileCertificates(t TLS, logger *slog.Logger) (*certificates, error) {
	files := &certificateFiles{cert: t.Cert, key: t.Key}
	first, err := files.load()
	if err != nil {
		return nil, UsageErrorf("--tls-cert and --tls-key: %v", err)
	}
	c := &certificates{
		config: newTLSConfig(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return files.current.Load(), nil }),
		names:  first.Leaf.DNSNames, interval: certificateInterval, logger: logger,
	}
	c.served(first)
	if err := inForce(first); err != nil {
		logger.Warn("browsers refuse the certificate", "error", err)
	}
	c.refresh = func() error {
		next, err := files.load(inForce)
		if next != nil {
			c.served(next)
		}
		return err
	}
	return c, nil
}

// load makes the files' pair current if it passes the checks; otherwise the previous pair stays. It returns nil where
// the files have not changed.
func (f *certificateFiles) load(checks ...func(*tls.Certificate) error) (*tls.Certificate, error) {
	var read [2][]byte
	for i, file := range []string{f.cert, f.key} {
		var err error
		if read[i], err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	if bytes.Equal(read[0], f.served[0]) && bytes.Equal(read[1], f.served[1]) {
		return nil, nil //nolint:nilnil // nothing new is no error
	}
	pair, err := tls.X509KeyPair(read[0], read[1])
	if err != nil {
		return nil, fmt.Errorf("%s and %s are no pair: %w", f.cert, f.key, err)
	}
	for _, check := range checks {
		if err := check(&pair); err != nil {
			return nil, fmt.Errorf("%s: %w", f.cert, err)
		}
	}
	f.served = read
	f.current.Store(&pair)
	return &pair, nil
}

// inForce returns why a certificate is not valid now.
func inForce(c *tls.Certificate) error {
	switch now := time.Now(); {
	case now.Before(c.Leaf.NotBefore):
		return fmt.Errorf("the certificate is not valid before %s", c.Leaf.NotBefore.Format(time.RFC3339))
	case now.After(c.Leaf.NotAfter):
		return fmt.Errorf("the certificate expired %s", c.Leaf.NotAfter.Format(time.RFC3339))
	}
	return nil
}

const (
	// acmeInterval is the time between requests for a missing certificate: Let's Encrypt takes five failed attempts an
	// hour.
	acmeInterval = 15 * time.Minute
	// acmeFolder in the data folder holds the certificates, their keys, and the account at the ACME server.
	acmeFolder = "certificates"
)

// newACMECertificates returns certificates that an ACME server issues for the domains, renewed in good time.
func newACMECertificates(t TLS, data string, logger *slog.Logger) *certificates {
	allowed := autocert.HostWhitelist(t.Domains...)
	manager := &autocert.Manager{
		Prompt: autocert.AcceptTOS, Cache: autocert.DirCache(filepath.Join(data, acmeFolder)),
		HostPolicy: func(ctx context.Context, host string) error { // of HTTP, with a port where that is not 80
			if name, _, err := net.SplitHostPort(host); err == nil {
				host = name
			}
			return allowed(ctx, host)
		},
	}
	if t.ACMEURL != "" {
		manager.Client = &acme.Client{DirectoryURL: t.ACMEURL}
	}
	c := &certificates{
		config: newTLSConfig(manager.GetCertificate, acme.ALPNProto), handler: manager.HTTPHandler, names: t.Domains,
		interval: acmeInterval, logger: logger,
	}
	c.refresh = func() (err error) {
		var all []*tls.Certificate
		for _, domain := range t.Domains {
			found, e := manager.GetCertificate(browserHello(domain))
			if e == nil {
				all, e = append(all, found), overdue(found)
			}
			if e != nil {
				err = errors.Join(err, fmt.Errorf("%s: %w", domain, e))
			}
		}
		if len(all) > 0 {
			c.served(all...)
		}
		return err
	}
	return c
}

// browserHello returns the part of a browser's handshake that determines the kind of certificate.
func browserHello(domain string) *tls.ClientHelloInfo {
	return &tls.ClientHelloInfo{
		ServerName: domain, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
	}
}

// overdue reports a certificate with less than a quarter of its time left. It is renewed in the background when a third
// or 30 days are left, and why that fails is not known here.
func overdue(c *tls.Certificate) error {
	whole := c.Leaf.NotAfter.Sub(c.Leaf.NotBefore)
	if left := time.Until(c.Leaf.NotAfter); left < min(whole/4, 25*24*time.Hour) {
		return fmt.Errorf("it should have been renewed by now and expires %s; the ACME server must reach this machine "+
			"under that name at port 443 or 80", c.Leaf.NotAfter.Format(time.RFC3339))
	}
	return nil
}
