package api_test

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/terminal"
	"quatuor/tournament"
	"quatuor/tournament/account"
)

// published makes the files of tournaments.
func (f *fixture) published(ids ...string) (map[string]string, error) {
	f.t.Helper()
	folder := filepath.Join(f.t.TempDir(), "site")
	if err := app.Publish(f.t.Context(), f.db, folder, ids, terminal.Streams{Out: io.Discard}); err != nil {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(folder, ".quatuor-published"))
	f.do(err)
	files, last := map[string]string{}, ""
	for name := range strings.Lines(string(list)) {
		last = strings.TrimSpace(name)
		if _, twice := files[last]; twice {
			f.t.Errorf("%s is made twice", last)
		}
		content, err := os.ReadFile(filepath.Join(folder, last))
		f.do(err)
		files[last] = string(content)
	}
	if last != "index.html" {
		f.t.Errorf("the last file is %s", last)
	}
	return files, nil
}

var referred = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// TestPublish: every link in what is published leads to a file of it, nothing needs a server, and nothing private is
// published.
func TestPublish(t *testing.T) {
	f := newFurnished(t)
	files, err := f.published()
	f.do(err)
	for _, want := range []string{
		"index.html", "static/page.css", "tournaments/tuesday/index.html", "tournaments/tuesday/index_tab-standings.html",
		"tournaments/tuesday/index_round-1.html",
		"tournaments/tuesday/players/1.html", "tournaments/tuesday/standings/3.html",
		"tournaments/tuesday/prizes.html", "games/tuesday-1-1.html", "tournaments/tuesday.ics", "rules/quixo.html",
	} {
		if files[want] == "" {
			t.Errorf("%s is missing", want)
		}
	}
	for name, content := range files {
		for _, secret := range []string{"Surprise Open", "brothers", "login-of", "only the organisers"} {
			if strings.Contains(content, secret) {
				t.Errorf("%s tells %q", name, secret)
			}
		}
	}
	standsAlone(t, files)
}

// standsAlone demands of published files that every link leads to one of them, and that nothing needs a server.
func standsAlone(t *testing.T, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		wellFormed(t, content)
		for _, bad := range []string{"<script", "<form", "data-live", "/api/v1", "og:image", "/login"} {
			if strings.Contains(content, bad) {
				t.Errorf("%s has %s", name, bad)
			}
		}
		for _, found := range referred.FindAllStringSubmatch(content, -1) {
			target, anchor, _ := strings.Cut(found[1], "#")
			if target == "" {
				continue
			}
			to := path.Join(path.Dir(name), target)
			if files[to] == "" {
				t.Errorf("%s leads to %s, which is not there", name, found[1])
			} else if anchor != "" && !strings.Contains(files[to], `id="`+anchor+`"`) {
				t.Errorf("%s leads to %s, where there is no %s", name, to, anchor)
			}
		}
	}
}

// TestPublishSeasons: series, ladders, leagues and seasons are published with what they lead to, and without what only
// visitors with an account can do.
func TestPublishSeasons(t *testing.T) {
	f := newFixture(t)
	olga := f.withRole("olga", account.RoleOrganiser)
	players := []person{f.register("ada"), f.register("bert"), f.register("carl"), f.register("dora")}
	first, second := f.finished(t, olga, players[:3]...), f.finished(t, olga, players[:3]...)
	series, ladder := seriesOf(t, olga, first, second), ladderOf(t, olga, players...)
	league := leagueOf(t, olga, "round_robin", "Anna Bo Cem", "Dan Eve Fay")
	olga.post(league+"/seasons/1/confirm", nil, header{"If-Match", "*"}).want(t, http.StatusOK)
	season := seasonOf(t, olga, series, ladder, league+"/seasons/1")
	files, err := f.published()
	f.do(err)
	for at, wanted := range map[string]string{
		series: `class="chart"`, ladder: "bert", league: "Cem", season: "2026/27",
		season + "/players/" + players[0].player: "ada",
	} {
		name := strings.TrimPrefix(at, "/")
		content := files[name] + files[name+".html"] + files[name+"/index.html"]
		if !strings.Contains(content, wanted) {
			t.Errorf("%s is missing, or lacks %q", name, wanted)
		}
	}
	standsAlone(t, files)
}

// TestPublishOneTournament leaves out the others, and refuses one that is not public.
func TestPublishOneTournament(t *testing.T) {
	f := newFurnished(t)
	files, err := f.published("autumn")
	f.do(err)
	for name := range files {
		if strings.Contains(name, "tuesday") || strings.Contains(name, "left") {
			t.Errorf("%s is there, too", name)
		}
	}
	for _, id := range []string{"secret", "none"} {
		if _, err := f.published(id); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := f.pages.Publish(t.Context(), nil); err == nil {
		t.Error("pages that know visitors are published")
	}
}
