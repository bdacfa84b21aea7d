package api_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"

	"quatuor/api/apitest"
	"quatuor/tournament/account"
)

// worldNumber is set in the environment of the processes that TestTwoWorldsAreAnsweredAlike starts: the number of the
// world, and a file for its answers.
const worldNumber, worldFile = "QUATUOR_WORLD", "QUATUOR_WORLD_FILE"

// TestTwoWorldsAreAnsweredAlike compares two worlds that differ in secrets alone: a move of a delayed game, a choice that
// is sealed, a round that is drawn up, presence announced for an evening, check-ins. All that may not know them get the
// same status, headers and body at every address; testdata/worlds.tsv has their digests.
func TestTwoWorldsAreAnsweredAlike(t *testing.T) {
	if number := os.Getenv(worldNumber); number != "" {
		cryptotest.SetGlobalRandom(t, 1)
		synctest.Test(t, func(t *testing.T) { seenOfWorld(t, number == "1") })
		return
	}
	var worlds [2]apitest.Answers
	for i := range worlds { // ids depend on those that a process has made before
		file := filepath.Join(t.TempDir(), "answers.json")
		again := exec.Command(os.Args[0], append(slices.Clone(os.Args[1:]), "-test.run=^"+t.Name()+"$", "-test.count=1")...)
		again.Env = append(os.Environ(), fmt.Sprint(worldNumber, "=", i), worldFile+"="+file, "TZ=UTC")
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &worlds[i]); err != nil {
			t.Fatal(err)
		}
	}
	apitest.Differences(t, worlds[0], worlds[1])
	apitest.Differences(t, worlds[1], worlds[0])
	if len(worlds[0]) < 500 {
		t.Errorf("only %d answers were compared", len(worlds[0]))
	}
	for _, w := range worlds {
		compareGolden(t, "worlds.tsv", digests(w))
	}
}

// longDigest matches a digest in a tag, which changes with the program.
var longDigest = regexp.MustCompile(`[0-9a-f]{16,}`)

// digests returns a line for each answer: viewer, request, status, tag, and digests of the headers and of the body.
func digests(w apitest.Answers) string {
	var lines []string
	ids := map[string]string{}
	for _, where := range slices.Sorted(maps.Keys(w)) {
		head, body, _ := strings.Cut(w[where], "\n\n")
		head = longDigest.ReplaceAllString(numberIDs(incidental.ReplaceAllString(head, "$1"), ids), "#")
		body = numberIDs(incidental.ReplaceAllString(body, "$1"), ids)
		_, tag, _ := strings.Cut(head, "Etag: ")
		tag, _, _ = strings.Cut(tag, "\n")
		status, headers, _ := strings.Cut(head, "\n")
		lines = append(lines, fmt.Sprintf("%s\t%s\t%s\t%.8x\t%.8x", numberIDs(where, ids), status, tag,
			sha256.Sum256([]byte(headers)), sha256.Sum256([]byte(body))))
	}
	return strings.Join(lines, "\n") + "\n"
}

// secretWorld is a club with a secret of each kind still to come.
type secretWorld struct {
	*apitest.Service
	olga, ada, bob, dan apitest.Person
	cup, swiss, keizer  string // paths of tournaments
	checked             string // path of a tournament with an open check-in
	delayed, sealed     string // games
}

// seenOfWorld makes a world, with other secrets in the other, and writes down the answers to all readers that may not
// know them.
func seenOfWorld(t *testing.T, other bool) {
	w := newSecretWorld(t)
	viewers := map[string]apitest.Person{"anyone": w.Anonymous(), "participant": w.dan, "stranger": w.Register("eve")}
	paths := w.addresses(t)
	(apitest.Answers{}).Look(viewers, paths) // what is cached from before must not answer otherwise, either
	w.keepSecrets(t, other)
	now := apitest.Answers{}
	now.Look(viewers, paths)
	raw, err := json.Marshal(now)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(os.Getenv(worldFile), raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

func newSecretWorld(t *testing.T) *secretWorld {
	t.Helper()
	w := &secretWorld{Service: apitest.New(t, apitest.WithPages, apitest.Alone, func(c *apitest.Config) {
		c.Seed = func() [32]byte { return [32]byte{1} }
	})}
	w.olga = w.WithRole("olga", account.RoleOrganiser)
	w.ada = w.Reserved("ada")
	w.bob = w.Reserved("bob")
	w.dan = w.Register("dan")
	start := func(settings string, players ...apitest.Person) string {
		path := "/tournaments/" + w.olga.Post("/tournaments", settings).Want(t, http.StatusCreated).Text("id")
		w.olga.Post(path+"/open", nil).Want(t, http.StatusOK)
		for i, p := range players {
			w.olga.Post(path+"/entries", map[string]any{"player_id": p.Player, "rating": 1900 - 10*i}).
				Want(t, http.StatusCreated)
		}
		return path
	}
	const duels = `"variant":"quixo/duel","time_control":"300+3"`
	w.cup = start(`{"name":"Delayed","format":"round_robin","play":{"delay_moves":2},`+duels+`}`, w.ada, w.bob)
	w.olga.Post(w.cup+"/start", nil).Want(t, http.StatusOK)
	w.delayed, _ = apitest.BoardOne(t, w.olga.Post(w.cup+"/rounds", nil).Want(t, http.StatusCreated), w.ada, w.bob)
	w.swiss = start(`{"name":"Open","format":"swiss","rounds":3,"venue":"hall",`+duels+`}`, w.ada, w.bob, w.dan)
	w.olga.Post(w.swiss+"/start", nil).Want(t, http.StatusOK)
	w.olga.Post(w.swiss+"/rounds", nil).Want(t, http.StatusCreated)
	w.olga.Send(http.MethodPut, w.swiss+"/rounds/1/pairings/1/result", `{"result":"1-0"}`, apitest.AnyVersion).
		Want(t, http.StatusOK)
	w.keizer = start(apitest.KeizerSeason, w.ada, w.bob, w.dan)
	w.olga.Post(w.keizer+"/start", nil).Want(t, http.StatusOK)
	w.checked = start(`{"name":"Thursday","format":"swiss","rounds":2,`+duels+`}`, w.ada, w.bob, w.dan)
	w.olga.Post(w.checked+"/check-in/open", nil).Want(t, http.StatusOK)
	w.sealed = apitest.Duel(t, w.ada, w.bob, "quiwin/duel", "300").Text("id")
	w.bob.Post("/games/"+w.sealed+"/accept", nil).Want(t, http.StatusOK)
	return w
}

// entryOf returns the id of a player's entry.
func (w *secretWorld) entryOf(t *testing.T, path string, p apitest.Person) string {
	t.Helper()
	list := w.olga.Get(path+"/entries").Want(t, http.StatusOK)
	for i := range list.List("items") {
		if list.Text("items", i, "members", 0, "id") == p.Player {
			return list.Text("items", i, "id")
		}
	}
	t.Fatalf("%s is not entered: %s", p.Player, list.Raw)
	return ""
}

// keepSecrets does what only its participants and organisers may know. In the other world a choice differs, and
// everything else happens.
func (w *secretWorld) keepSecrets(t *testing.T, other bool) {
	t.Helper()
	g := w.ada.Get("/games/"+w.sealed).Want(t, http.StatusOK)
	legal := g.List("legal", "1")
	choice := legal[0]
	if other {
		choice = legal[len(legal)-1]
	}
	if len(legal) < 2 {
		t.Fatalf("there is nothing to choose: %s", g.Raw)
	}
	w.ada.Post("/games/"+w.sealed+"/moves", map[string]any{"seat": 1, "turn": g.Number("turn"), "move": choice}).Want(t, http.StatusOK)
	if !other {
		return
	}
	for i, p := range []apitest.Person{w.ada, w.bob} {
		if w.ada.Get("/games/"+w.delayed).Text("seats", 0, "player", "id") == p.Player {
			apitest.Play(t, w.delayed, []apitest.Person{w.ada, w.bob}[i], 1, "c1-c5")
		}
	}
	w.olga.Post(w.swiss+"/rounds", `{"publish":false}`).Want(t, http.StatusCreated)
	w.bob.Send(http.MethodPut, w.keizer+"/entries/"+w.entryOf(t, w.keizer, w.bob)+"/presence", nil).Want(t, http.StatusOK)
	w.ada.Send(http.MethodPut, w.checked+"/entries/"+w.entryOf(t, w.checked, w.ada)+"/presence", nil).
		Want(t, http.StatusOK)
}

// addresses returns every address with GET: those of the lists, of the tournaments with an entry that has secrets, of
// the games, and of a player that has secrets.
func (w *secretWorld) addresses(t *testing.T) (paths []string) {
	t.Helper()
	routes := []string{}
	for path, item := range apitest.Contract().Paths.Map() {
		if item.Get != nil {
			routes = append(routes, path)
		}
	}
	for _, route := range w.Server.Routes() {
		method, path, _ := strings.Cut(route, " ")
		if method == http.MethodGet && !notAPage.MatchString(path) {
			routes = append(routes, "/"+path)
		}
	}
	slices.Sort(routes)
	games := []string{w.delayed, w.sealed}
	events := []string{w.cup, w.swiss, w.keizer, w.checked}
	rest := strings.NewReplacer("{round}", "1", ":round", "1", "{board}", "1", "{player_id}", w.ada.Player, ":number", "1")
	for _, route := range slices.Compact(routes) {
		if unlooked.MatchString(route) {
			continue
		}
		below, page := strings.CutPrefix(route, "//")
		slashes := "/"
		if page {
			slashes = "//"
		}
		below = strings.TrimPrefix(below, "/")
		filled := []string{below}
		switch kind, _, _ := strings.Cut(below, "/"); {
		case strings.HasPrefix(below, "tournaments/{") || strings.HasPrefix(below, "tournaments/:"):
			filled = nil
			for _, event := range events {
				one := strings.NewReplacer("{tournament_id}", strings.TrimPrefix(event, "/tournaments/"), ":id", strings.TrimPrefix(event, "/tournaments/"),
					"{entry_id}", w.entryOf(t, event, w.ada)).Replace(below)
				filled = append(filled, one)
			}
		case strings.HasPrefix(below, "games/{") || strings.HasPrefix(below, "games/:"):
			filled = nil
			for _, game := range games {
				filled = append(filled, strings.NewReplacer("{game_id}", game, ":id", game).Replace(below))
			}
		case kind == "players":
			filled = []string{strings.Replace(below, ":id", w.ada.Player, 1)}
		}
		for _, path := range filled {
			if path = slashes + rest.Replace(path); !strings.ContainsAny(path, "{:") {
				paths = append(paths, path)
			}
		}
	}
	for _, event := range events[1:] {
		for _, tab := range []string{"round", "standings", "games", "players", "info"} {
			paths = append(paths, "/"+event+"?tab="+tab)
		}
		paths = append(paths, event+"/export?format=json", event+"/export?format=trf", event+"/rounds/2",
			"/"+event+"/rounds/2")
	}
	return append(paths, "/games?status=waiting", "/games?status=running", "/games?tournament="+strings.TrimPrefix(w.cup, "/tournaments/"),
		"/tournaments?status=running", "//games?status=running")
}

// unlooked matches routes without anything of tournaments and games, and those of streams, of others' files and of what
// may be requested a few times only.
var unlooked = regexp.MustCompile(`events$|/live$|^//(rules|docs|api|reference|problems|static|analysis|help|admin|setup)|/me/|^/me|^//me|/export$|^/(healthz|readyz|openapi)|stream`)
