package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// oddValues are values of parameters that no link of ours has.
var oddValues = []string{
	"-1", "0", "99999999999999999999", "1e9", "NaN", "\x00", "a\x00b", "\xff\xfe", "\r\nx: y", "\u202e", "' OR 1=1 --",
	"../..",
	strings.Repeat("x", 1200), strings.Repeat("9", 400), "null", "[]", "%", "💥",
}

// oddCursors are cursors that no list gave out: of nothing, and of this form with another list's name or other places.
func oddCursors() []string {
	cursors := append([]string{"x", "====", "e30", "WzFd"}, oddValues...)
	for _, list := range []string{"games", "players", "tournaments", "ratings", "nothing"} {
		for _, place := range []string{
			`null`, `1`, `"x"`, `[]`, `[1,2,3]`, `{"id":1}`, `{"id":"\u0000"}`, `{"ID":"a\u0000"}`,
			`1e999`,
		} {
			cursors = append(cursors, base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "[%q,%s]", list, place)))
		}
	}
	return cursors
}

// TestNoAddressBreaksThePages requests pages and lists with parameters that no link has.
func TestNoAddressBreaksThePages(t *testing.T) {
	skipInShort(t, "asks for thousands of pages")
	t.Parallel()
	data := t.TempDir()
	adminByCommand(t, data)
	p := serve(t, data, "--registration", "open", "--rate-limit", "0", "--log-level", "error")
	player := p.Register(t.Context(), "ada", "Ada L.")
	paths := []string{
		"/", "/tournaments", "/games", "/players", "/players/" + player.ID, "/ratings", "/ratings/quixo-blitz", "/rules",
		"/rules/quixo",
		"/login", "/tournaments/nothing", "/tournaments/nothing/history", "/games/nothing", "/static/page.css",
		"/api/v1/games", "/api/v1/players", "/api/v1/players/" + player.ID + "/games", "/api/v1/tournaments",
		"/api/v1/ratings/quixo-blitz",
	}
	get := func(address string) int {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatalf("%.200q: %v", address, err)
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		if answer.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%.200q: %s", address, answer.Status)
		}
		return answer.StatusCode
	}
	for _, path := range paths {
		for _, name := range []string{
			"cursor", "status", "name", "round", "to", "lang", "next", "v", "limit", "player",
			"nothing", "a\x00",
		} {
			for _, value := range oddValues {
				get(path + "?" + url.Values{name: {value}}.Encode())
			}
			get(path + "?" + url.QueryEscape(name) + "=1&" + url.QueryEscape(name) + "=2")
		}
		for _, query := range []string{"%zz", "a;b", "=", "&&&", strings.Repeat("a&", 12_000)} {
			get(path + "?" + query)
		}
		for _, value := range oddValues {
			get(path + "/" + url.PathEscape(value))
		}
		if status := get(path + "?cursor=" + url.QueryEscape("\x00")); status != http.StatusBadRequest &&
			!strings.HasPrefix(path, "/static") {
			t.Errorf("%s answers %d where it is asked for a cursor of a zero byte", path, status)
		}
	}
	for _, list := range []string{"/tournaments", "/games", "/players", "/players/" + player.ID, "/ratings/quixo-blitz"} {
		for _, cursor := range oddCursors() {
			get(list + "?" + url.Values{"cursor": {cursor}}.Encode())
			get("/api/v1" + list + "?" + url.Values{"cursor": {cursor}}.Encode())
		}
		for _, cursor := range []string{"x", "-1", "e30"} {
			if status := get(list + "?cursor=" + cursor); status != http.StatusBadRequest {
				t.Errorf("%s answers %d to the cursor %s", list, status, cursor)
			}
		}
	}
	p.Stop()
}
