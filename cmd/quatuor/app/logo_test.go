package app_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quatuor/cmd/quatuor/app"
	"quatuor/cmd/quatuor/app/apptest"
)

// TestLogo: the picture is served at an address of its own and shown on the home page; other files than small pictures
// are refused at the start.
func TestLogo(t *testing.T) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 40, 30))); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "logo")
	write := func(content []byte) {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(picture.Bytes())
	quiet := slog.New(slog.DiscardHandler)
	read := func(a *app.App, path string) (body string, status int, kind string) {
		answer, err := http.Get(a.URL() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		content, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(content), answer.StatusCode, answer.Header.Get("Content-Type")
	}
	with, without := apptest.Run(t, app.Config{Logo: file, Logger: quiet}), apptest.Run(t, app.Config{Logger: quiet})
	if body, _, kind := read(with, "/logo"); body != picture.String() || kind != "image/png" {
		t.Errorf("the logo is sent as %d bytes of %s", len(body), kind)
	}
	const shown = `<img class="logo" src="/logo"`
	if body, _, _ := read(with, "/"); !strings.Contains(body, shown) {
		t.Error("the home page lacks the logo")
	}
	if body, _, _ := read(without, "/"); strings.Contains(body, shown) {
		t.Error("the home page shows a logo that is not there")
	}
	if _, status, _ := read(without, "/logo"); status != http.StatusNotFound {
		t.Errorf("no logo is answered %d", status)
	}
	var large bytes.Buffer
	if err := png.Encode(&large, image.NewGray(image.Rect(0, 0, 2001, 1))); err != nil {
		t.Fatal(err)
	}
	for what, content := range map[string][]byte{
		"not a PNG or JPEG": []byte("<svg/>"), "damaged": picture.Bytes()[:60], "pixels": large.Bytes(),
		"at most 65536": make([]byte, 64<<10+1),
	} {
		write(content)
		a, err := app.New(t.Context(), app.Config{Storage: app.Storage{Data: t.TempDir()}, Logo: file, Logger: quiet})
		if err == nil {
			a.Close()
		}
		if err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "--logo") {
			t.Errorf("%s: %v", what, err)
		}
	}
}
