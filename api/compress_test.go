package api_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"quatuor/api"
	"quatuor/api/command"
)

// longPages answers with a page that is worth compressing, and with a stream.
type longPages struct{}

// Mount adds a page, and a stream with as much in it.
func (longPages) Mount(e *echo.Echo) {
	long := strings.Repeat("<p>a long page</p>", 1000)
	e.GET("/long", func(c echo.Context) error { return c.HTML(http.StatusOK, long) })
	e.GET("/short", func(c echo.Context) error { return c.HTML(http.StatusOK, "<p>a short page</p>") })
	e.GET("/long/live", func(c echo.Context) error { return c.Blob(http.StatusOK, "text/event-stream", []byte(long)) })
}

// Error answers with a page.
func (longPages) Error(c echo.Context, status int) error { return c.HTML(status, "<h1>page</h1>") }

// CrossOrigin answers with a page.
func (longPages) Target(string) command.Target { return command.OnNothing }

func (p longPages) CrossOrigin(c echo.Context, status int) error { return p.Error(c, status) }

func (p longPages) WrongHost(c echo.Context, status int) error { return p.Error(c, status) }

// TestOnlyAnswersWithoutSecretsAreCompressed requests the same things as a visitor and with a session.
func TestOnlyAnswersWithoutSecretsAreCompressed(t *testing.T) {
	s := newService(t, func(c *configuration) { c.edit = func(d *api.Config) { d.Pages = longPages{} } })
	ada, visitor := s.register("ada"), s.anonymous()
	accept := header{"Accept-Encoding", "gzip, br"}
	for _, test := range []struct {
		what    string
		as      person
		path    string
		headers []header
		want    bool
	}{
		{"a page", visitor, "//long", []header{accept}, true},
		{"the API", visitor, "//openapi.yaml", []header{accept}, true},
		{"nothing asked for", visitor, "//long", nil, false},
		{"a short page", visitor, "//short", []header{accept}, false},
		{"a token", ada, "//long", []header{accept}, false},
		{"a cookie, even one that says nothing", visitor, "//long", []header{accept, {"Cookie", "other=1"}}, false},
		{"a stream", visitor, "//long/live", []header{accept}, false},
	} {
		answer := test.as.get(test.path, test.headers...).want(t, http.StatusOK)
		if got := answer.header.Get("Content-Encoding") == "gzip"; got != test.want {
			t.Errorf("%s: compressed %v, want %v; %v", test.what, got, test.want, answer.header)
		}
	}
	short := visitor.get("//long", accept)
	if !strings.Contains(strings.Join(short.header.Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("caches are not told: %v", short.header)
	}
	reader, err := gzip.NewReader(bytes.NewReader(short.raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if whole := visitor.get("//long").raw; err != nil || !bytes.Equal(text, whole) || len(short.raw)*10 > len(whole) {
		t.Errorf("%d bytes become %d, %v", len(whole), len(short.raw), err)
	}
}
