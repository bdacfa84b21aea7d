package pages

import (
	"context"
	"errors"
	"path"
	"regexp"
	"strings"
	"testing"

	"quatuor/tournament"
)

// published makes the files of a town's tournaments.
func published(t *testing.T, w *town, ids ...string) (map[string]string, error) {
	t.Helper()
	config := w.pages.Config
	config.Guard = nil
	publication, err := New(Config{Config: config}).Publish(t.Context(), ids)
	if err != nil {
		return nil, err
	}
	files, last := map[string]string{}, ""
	err = publication.Files(t.Context(), func(name string, content []byte) error {
		if _, twice := files[name]; twice {
			t.Errorf("%s is made twice", name)
		}
		files[name], last = string(content), name
		return nil
	})
	if last != "index.html" && err == nil {
		t.Errorf("the last file is %s", last)
	}
	return files, err
}

var referred = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// TestPublish: every link in what is published leads to a file of it, nothing needs a server, and nothing private is
// published.
func TestPublish(t *testing.T) {
	w := newTown(t).furnish()
	files, err := published(t, w)
	if err != nil {
		t.Fatal(err)
	}
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

// TestPublishOneTournament leaves out the others, and refuses one that is not public.
func TestPublishOneTournament(t *testing.T) {
	w := newTown(t).furnish()
	files, err := published(t, w, "autumn")
	if err != nil {
		t.Fatal(err)
	}
	for name := range files {
		if strings.Contains(name, "tuesday") || strings.Contains(name, "left") {
			t.Errorf("%s is there, too", name)
		}
	}
	for _, id := range []string{"secret", "none"} {
		if _, err := published(t, w, id); !errors.Is(err, tournament.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := w.pages.Publish(context.Background(), nil); err == nil {
		t.Error("pages that know visitors are published")
	}
}
