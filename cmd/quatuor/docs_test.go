package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quatuor/store/dbtest"
)

// unrun are the marks of blocks that no test machine can run unchanged, as in ```sh docker, with the reason.
var unrun = map[string]string{
	"source":   "runs Go or make in the source tree: `go test ./...` runs this test, and .ci/run builds and starts the program",
	"systemd":  "sets up a service of the system, as root; its unit is read by the tests of the files",
	"docker":   "needs Docker and the images that it fetches",
	"tls":      "needs a name on the internet; TestACME fetches a certificate from a server of its own",
	"machines": "needs three machines of a private network",
	"remote":   "needs age, restic, rclone and places on other machines; TestBackupByPipes goes through pipes, TestLitestream restores its copy",
	"older":    "goes back to an older program, by the copy that the upgrade from it has made of the database",
}

// Marks of blocks that are run in another way.
const (
	refusedMark  = "refused"  // shows a request that is refused
	postgresMark = "postgres" // is run where PostgreSQL is, apart from the page's other blocks
	regionMark   = "region"   // is run with three servers of PostgreSQL, apart from the page's other blocks
)

// runnable are the marks of blocks that are run.
var runnable = []string{"", refusedMark, postgresMark, regionMark}

// standIns returns the replacements for names in a page's blocks while they are tested in a folder of their own.
func standIns(folder, address string) *strings.Replacer {
	return strings.NewReplacer(
		"127.0.0.1:8080", address,
		"/var/lib/quatuor", filepath.Join(folder, "quatuor-data"),
		"/var/backups", folder,
		"go build -o quatuor ./cmd/quatuor", ": # the program is there",
		"make static", ": # the program is there",
	)
}

// pageTimeout bounds the run of a page; a page that waits for a server that has ended would wait for ever.
const pageTimeout = 2 * time.Minute

// block is a fenced block of a page of documentation.
type block struct {
	page, text string
	line       int
	info       []string // its language, and its mark if any
}

func (b block) mark() string {
	if len(b.info) < 2 {
		return ""
	}
	return b.info[1]
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

var (
	fenced = regexp.MustCompile("(?ms)^ *```([^\n]*)\n(.*?\n) *```$")
	// foreground is a server at the end of a block, which runs on while its reader goes on in another terminal.
	foreground = regexp.MustCompile(`(?m)^(\S*quatuor serve[^&\n]*)\n\z`)
	ownAPI     = regexp.MustCompile(`(?m)^api=`)
)

// blocksOf returns all fenced blocks of a page; its path is relative to the top of the tree.
func blocksOf(t *testing.T, page string) (all []block) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range fenced.FindAllSubmatchIndex(text, -1) {
		b := block{page: page, text: string(text[at[4]:at[5]]), line: 1 + strings.Count(string(text[:at[0]]), "\n")}
		b.info = strings.Fields(string(text[at[2]:at[3]]))
		all = append(all, b)
	}
	return all
}

// shBlocks returns the blocks of a page that are for a shell, and holds the languages and marks of all to what is
// known.
func shBlocks(t *testing.T, page string, marks map[string]bool) (all []block) {
	t.Helper()
	for _, b := range blocksOf(t, page) {
		switch {
		case len(b.info) == 0:
			t.Errorf("%s: the block has no language; write sh for commands, else text, json, ini, …", b)
		case regexp.MustCompile(`^(bash|shell|zsh|console)`).MatchString(b.info[0]):
			t.Errorf("%s: write sh for %s, so that the block is tested", b, b.info[0])
		case b.info[0] == "sh":
			mark := b.mark()
			if unrun[mark] == "" && !slices.Contains(runnable, mark) {
				t.Errorf("%s: no reason is known for the mark %q", b, mark)
			}
			marks[mark] = true
			all = append(all, b)
		}
	}
	return all
}

// TestDocsRun runs the commands in the documentation: all blocks for a shell, page by page and in their order, each
// page in a folder of its own.
func TestDocsRun(t *testing.T) {
	skipInShort(t, "starts a server for each page")
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("without", tool)
		}
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	marks := map[string]bool{}
	api := shBlocks(t, filepath.Join("docs", "api.md"), marks)
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		page, _ = filepath.Rel(root, page)
		blocks := shBlocks(t, page, marks)
		if all := joined(blocks); strings.Contains(all, "$api") && !ownAPI.MatchString(all) {
			blocks = append(api[:len(api):len(api)], blocks...) // like a reader of the page, it goes on from there
		}
		runPage(t, page, blocks)
	}
	for mark := range unrun {
		if !marks[mark] {
			t.Errorf("no block is marked %q", mark)
		}
	}
}

func joined(blocks []block) string {
	var all strings.Builder
	for _, b := range blocks {
		all.WriteString(b.text)
	}
	return all.String()
}

// runPage runs the blocks of a page in a session of a shell, and those for PostgreSQL in another.
func runPage(t *testing.T, page string, blocks []block) {
	var plain, onPostgres, regions []block
	for _, b := range blocks {
		switch mark := b.mark(); {
		case mark == postgresMark:
			onPostgres = append(onPostgres, b)
		case mark == regionMark:
			regions = append(regions, b)
		case unrun[mark] == "":
			plain = append(plain, b)
		}
	}
	if len(plain) > 0 {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			out := runBlocks(t, folder, plain)
			if page == "README.md" {
				checkEvening(t, out, filepath.Join(folder, "quatuor-data"))
			}
		})
	}
	if len(onPostgres) > 0 {
		t.Run(page+" on PostgreSQL", func(t *testing.T) {
			t.Parallel()
			socket := dbtest.Cluster(t).Socket(t)
			for i, b := range onPostgres {
				onPostgres[i].text = strings.ReplaceAll(b.text, "@db.internal/quatuor?sslmode=verify-full", "@/quatuor?host="+socket)
			}
			runBlocks(t, t.TempDir(), onPostgres, "PGHOST="+socket, "PGUSER=postgres")
		})
	}
	if len(regions) > 0 {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			runRegions(t, regions)
		})
	}
}

// regionPrelude defines the programs of servers as PostgreSQL's user runs them, a server per machine: the sockets of
// db1 to db3 are in folders of these names. It starts db1.
const regionPrelude = `as_postgres() { if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
pg_basebackup() { as_postgres "$(type -P pg_basebackup)" "$@"; }
pg_ctl() {
  case $1 in
    stop) as_postgres "$(type -P pg_ctl)" -m fast "$@" ;;
    promote) as_postgres "$(type -P pg_ctl)" "$@" ;;
    *) as_postgres "$(type -P pg_ctl)" "$@" -w -l "$3.log" -o "-c listen_addresses= -c unix_socket_directories=/run/$(basename "$3")" ;;
  esac
}
as_postgres mkdir -p /run/db1 /run/db2 /run/db3 /mnt/archive /mnt/elsewhere /srv
as_postgres "$(type -P initdb)" -D /srv/db1 -A trust -U postgres >/dev/null
pg_ctl start -D /srv/db1
trap 'for each in /srv/db?; do pg_ctl stop -D "$each" -m immediate || true; done; kill $(jobs -p) || true; wait' EXIT
`

// runRegions runs blocks with PostgreSQL's servers db1, db2 and db3 in a folder of their user.
func runRegions(t *testing.T, blocks []block) {
	folder := dbtest.ServerFolder(t)
	blocks = append([]block{{page: "the servers", text: regionPrelude}}, blocks...)
	address := regexp.MustCompile(`@(db\d(?:,db\d)*)/(\w+)`)
	host := regexp.MustCompile(`(-h )(db\d)`)
	for i, b := range blocks {
		text := address.ReplaceAllStringFunc(b.text, func(found string) string {
			part := address.FindStringSubmatch(found)
			return "@/" + part[2] + "?host=" + strings.ReplaceAll(part[1], "db", "/run/db")
		})
		text = host.ReplaceAllString(text, "$1/run/$2")
		blocks[i].text = strings.NewReplacer("/run/", folder+"/run/", "/srv", folder+"/srv", "/mnt/", folder+"/mnt/").Replace(text)
	}
	runBlocks(t, t.TempDir(), blocks, "PGUSER=postgres")
}

// runBlocks runs blocks in a single session of a shell in a folder and returns their output. It fails at the first
// command that does, and at the first answer that is an error, but for those of blocks that show a refusal.
func runBlocks(t *testing.T, folder string, blocks []block, env ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	script := "set -eu -o pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n"
	for _, b := range blocks {
		script += fmt.Sprintf("echo '=== %s'\n", b)
		text := foreground.ReplaceAllString(b.text, "$1 &\nuntil quatuor ready; do sleep 1; done\n")
		if b.mark() == refusedMark {
			text = "{\nexport CURL_HOME=/\n" + text + "} | tee /dev/stderr | grep '\"status\": 4[0-9][0-9]'\n"
		}
		script += text
	}
	if err := os.WriteFile(filepath.Join(folder, ".curlrc"), []byte("fail-with-body\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(folder, "quatuor")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), pageTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", standIns(folder, address).Replace(script))
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // prompts read standard input without a terminal
	cmd.Stdin = strings.NewReader("secret\nsecret\n")
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Env = append(os.Environ(), asProgram+"=1", "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"), "CURL_HOME="+folder,
		"QUATUOR_LISTEN="+address, "QUATUOR_SERVER=http://"+address,
		"QUATUOR_REPEATS=1") // of the simulated seasons; TestSimulation holds their figures
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := slices.Compact(strings.Split(string(out), "\n")) // a block that waits repeats itself
		t.Fatalf("%v\n%s", err, strings.Join(lines, "\n"))
	}
	return string(out)
}

// freeAddress returns an unused address of this machine.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}
