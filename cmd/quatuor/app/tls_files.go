package app

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
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
