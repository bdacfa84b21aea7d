package app

import (
	"errors"
	"strings"
	"testing"
)

// TestPeersAreChecked: what would keep instances apart is refused before anything is opened, without printing the
// secret.
func TestPeersAreChecked(t *testing.T) {
	const dsn, address, secret = "postgres://db.example/quatuor", "http://10.0.0.2:8080",
		"0123456789abcdef0123456789abcdef"
	for _, tt := range []struct{ database, address, secret, wrong string }{
		{"", "", "", ""},
		{dsn, "", "", ""},
		{dsn, address, secret, ""},
		{dsn, "https://quatuor-2.example:443/", secret, ""},
		{dsn, "http://[fd00::2]:8080", secret, ""},
		{"", address, secret, "with SQLite there is one alone"},
		{"", address, "", "with SQLite there is one alone"},
		{"", "", secret, "with SQLite there is one alone"},
		{dsn, address, "", "--peer-address needs QUATUOR_PEER_SECRET"},
		{dsn, "", secret, "QUATUOR_PEER_SECRET needs --peer-address"},
		{dsn, address, secret[:31], "at least 32 characters"},
		{dsn, "10.0.0.2:8080", secret, "must look like http://10.0.0.2:8080"},
		{dsn, "http://10.0.0.2", secret, "must look like"},
		{dsn, "http://:8080", secret, "must look like"},
		{dsn, "ftp://10.0.0.2:21", secret, "must look like"},
		{dsn, "http://ada:word@10.0.0.2:8080", secret, "must look like"},
		{dsn, "http://10.0.0.2:8080/quatuor", secret, "must look like"},
		{dsn, "http://10.0.0.2:8080?x", secret, "must look like"},
		{dsn, "http://10.0.0.2:8080#x", secret, "must look like"},
		{dsn, "http://10.0.0.2:8080\n", secret, "must look like"},
	} {
		c := Config{Storage: Storage{Database: tt.database}, PeerAddress: tt.address, PeerSecret: tt.secret}
		err := c.check()
		var usage *UsageError
		switch {
		case tt.wrong == "" && err != nil:
			t.Errorf("%+v is refused: %v", tt, err)
		case tt.wrong == "":
		case !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.wrong):
			t.Errorf("%+v: %v, want %q", tt, err, tt.wrong)
		case tt.secret != "" && strings.Contains(err.Error(), tt.secret[:10]):
			t.Errorf("%+v: the secret is said: %v", tt, err)
		}
	}
}
