package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// A zone is a row of the floor plan: a set of packages, and what their code may import. Tests are free to import more,
// for they run the code together with what it will meet: a real database, another package's laws.
type zone struct {
	packages []string // patterns below the module; "x/..." is x and all below it; the first zone that fits counts
	ours     []string // patterns of our packages that may be imported
	never    []string // other packages that may not; "x/..." as above
	pure     bool     // nothing but the standard library beside ours
	timeless bool     // reads no clock, starts no timer, draws nothing by chance of its own
}

// The packages that the floor plan keeps out of the inner packages.
var (
	web      = []string{"github.com/labstack/echo/..."}
	database = []string{"gorm.io/...", "database/...", "github.com/jackc/...", "github.com/mattn/go-sqlite3/..."}
	outside  = []string{"time", "math/rand/...", "crypto/rand", "os/...", "net/...", "sync/...", "database/..."}
)

// floorPlan is the plan in force, the special before the general.
var floorPlan = []zone{
	{ // messages for people: every package may use them
		packages: []string{"engine/sentence"},
		never:    outside, pure: true, timeless: true,
	},
	{packages: []string{"engine/clock"}, ours: []string{"engine/sentence"}, pure: true, timeless: true, never: slices.Concat(web, database)},
	{
		packages: []string{"engine/table"},
		ours:     []string{"engine", "engine/botid", "engine/clock", "engine/catalog", "engine/chance", "engine/sentence"},
		never:    slices.Concat(web, database),
	},
	{
		packages: []string{"engine/bots"},
		ours:     []string{"engine", "engine/chance", "engine/player", "engine/table"},
		never:    slices.Concat(web, database),
	},
	{packages: []string{"engine/enginetest"}, ours: []string{"engine"}, never: slices.Concat(web, database)},
	{
		packages: []string{"engine/catalog"},
		ours:     []string{"engine", "engine/*", "engine/*/face"},
		never:    outside, pure: true, timeless: true,
	},
	{ // how games are drawn, described and played by bots: chance is a generator that the caller passes
		packages: []string{"engine/face", "engine/*/face"},
		ours:     []string{"engine", "engine/*", "engine/internal/hash", "engine/player/alphabeta", "engine/player/maxn"},
		never:    []string{"time", "crypto/rand", "os/...", "net/...", "sync/...", "database/..."}, pure: true,
		timeless: true,
	},
	{ // a record spells moments, so it knows time as a value
		packages: []string{"engine/record"},
		ours:     []string{"engine", "engine/catalog", "engine/chance", "engine/clock", "engine/sentence"},
		never:    slices.Concat(web, database, []string{"os/...", "net/...", "sync/..."}),
		pure:     true, timeless: true,
	},
	{ // chance here is a generator with a seed that the caller passes; time is a function of the caller's
		packages: []string{"engine/player/..."},
		ours:     []string{"engine", "engine/catalog", "engine/face", "engine/player/..."},
		never:    []string{"time", "crypto/rand", "os/...", "net/...", "sync/...", "database/..."}, pure: true,
		timeless: true,
	},
	{
		packages: []string{"engine/..."},
		ours:     []string{"engine", "engine/internal/...", "engine/sentence"},
		never:    outside, pure: true, timeless: true,
	},
	{ // they keep caches, and are told the time
		packages: []string{"tournament/director", "tournament/season"},
		ours:     []string{"tournament/...", "engine/botid", "engine/sentence"},
		never:    slices.Concat(web, database),
	},
	{ // forms of Unicode are a library's trade
		packages: []string{"tournament/wording"},
		ours:     []string{"engine/sentence"},
		never:    slices.Concat(web, outside), timeless: true,
	},
	{ // values and errors, which need nothing of the tournaments
		packages: []string{"tournament/account"},
		never:    slices.Concat(web, outside), pure: true, timeless: true,
	},
	{
		packages: []string{"tournament/..."},
		ours:     []string{"tournament/...", "engine/botid", "engine/sentence"},
		never:    slices.Concat(web, database),
		pure:     true, timeless: true,
	},
	{packages: []string{"rating/systems"}, ours: []string{"rating/..."}, never: slices.Concat(web, database)},
	{packages: []string{"rating/ledger"}, ours: []string{"rating/..."}, never: slices.Concat(web, database)},
	{packages: []string{"rating/simulation"}, ours: []string{"rating", "rating/sequence"}, never: slices.Concat(web, database), pure: true, timeless: true},
	{
		packages: []string{"rating/..."},
		ours:     []string{"rating"},
		never:    slices.Concat(web, database),
		pure:     true, timeless: true,
	},
	{ // group commit and transactions, which know nothing of what is stored
		packages: []string{"store/dbtest", "store/internal/paging", "store/internal/postgres", "store/internal/sqlite"},
		never:    web,
	},
	{packages: []string{"store/hints"}, ours: []string{"store/internal/postgres"}, never: web}, // messages, which know nothing of what they are about
	{packages: []string{"store/members"}, never: slices.Concat(web, database)},
	{packages: []string{"store/editions"}, ours: []string{"tournament"}, never: slices.Concat(web, database)},
	{
		packages: []string{"store/..."},
		ours:     []string{"engine/...", "tournament/...", "rating/...", "store/..."},
		never:    web,
	},
	{ // requests are validated before any operation runs
		packages: []string{"api/contract"},
		ours:     []string{"tournament/wording", "api/auth", "api/gen", "api/internal/..."},
		never:    database,
	},
	{ // for programs of others: nothing but the contract's types
		packages: []string{"api/client"},
		ours:     []string{"api/gen"},
		never:    slices.Concat(web, database),
	},
	{
		packages: []string{"api/problem"},
		ours: []string{
			"engine/...", "tournament/...", "rating/...", "api/auth", "api/command", "api/contract", "api/forward", "api/gen",
			"api/internal/...", "api/rest", "api/settings",
		},
		never: database,
	},
	{ // the program under test, for the tests of the rooms of package api
		packages: []string{"api/apitest"},
		ours:     []string{"engine/...", "tournament/...", "store", "store/dbtest", "api/...", "cmd/quatuor/app"},
		never:    database,
	},
	{
		packages: []string{"api/..."},
		ours:     []string{"engine/...", "tournament/...", "rating/...", "api/...", "engine/sentence"},
		never:    database,
	},
	{packages: []string{"cmd/quatuor/terminal"}, ours: []string{"tournament/wording"}, never: slices.Concat(web, database)},
	{packages: []string{"cmd/quatuor/harness"}, ours: []string{"api/client"}, never: slices.Concat(web, database)},
	{packages: []string{"cmd/quatuor/textbot"}, ours: []string{"engine"}, never: slices.Concat(web, database)},
	{packages: []string{"cmd/quatuor/manual"}, never: slices.Concat(web, database)},
	{packages: []string{"cmd/quatuor/clocklines", "cmd/quatuor/perft"}, ours: []string{"engine/..."}, never: slices.Concat(web, outside)},
	{packages: []string{"cmd/quatuor/seasonlines"}, ours: []string{"tournament/..."}, never: slices.Concat(web, outside)},
	{ // the program without its command line
		packages: []string{"cmd/quatuor/app"},
		ours:     []string{"engine/...", "tournament/...", "rating/...", "store/...", "api/...", "cmd/quatuor/backups", "cmd/quatuor/doctor", "cmd/quatuor/terminal"},
	},
	{ // files, a clock and a shell; how a database is copied and checked is passed in
		packages: []string{"cmd/quatuor/doctor"}, ours: []string{"api/command", "engine/sentence", "store"},
		never: slices.Concat(web, database),
	},
	{
		packages: []string{"cmd/quatuor/backups"}, ours: []string{"api/command"}, never: slices.Concat(web, database),
	},
	{
		packages: []string{"cmd/quatuor/demo"},
		ours:     []string{"cmd/quatuor/app", "api/client", "cmd/quatuor/harness", "cmd/quatuor/terminal"},
		never:    slices.Concat(web, database),
	},
	{ // it fills databases without a server, and starts servers
		packages: []string{"cmd/quatuor/bench"},
		ours: []string{
			"engine/...", "tournament/...", "rating/...", "store", "cmd/quatuor/app", "api/client", "cmd/quatuor/harness",
			"cmd/quatuor/terminal",
		},
		never: slices.Concat(web, database),
	},
	{
		packages: []string{"cmd/quatuor/app/apptest"}, ours: []string{"api/auth", "cmd/quatuor/app", "store/dbtest"},
		never: slices.Concat(web, database),
	},
	{ // it sees a server from outside only
		packages: []string{"cmd/quatuor/crashtest"},
		ours:     []string{"api/client", "cmd/quatuor/harness"},
		never:    slices.Concat(web, database),
	},
	{packages: []string{"cmd/quatuor/trials"}, pure: true}, // tests only
	{packages: []string{"cmd/quatuor/dutch"}, ours: []string{"tournament/..."}, never: slices.Concat(web, database)},
	{packages: []string{"cmd/quatuor"}, ours: []string{"..."}},
}

// TestFloorPlan reads the imports of every package and refuses those that the floor plan does not provide for.
func TestFloorPlan(t *testing.T) {
	packages := ourPackages(t)
	for _, dir := range []string{"engine", "tournament", "rating", "cmd/quatuor"} {
		if !slices.Contains(packages, dir) {
			t.Errorf("package %s was not found: is the test looking at the right tree?", dir)
		}
	}
	for _, dir := range packages {
		where := zoneOf(dir)
		if where == nil {
			t.Errorf("package %s has no place in the floor plan", dir)
			continue
		}
		for _, file := range parseDir(t, dir) {
			for _, spec := range file.Imports {
				imported := strings.Trim(spec.Path.Value, `"`)
				if why := where.refuses(dir, imported); why != "" {
					t.Errorf("%s: %s imports %s: %s", position(spec.Pos()), dir, imported, why)
				}
			}
			if !where.timeless {
				continue
			}
			for _, use := range clockReadings(file) {
				t.Errorf("%s: %s is used in %s, where time and chance are arguments", position(use.Pos()),
					selector(use), dir)
			}
		}
	}
}

// judgements are imports, and whether the plan provides for them.
var judgements = []struct {
	dir, imported string
	ok            bool
}{
	{"engine/quixo", "quatuor/engine", true},
	{"engine/quixo", "quatuor/engine/internal/grid", true},
	{"engine/quixo", "quatuor/engine/quits", false},
	{"engine/quixo", "strings", true},
	{"engine/quixo", "time", false},
	{"engine/quixo", "sync/atomic", false},
	{"engine/quixo", "math/rand/v2", false},
	{"engine/quixo", "github.com/google/uuid", false},
	{"engine/player", "quatuor/engine/quixo", false},
	{"engine/quixo", "quatuor/engine/face", false},
	{"engine/quixo/face", "quatuor/engine/quixo", true},
	{"engine/quixo/face", "quatuor/engine/player/alphabeta", true},
	{"engine/quixo/face", "os", false},
	{"engine/catalog", "quatuor/engine/quixo/face", true},
	{"engine/table", "quatuor/engine/quixo/face", false},
	{"engine/player/maxn", "quatuor/engine", true},
	{"engine/player", "math/rand/v2", true},
	{"engine/player", "time", false},
	{"engine/player", "quatuor/store", false},
	{"engine/quixo", "quatuor/engine/player", false},
	{"engine", "quatuor/engine/catalog", false},
	{"engine", "quatuor/tournament", false},
	{"engine/internal/grid", "os", false},
	{"engine/catalog", "quatuor/engine/quixo", true},
	{"engine/clock", "quatuor/engine", false},
	{"engine/table", "quatuor/engine/clock", true},
	{"engine/table", "quatuor/engine/quixo", false},
	{"engine/table", "quatuor/store", false},
	{"engine/table", "time", true},
	{"engine/table", "gorm.io/gorm", false},
	{"tournament/pairing/swiss", "quatuor/tournament/pairing", true},
	{"tournament/pairing/swiss", "quatuor/rating", false},
	{"tournament/director", "quatuor/engine", false},
	{"tournament/season", "quatuor/tournament/director", true},
	{"tournament/season", "quatuor/engine/table", false},
	{"tournament/director", "github.com/labstack/echo/v4", false},
	{"tournament/wording", "golang.org/x/text/unicode/norm", true},
	{"tournament/wording", "quatuor/tournament", false},
	{"tournament/wording", "os", false},
	{"tournament/account", "quatuor/tournament/club", false},
	{"tournament/director", "quatuor/tournament/account", true},
	{"store", "quatuor/tournament/account", true},
	{"tournament/club", "golang.org/x/text/unicode/norm", false},
	{"rating/elo", "quatuor/rating", true},
	{"rating/elo", "quatuor/rating/ledger", false},
	{"rating/ledger", "gorm.io/gorm", false},
	{"store", "quatuor/engine/table", true},
	{"store", "quatuor/api/auth", false},
	{"store", "github.com/labstack/echo/v4", false},
	{"store", "quatuor/store/internal/sqlite", true},
	{"store/internal/sqlite", "github.com/mattn/go-sqlite3", true},
	{"store/internal/sqlite", "quatuor/store", false},
	{"store/internal/sqlite", "quatuor/engine/table", false},
	{"store/internal/sqlite", "github.com/labstack/echo/v4", false},
	{"store/internal/postgres", "github.com/jackc/pgx/v5/pgconn", true},
	{"store/internal/postgres", "quatuor/store/migrations", false},
	{"store/migrations", "embed", true},
	{"api/rest", "quatuor/tournament/director", true},
	{"api/rest", "quatuor/api/gen", true},
	{"api/rest", "quatuor/store", false},
	{"api", "gorm.io/gorm", false},
	{"api/contract", "quatuor/api/auth", true},
	{"api/contract", "quatuor/api/rest", false},
	{"api/contract", "quatuor/api/problem", false},
	{"api/contract", "quatuor/engine/table", false},
	{"api/problem", "quatuor/api/contract", true},
	{"api/problem", "quatuor/api", false},
	{"api/apitest", "quatuor/store", true},
	{"api/pages/desk", "quatuor/api/apitest", false},
	{"cmd/quatuor", "quatuor/api/apitest", false},
	{"cmd/quatuor", "quatuor/store", true},
	{"cmd/quatuor", "quatuor/api", true},
	{"cmd/quatuor/app", "quatuor/store", true},
	{"cmd/quatuor/app", "quatuor/cmd/quatuor/demo", false},
	{"cmd/quatuor/demo", "quatuor/cmd/quatuor/app", true},
	{"cmd/quatuor/demo", "quatuor/api", false},
	{"cmd/quatuor/harness", "quatuor/cmd/quatuor/app", false},
	{"cmd/quatuor/bench", "quatuor/cmd/quatuor/harness", true},
	{"cmd/quatuor/bench", "quatuor/api/auth", false},
	{"cmd/quatuor/crashtest", "quatuor/cmd/quatuor/app", false},
	{"cmd/quatuor/trials", "quatuor/store/dbtest", false},
	{"cmd/quatuor/trials", "quatuor/cmd/quatuor/app", false},
}

// TestFloorPlanJudges holds the plan itself against imports that must pass and imports that must not.
func TestFloorPlanJudges(t *testing.T) {
	for _, tt := range judgements {
		where := zoneOf(tt.dir)
		if where == nil {
			t.Errorf("package %s has no place in the floor plan", tt.dir)
			continue
		}
		if why := where.refuses(tt.dir, tt.imported); (why == "") != tt.ok {
			t.Errorf("%s imports %s: allowed = %v, want %v (%s)", tt.dir, tt.imported, why == "", tt.ok, why)
		}
	}
	if zoneOf("helpers") != nil {
		t.Error("a package that the plan does not name has found a place in it")
	}
}

// TestClockReadings checks that a reading of the clock is found under any name that its package is imported by.
func TestClockReadings(t *testing.T) {
	const code = `package p
import (
	"math/rand/v2"
	chrono "time"
)
func f(time interface{ Now() int }, r *rand.Rand) (int, chrono.Duration, int) {
	_ = rand.New(rand.NewPCG(1, 2))
	_ = chrono.Now()
	_ = rand.IntN(6)
	return time.Now(), chrono.Second, r.IntN(6)
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, use := range clockReadings(file) {
		got = append(got, selector(use))
	}
	if want := []string{"chrono.Now", "rand.IntN"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

// zoneOf returns the row of the plan that a package, named by its folder below the module, falls under; nil if none
// does.
func zoneOf(dir string) *zone {
	for i := range floorPlan {
		if matches(floorPlan[i].packages, dir) {
			return &floorPlan[i]
		}
	}
	return nil
}

// refuses returns why package dir may not import another, or "" if it may.
func (z zone) refuses(dir, imported string) string {
	if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
		if ours == "api/apitest" {
			return "only tests may"
		}
		if matches(z.ours, ours) {
			return ""
		}
		if len(z.ours) == 0 {
			return "it stands on the standard library alone"
		}
		return "of ours it may import " + strings.Join(z.ours, ", ")
	}
	if matches(z.never, imported) {
		return "never here"
	}
	first, _, _ := strings.Cut(imported, "/")
	if z.pure && strings.Contains(first, ".") {
		return "it is pure: the standard library only"
	}
	return ""
}

// matches reports whether a path fits any of the patterns: "..." fits all, "x/..." fits x and what is below it, and
// anything else is a pattern of [path.Match].
func matches(patterns []string, name string) bool {
	for _, pattern := range patterns {
		if pattern == "..." {
			return true
		}
		if top, ok := strings.CutSuffix(pattern, "/..."); ok {
			if name == top || strings.HasPrefix(name, top+"/") {
				return true
			}
			continue
		}
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return true
		}
	}
	return false
}

// fromOutside lists what the timeless packages may use of the packages of time and chance: values, and sources with a
// given seed. All else in them reads the clock, waits, or draws from the process's own randomness.
var fromOutside = map[string][]string{
	"math/rand":    {"New", "NewSource", "Rand", "Source", "Source64"},
	"math/rand/v2": {"New", "NewPCG", "NewChaCha8", "Rand", "Source", "PCG", "ChaCha8"},
	"crypto/rand":  {},
}

// readsClock lists the functions of package time that a timeless package may not call.
var readsClock = []string{
	"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
}

// clockReadings finds the uses of the clock and of chance in a file.
func clockReadings(file *ast.File) []*ast.SelectorExpr {
	imports := map[string]string{} // the name in this file -> the package's path
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		name := path.Base(strings.TrimSuffix(imported, "/v2"))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = imported
	}
	var found []*ast.SelectorExpr
	ast.Inspect(file, func(n ast.Node) bool {
		use, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := use.X.(*ast.Ident)
		if !ok {
			return true
		}
		imported := imports[x.Name]
		allowed, watched := fromOutside[imported]
		if imported == "time" && slices.Contains(readsClock, use.Sel.Name) ||
			watched && !slices.Contains(allowed, use.Sel.Name) {
			found = append(found, use)
		}
		return true
	})
	return found
}

// selector spells a selector as in the code.
func selector(use *ast.SelectorExpr) string {
	if x, ok := use.X.(*ast.Ident); ok {
		return x.Name + "." + use.Sel.Name
	}
	return use.Sel.Name
}
