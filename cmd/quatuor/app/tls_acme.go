package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

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
