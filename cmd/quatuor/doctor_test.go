package main

import (
	"bytes"
	"database/sql"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// brokenInstallation is an installation that a test damages.
type brokenInstallation struct {
	t    *testing.T
	data string
}

// examine runs the doctor and returns its lines by check, and whether its status was 0.
func (b *brokenInstallation) examine(more ...string) (lines map[string]string, sound bool, all string) {
	b.t.Helper()
	args := append([]string{"doctor", "--data", b.data}, more...)
	all, sound = quatuor(b.t, args...)
	lines = map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^(ok|look|broken) +(\w+) +(.+)$`).FindAllStringSubmatch(all, -1) {
		lines[m[2]] = m[1] + ": " + m[3]
	}
	return lines, sound, all
}

// demand demands a verdict on a check, with a text, and a status that goes with it.
func (b *brokenInstallation) demand(fault, check, want string, more ...string) {
	b.t.Helper()
	lines, sound, all := b.examine(more...)
	verdict, text, _ := strings.Cut(want, ": ")
	if line := lines[check]; !strings.HasPrefix(line, verdict+": ") || !strings.Contains(line, text) {
		b.t.Errorf("%s: of %s it says %q, want %q\n%s", fault, check, line, want, all)
	}
	if sound != !strings.Contains(all, "\nbroken ") {
		b.t.Errorf("%s: the status is good: %v\n%s", fault, sound, all)
	}
}

func (b *brokenInstallation) file(name string) string { return filepath.Join(b.data, name) }

func (b *brokenInstallation) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.file(name), []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *brokenInstallation) remove(name string) {
	b.t.Helper()
	if err := os.RemoveAll(b.file(name)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *brokenInstallation) exec(statement string) {
	b.t.Helper()
	db, err := sql.Open("sqlite3", b.file("quatuor.db"))
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		b.t.Fatal(err)
	}
}

// free returns an unused address.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// TestTheDoctorFindsFaultsInTheData breaks the files of a service, each by itself, and mends it.
func TestTheDoctorFindsFaultsInTheData(t *testing.T) {
	skipInShort(t, "runs the program fifteen times")
	t.Parallel()
	b := &brokenInstallation{t: t, data: t.TempDir()}
	if err := os.Chmod(b.data, 0o700); err != nil {
		t.Fatal(err)
	}
	adminByCommand(t, b.data)
	if err := os.Mkdir(b.file("backups"), 0o700); err != nil {
		t.Fatal(err)
	}
	mustQuatuor(t, "backup", "--data", b.data, b.file("backups/quatuor-20261125T030000.000Z.db"))
	mustQuatuor(t, "backup", "drill", "--data", b.data)
	listen := free(t)
	if lines, sound, all := b.examine("--listen", listen); !sound || !strings.HasPrefix(lines["backup"], "ok") ||
		!strings.HasPrefix(lines["drill"], "ok") || !strings.HasPrefix(lines["rights"], "ok") {
		t.Fatalf("of a sound installation it says\n%s", all)
	}
	port := []string{"--listen", listen}

	missing := &brokenInstallation{t: t, data: filepath.Join(t.TempDir(), "nowhere")}
	missing.demand("no data folder", "data", "broken: is not there")

	if err := os.Chmod(b.file("quatuor.db"), 0o644); err != nil {
		t.Fatal(err)
	}
	b.demand("a database for all to read", "rights", "look: chmod 600", port...)
	_ = os.Chmod(b.file("quatuor.db"), 0o600)

	if err := os.Chtimes(b.file("last-backup"), time.Time{}, time.Now().Add(48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	b.demand("a clock that is two days behind", "clock", "broken: set the clock", port...)
	_ = os.Chtimes(b.file("last-backup"), time.Time{}, time.Now())

	b.acceptClock(port)

	b.write("ratings.json", `{"lists": [{"list": "*", "system": "chess"}]}`)
	b.demand("rules that do not exist", "ratings", "broken: ratings.json", port...)
	b.remove("ratings.json")

	gone := append([]string{"--backup-dir", filepath.Join(t.TempDir(), "stick")}, port...)
	b.demand("a disk that is not connected", "backup", "broken: connect its disk", gone...)

	noted := b.file("last-backup")
	note, err := os.ReadFile(noted)
	if err != nil {
		t.Fatal(err)
	}
	backup, old := b.file("backups/quatuor-20261125T030000.000Z.db"), b.file("backups/quatuor-20261101T030000.000Z.db")
	if err := os.Rename(backup, old); err != nil {
		t.Fatal(err)
	}
	b.write("last-backup", "2020-01-01T03:00:00Z\n")
	b.demand("a backup of long ago", "backup", "look: see why there was none since", port...)
	b.write("last-backup", string(note))

	state, err := os.ReadFile(b.file("backups.json"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(old)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, whole[:len(whole)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if out, ok := quatuor(t, "backup", "drill", "--data", b.data); ok {
		t.Errorf("the drill of half a backup: %s", out)
	}
	b.demand("a backup that cannot be restored", "drill", "broken: quatuor backup drill", port...)
	b.write("backups.json", string(state))

	b.exec("PRAGMA journal_mode=DELETE")
	b.demand("another journal mode", "database", "look: journal mode is delete", port...)
	b.exec("PRAGMA journal_mode=WAL")

	database, err := os.ReadFile(b.file("quatuor.db"))
	if err != nil {
		t.Fatal(err)
	}
	harmed := bytes.Clone(database)
	for at := 4096 * 3; at < len(harmed); at += 4096 { // the schema's pages come first
		copy(harmed[at:], bytes.Repeat([]byte{0xA5}, 200))
	}
	b.remove("quatuor.db-wal")
	b.remove("quatuor.db-shm")
	b.write("quatuor.db", string(harmed))
	b.demand("a damaged file", "database", "broken: restore --list", port...)
	b.write("quatuor.db", string(database))

	other, err := net.Listen("tcp", listen)
	if err != nil {
		t.Fatal(err)
	}
	b.demand("another program at the address", "port", "broken: end the other program", port...)
	_ = other.Close()
	if lines, sound, all := b.examine(port...); !sound || !strings.HasPrefix(lines["database"], "ok") {
		t.Errorf("once all is mended it says\n%s", all)
	}
}

// acceptClock plants a heartbeat that is a week ahead, and has the doctor accept the clock.
func (b *brokenInstallation) acceptClock(port []string) {
	ahead := time.Now().AddDate(0, 0, 7).UnixMilli()
	b.exec("INSERT INTO heartbeats (instance, at) VALUES ('ahead', " + strconv.FormatInt(ahead, 10) + ")")
	b.demand("a heartbeat of a week ahead", "clock", "broken: --accept-clock", port...)
	_, _, all := b.examine(append([]string{"--accept-clock"}, port...)...)
	if !strings.Contains(all, "0 open games were set back") {
		b.t.Errorf("the clock is accepted:\n%s", all)
	}
	lines, _, all := b.examine(port...)
	if strings.HasPrefix(lines["clock"], "broken") {
		b.t.Errorf("after the clock was accepted:\n%s", all)
	}
}

// TestTheDoctorFindsFaultsOnTheWay puts proxies before a service that do what proxies do.
func TestTheDoctorFindsFaultsOnTheWay(t *testing.T) {
	skipInShort(t, "runs the program ten times")
	t.Parallel()
	b := &brokenInstallation{t: t, data: t.TempDir()}
	adminByCommand(t, b.data)
	p := serve(t, b.data)
	target, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := func(adapt func(*httputil.ProxyRequest), wrap func(http.Handler) http.Handler) string {
		var handler http.Handler = &httputil.ReverseProxy{
			FlushInterval: -1,
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(target)
				r.Out.Host = target.Host
				if adapt != nil {
					adapt(r)
				}
			},
			ModifyResponse: func(r *http.Response) error { r.Header.Set("Server", "nginx"); return nil },
		}
		if wrap != nil {
			handler = wrap(handler)
		}
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	}
	at := func(base string) []string { return []string{"--listen", target.Host, "--base-url", base} }

	good := at(proxy(nil, nil))
	b.demand("a good proxy", "stream", "ok: begins after", good...)
	b.demand("a good proxy", "proxy", "ok: nginx", good...)
	b.demand("a wrong port", "service", "broken: does not answer", "--listen", free(t))
	b.demand("an address that leads nowhere", "address", "broken: does not answer", at("http://"+free(t))...)
	b.demand("a name that the service does not know", "address", "broken: --hosts",
		at(proxy(func(r *httputil.ProxyRequest) { r.Out.Host = "club.example" }, nil))...)
	b.demand("something else behind the proxy", "address", "broken: something else answers",
		at(proxy(nil, func(http.Handler) http.Handler { return http.NotFoundHandler() }))...)
	b.demand("a proxy that buffers", "stream", "broken: proxy_buffering off", at(proxy(nil, buffering))...)
	p.Stop()

	secure := serve(t, b.data, "--public-url", "https://club.example")
	host := strings.TrimPrefix(secure.URL, "http://")
	b.demand("cookies for https at a plain address", "cookie", "broken: for https", "--listen", host)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	strange := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "It works!")
	})}
	go func() { _ = strange.Serve(other) }()
	defer strange.Close()
	b.demand("another program at the address", "service", "broken: another program answers", "--listen",
		other.Addr().String())
	secure.Stop()
}

// buffering is a proxy that passes an answer on when it has all of it.
func buffering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := httptest.NewRecorder()
		next.ServeHTTP(whole, r)
		for name, values := range whole.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(whole.Code)
		_, _ = whole.Body.WriteTo(w)
	})
}
