package main

import (
	"bytes"
	"cmp"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	yaml "github.com/oasdiff/yaml3"

	"quatuor/store/dbtest"
)

// clusterFiles is the folder of what docs/cluster.md hands to operators.
var clusterFiles = filepath.Join(root, "docs", "cluster")

// composed is the part of compose.yaml that the tests look at.
type composed struct {
	Services map[string]service
	Networks map[string]struct {
		IPAM struct {
			Config []struct{ Subnet string }
		} `yaml:"ipam"`
	}
	Volumes map[string]any
}

type service struct {
	Image, Restart string
	Command        []string
	Environment    map[string]string
	Networks       []string
	Volumes, Ports []string
	Healthcheck    struct{ Test []string }
	DependsOn      map[string]struct{ Condition string } `yaml:"depends_on"`
}

// instances returns the services that run quatuor, by name.
func (c composed) instances() []string {
	var names []string
	for name, s := range c.Services {
		if s.Image == "quatuor" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

var interpolated = regexp.MustCompile(`\$\{([A-Z_]+)(:\?[^}]*)?\}`)

// readCompose reads compose.yaml with values for the variables of .env.
func readCompose(t *testing.T) (c composed) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(clusterFiles, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\nname:")
	given := map[string]string{
		"QUATUOR_HOST": "club.example", "DATABASE_PASSWORD": strings.Repeat("ab", 12),
		"QUATUOR_PEER_SECRET": strings.Repeat("0f", 32),
	}
	filled := interpolated.ReplaceAllStringFunc(string(text), func(reference string) string {
		name := interpolated.FindStringSubmatch(reference)[1]
		if given[name] == "" || !strings.Contains(head, name+"=") {
			t.Errorf("%s needs %s, which its head does not explain", "compose.yaml", name)
		}
		return given[name]
	})
	if err := yaml.Unmarshal([]byte(filled), &c); err != nil {
		t.Fatal(err)
	}
	if len(c.instances()) != 3 {
		t.Fatalf("the instances are %q", c.instances())
	}
	return c
}

// model returns the command line without running anything.
func model(t *testing.T) *kong.Kong {
	t.Helper()
	parser, err := kong.New(&cli{}, kong.Name("quatuor"), kong.DefaultEnvars("QUATUOR"),
		kong.BindTo(t.Context(), (*any)(nil)))
	if err != nil {
		t.Fatal(err)
	}
	return parser
}

// secrets are settings that have no flag: command lines can be read by others.
var secrets = []string{"QUATUOR_PEER_SECRET"}

// TestComposeFitsTheProgram holds the settings, commands and addresses in compose.yaml against the program's.
func TestComposeFitsTheProgram(t *testing.T) {
	c := readCompose(t)
	known := map[string]bool{}
	for _, node := range commandsBelow(model(t).Model.Node) {
		if node.Name == "serve" {
			for _, flag := range node.Flags {
				for _, name := range flag.Envs {
					known[name] = true
				}
			}
		}
	}
	for _, name := range c.instances() {
		s := c.Services[name]
		for setting := range s.Environment {
			if !known[setting] && !slices.Contains(secrets, setting) {
				t.Errorf("%s: serve has no setting %s", name, setting)
			}
		}
		_, port, _ := strings.Cut(s.Environment["QUATUOR_LISTEN"], ":")
		if got, want := s.Environment["QUATUOR_PEER_ADDRESS"], "http://"+name+":"+port; got != want {
			t.Errorf("%s: the other instances are told %s, want %s", name, got, want)
		}
		if u, err := url.Parse(s.Environment["QUATUOR_DATABASE"]); err != nil || u.Hostname() != "database" ||
			u.Port() != "5432" || u.Path != "/quatuor" {
			t.Errorf("%s: the database is %s, %v", name, u.Redacted(), err)
		}
		if subnet := c.Networks[s.Networks[0]].IPAM.Config[0].Subnet; subnet != s.Environment["QUATUOR_TRUSTED_PROXIES"] {
			t.Errorf("%s: trusts %s, but the proxy is in %s", name, s.Environment["QUATUOR_TRUSTED_PROXIES"], subnet)
		}
		wantReady(t, name, s.Healthcheck.Test, port)
		if s.Restart != "unless-stopped" || len(s.Ports) > 0 {
			t.Errorf("%s: restarts %q, and is open to the world on %q", name, s.Restart, s.Ports)
		}
	}
	database := c.Services["database"]
	version, _ := strconv.Atoi(strings.TrimPrefix(database.Image, "postgres:"))
	if version < 15 || len(database.Healthcheck.Test) == 0 || database.Restart == "" || len(database.Ports) > 0 {
		t.Errorf("the database: %+v", database)
	}
	for _, setting := range []string{"fsync=on", "full_page_writes=on", "synchronous_commit=on"} {
		if !slices.Contains(database.Command, setting) {
			t.Errorf("the database runs without %s", setting)
		}
	}
	first := c.instances()[0]
	for _, name := range c.instances() {
		after := first
		if name == first {
			after = "database"
		}
		if c.Services[name].DependsOn[after].Condition != "service_healthy" {
			t.Errorf("%s does not wait for %s", name, after)
		}
	}
	wantMounted(t, c)
}

// wantReady demands that a health check runs this program's readiness command, at a port.
func wantReady(t *testing.T, name string, test []string, port string) {
	t.Helper()
	if len(test) < 3 || test[0] != "CMD" || test[1] != "/quatuor" {
		t.Errorf("%s: health is asked by %q", name, test)
		return
	}
	parsed, err := model(t).Parse(test[2:])
	if err != nil || parsed.Command() != "ready" {
		t.Errorf("%s: health is asked by %q: %v", name, test, err)
		return
	}
	if u, err := url.Parse(parsed.FlagValue(parsed.Selected().Flags[0]).(string)); err != nil || u.Port() != port {
		t.Errorf("%s: health is asked at %s, and it listens on %s: %v", name, u, port, err)
	}
}

// wantMounted demands that everything that is mounted exists, and that every volume is used.
func wantMounted(t *testing.T, c composed) {
	t.Helper()
	used := map[string]bool{}
	for name, s := range c.Services {
		for _, mount := range s.Volumes {
			from, _, _ := strings.Cut(mount, ":")
			used[from] = true
			if file, is := strings.CutPrefix(from, "./"); is {
				if _, err := os.Stat(filepath.Join(clusterFiles, file)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			} else if _, there := c.Volumes[from]; !there {
				t.Errorf("%s: there is no volume %s", name, from)
			}
		}
	}
	for name := range c.Volumes {
		if !used[name] {
			t.Errorf("the volume %s is not used", name)
		}
	}
}

// TestComposeServes starts three instances with the settings of compose.yaml, but on a database and addresses of the
// test.
func TestComposeServes(t *testing.T) {
	skipInShort(t, "starts a PostgreSQL cluster")
	dsn := dbtest.Cluster(t, "fsync=off").Schema(t)
	c := readCompose(t)
	for _, name := range c.instances() {
		for setting, value := range c.Services[name].Environment {
			switch setting {
			case "QUATUOR_DATABASE":
				value = dsn
			case "QUATUOR_LISTEN", "QUATUOR_METRICS_LISTEN":
				value = "127.0.0.1:0"
			}
			t.Setenv(setting, value)
		}
		p := serve(t, t.TempDir())
		out, err := command(t, "ready", "--server", p.URL, "--timeout", "30s").CombinedOutput()
		for limit := time.Now().Add(30 * time.Second); err != nil && bytes.Contains(out, []byte("is starting")) && time.Now().
			Before(limit); {
			out, err = command(t, "ready", "--server", p.URL, "--timeout", "30s").CombinedOutput()
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

var (
	copied      = regexp.MustCompile(`(?m)^COPY ([a-z]+) [a-z]+$`)
	exposed     = regexp.MustCompile(`(?m)^EXPOSE ([0-9]+)$`)
	listens     = regexp.MustCompile(`QUATUOR_LISTEN=:([0-9]+)`)
	healthCheck = regexp.MustCompile(`(?m)^HEALTHCHECK .*CMD \["(.*)"\]$`)
)

// TestDockerfileFitsTheTree: the image is built from every folder with packages, and its health check uses its own
// port.
func TestDockerfileFitsTheTree(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range copied.FindAllStringSubmatch(string(text), -1) {
		got = append(got, m[1])
	}
	want := map[string]bool{}
	for _, dir := range ourPackages(t) {
		top, _, _ := strings.Cut(dir, "/")
		want[top] = true
	}
	if sorted := slices.Sorted(maps.Keys(want)); !slices.Equal(slices.Sorted(slices.Values(got)), sorted) {
		t.Errorf("the image is built from %q, want %q", got, sorted)
	}
	var ports [2]string
	for i, pattern := range []*regexp.Regexp{exposed, listens} {
		if m := pattern.FindStringSubmatch(string(text)); m != nil {
			ports[i] = m[1]
		}
	}
	if ports[0] != ports[1] || ports[0] == "" {
		t.Errorf("the image exposes %q and listens on %q", ports[0], ports[1])
	}
	health := healthCheck.FindStringSubmatch(string(text))
	if health == nil {
		t.Fatal("the image has no health check")
	}
	wantReady(t, "Dockerfile", append([]string{"CMD"}, strings.Split(health[1], `", "`)...), ports[0])
}

// proxyFile holds the demands on a proxy's configuration.
type proxyFile struct {
	name      string
	upstream  *regexp.Regexp // an instance's address
	quiet     *regexp.Regexp // the limit of a stream's silence in seconds
	must, not []string
	check     func(t *testing.T, text, dir string) []string // the command that checks the syntax
}

// minSilence is twice the time between two pings of a stream.
const minSilence = 30

var proxyFiles = []proxyFile{
	{
		name: "nginx.conf", upstream: regexp.MustCompile(`server (10\.0\.0\.1[123]:8080)\b`),
		quiet: regexp.MustCompile(`(?s)location ~ /\(\?:events\|live\)\$ \{.*proxy_read_timeout (\d+)s`),
		must: []string{
			"proxy_buffering off;", "hash $quatuor_one consistent;", "X-Forwarded-For $remote_addr;",
			"client_max_body_size 17m;",
		},
		not: []string{"non_idempotent;"},
		check: func(t *testing.T, text, dir string) []string {
			text = strings.ReplaceAll(text, "/etc/nginx/", dir+"/")
			writeFile(t, filepath.Join(dir, "quatuor.conf"), text)
			writeFile(t, filepath.Join(dir, "nginx.conf"),
				"pid "+dir+"/pid; error_log stderr; events {}\nhttp { access_log off; "+
					"client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s; include "+
					dir+"/quatuor.conf; }")
			return []string{"nginx", "-t", "-p", dir, "-c", dir + "/nginx.conf"}
		},
	},
	{
		name: "Caddyfile", upstream: regexp.MustCompile(`\b(quatuor-[123]:8080)\b`),
		quiet: regexp.MustCompile(`\n\s+read_timeout (\d+)s`),
		must: []string{
			"health_uri /readyz", "flush_interval -1", "lb_policy header X-Quatuor-One", "request_header @one X-Quatuor-One",
		},
		check: func(t *testing.T, text, dir string) []string {
			writeFile(t, filepath.Join(dir, "Caddyfile"), text)
			return []string{"caddy", "validate", "--adapter", "caddyfile", "--config", dir + "/Caddyfile"}
		},
	},
	{
		name: "haproxy.cfg", upstream: regexp.MustCompile(`server quatuor-[123] (10\.0\.0\.1[123]:8080)\b`),
		quiet: regexp.MustCompile(`timeout (?:client|server) (\d+)s`),
		must: []string{
			"option httpchk GET /readyz", "hash-type consistent", "retry-on conn-failure", "del-header X-Forwarded-For",
			"option forwardfor",
		},
		not: []string{"all-retryable-errors"},
		check: func(t *testing.T, text, dir string) []string {
			writeFile(t, filepath.Join(dir, "haproxy.cfg"), strings.ReplaceAll(text, "/etc/haproxy/", dir+"/"))
			return []string{"haproxy", "-c", "-f", dir + "/haproxy.cfg"}
		},
	},
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestProxyFiles holds the configurations of the proxies to what streams and moves need, and to the program that reads
// them where it is installed.
func TestProxyFiles(t *testing.T) {
	for _, f := range proxyFiles {
		t.Run(f.name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join(clusterFiles, f.name))
			if err != nil {
				t.Fatal(err)
			}
			text := string(raw)
			found := map[string]bool{}
			for _, m := range f.upstream.FindAllStringSubmatch(text, -1) {
				found[m[1]] = true
			}
			if len(found) != 3 {
				t.Errorf("the instances are %v", found)
			}
			times := f.quiet.FindAllStringSubmatch(text, -1)
			for _, m := range times {
				if seconds, _ := strconv.Atoi(m[1]); seconds < minSilence {
					t.Errorf("a stream may be silent for %s s only", m[1])
				}
			}
			if len(times) == 0 {
				t.Error("a stream may be silent for ever")
			}
			for _, part := range f.must {
				if !strings.Contains(text, part) {
					t.Errorf("it lacks %q", part)
				}
			}
			for _, part := range f.not {
				if strings.Contains(text, part) {
					t.Errorf("it has %q: a move could be sent twice", part)
				}
			}
			f.understood(t, text)
		})
	}
}

// understood has the proxy itself check the file, where it is installed.
func (f proxyFile) understood(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	args := f.check(t, text, dir)
	program, err := exec.LookPath(args[0])
	if err != nil {
		return
	}
	key := exec.Command("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
		"/CN=club.example",
		"-keyout", dir+"/club.example.key", "-out", dir+"/club.example.crt")
	if out, err := key.CombinedOutput(); err != nil {
		t.Skipf("no certificate for %s: %v\n%s", args[0], err, out)
	}
	crt, err := os.ReadFile(dir + "/club.example.crt")
	private, also := os.ReadFile(dir + "/club.example.key")
	if err := cmp.Or(err, also); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir+"/club.example.pem", string(bytes.Join([][]byte{crt, private}, nil)))
	cmd := exec.Command(program, args[1:]...)
	cmd.Env = append(os.Environ(), "HOME="+dir, "QUATUOR_HOST=localhost")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%q: %v\n%s", args, err, out)
	}
}
