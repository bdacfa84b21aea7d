package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestTheSecretOfInstances is read from the environment alone, checked before anything is opened, and shown nowhere.
func TestTheSecretOfInstances(t *testing.T) {
	const dsn = "--database=postgres://nowhere.invalid/quatuor"
	for _, tt := range []struct{ secret, args, want string }{
		{"short-secret", "serve " + dsn + " --peer-address http://10.0.0.2:8080", "QUATUOR_PEER_SECRET is too short"},
		{"", "serve " + dsn + " --peer-address http://10.0.0.2:8080", "needs QUATUOR_PEER_SECRET in the environment"},
		{"short-secret", "serve " + dsn, "QUATUOR_PEER_SECRET needs --peer-address"},
		{"short-secret", "serve --data " + t.TempDir(), "with SQLite there is one alone"},
		{"short-secret", "serve " + dsn + " --peer-secret short-secret", "unknown flag --peer-secret"},
		{"short-secret", "serve --help", "--peer-address"},
	} {
		t.Setenv("QUATUOR_PEER_SECRET", tt.secret)
		var out, errs bytes.Buffer
		status := run(strings.Fields(tt.args), strings.NewReader(""), &out, &errs)
		output := out.String() + errs.String()
		if wantOK := strings.HasSuffix(tt.args, "--help"); (status == exitOK) != wantOK || !wantOK && status != exitUsage ||
			!strings.Contains(output, tt.want) {
			t.Errorf("%s: status %d: %s", tt.args, status, output)
		}
		if strings.Contains(output, "short-secret") {
			t.Errorf("%s shows the secret: %s", tt.args, output)
		}
	}
}
