package main

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
)

// TestServePrintsHowToSetUp starts the program on an empty folder: it prints an address, which works once, and no QR
// code without a terminal. With an account it prints nothing of that.
func TestServePrintsHowToSetUp(t *testing.T) {
	data := t.TempDir()
	cmd := command(t, "serve", "--data", data, "--listen", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var output strings.Builder
	var address *url.URL
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(&output, lines.Text())
		if text := strings.TrimSpace(lines.Text()); strings.HasPrefix(text, "http://") {
			if address, err = url.Parse(text); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(lines.Text(), "quatuor admin create") {
			break
		}
	}
	if address == nil || address.Path != "/setup" || strings.ContainsAny(output.String(), "█▀▄") {
		t.Fatalf("it says\n%s", &output)
	}
	form := url.Values{
		"code": {address.Query().Get("code")}, "name": {"Club"}, "language": {"en"}, "time_zone": {""},
		"registration": {"open"},
		"reach":        {"local"}, "login": {"olga"}, "password": {"three odd spoons"},
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, want := range []int{http.StatusSeeOther, http.StatusConflict} {
		answer, err := client.PostForm("http://"+address.Host+"/setup", form)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("the set-up is answered %s, want %d", answer.Status, want)
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	a, err := app.New(t.Context(), app.Config{Storage: app.Storage{Data: data}, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if address, err := a.SetupURL(t.Context()); address != "" || err != nil {
		t.Errorf("with an account it says %q, %v", address, err)
	}
}

// TestAdminPassword sets a forgotten password by the command line.
func TestAdminPassword(t *testing.T) {
	skipInShort(t, "hashes many passwords")
	t.Parallel()
	data := t.TempDir()
	adminByCommand(t, data)
	set := func(login, password string) (string, bool) {
		cmd := command(t, "admin", "password", "--data", data, "--login", login, "--password-stdin")
		cmd.Stdin = strings.NewReader(password + "\n")
		out, err := cmd.CombinedOutput()
		return string(out), err == nil
	}
	for login, password := range map[string]string{"nobody": "a wholly new one", "olga": "short"} {
		if out, ok := set(login, password); ok {
			t.Errorf("%s: %s", login, out)
		}
	}
	if out, ok := set("Olga", "a wholly new one"); !ok {
		t.Fatal(out)
	}
	p := serve(t, data)
	session := map[string]string{"login": "olga", "password": "a wholly new one"}
	if err := p.Client().Post(context.Background(), "/sessions", session, nil); err != nil {
		t.Error(err)
	}
	p.Stop()
}

// TestBackupIsNoted: the page of administration knows when the last backup was made, by any user.
func TestBackupIsNoted(t *testing.T) {
	data := t.TempDir()
	adminByCommand(t, data)
	file := filepath.Join(t.TempDir(), "copy.db")
	if out, ok := quatuor(t, "backup", "--data", data, file); !ok {
		t.Fatal(out)
	}
	a, err := app.New(t.Context(), app.Config{Storage: app.Storage{Data: data}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := a.State(t.Context()).Backup; got == 0 || got < info.ModTime().UnixMilli()-5000 || got > info.ModTime().
		UnixMilli()+60_000 {
		t.Errorf("noted at %d, made at %d", got, info.ModTime().UnixMilli())
	}
	a.StartCheck()
	a.StartCheck()
	a.Close()
	if check := a.State(t.Context()).Check; check.Running || check.At == 0 {
		t.Errorf("the check ended as %+v", check)
	}
}
