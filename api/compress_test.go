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
	"quatuor/api/apitest"
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

// Target returns no target: its pages act on nothing.
func (longPages) Target(string) command.Target { return command.OnNothing }

func (p longPages) CrossOrigin(c echo.Context, status int) error { return p.Error(c, status) }

func (p longPages) WrongHost(c echo.Context, status int) error { return p.Error(c, status) }

// TestOnlyAnswersWithoutSecretsAreCompressed requests the same things as a visitor and with a session.
func TestOnlyAnswersWithoutSecretsAreCompressed(t *testing.T) {
	s := apitest.New(t, func(c *apitest.Config) { c.Edit = func(d *api.Config) { d.Pages = longPages{} } })
	ada, visitor := s.Register("ada"), s.Anonymous()
	accept := apitest.Header{"Accept-Encoding", "gzip, br"}
	for _, test := range []struct {
		what    string
		as      apitest.Person
		path    string
		headers []apitest.Header
		want    bool
	}{
		{"a page", visitor, "//long", []apitest.Header{accept}, true},
		{"the API", visitor, "//openapi.yaml", []apitest.Header{accept}, true},
		{"nothing asked for", visitor, "//long", nil, false},
		{"a short page", visitor, "//short", []apitest.Header{accept}, false},
		{"a token", ada, "//long", []apitest.Header{accept}, false},
		{"a cookie, even one that says nothing", visitor, "//long", []apitest.Header{accept, {"Cookie", "other=1"}}, false},
		{"a stream", visitor, "//long/live", []apitest.Header{accept}, false},
	} {
		answer := test.as.Get(test.path, test.headers...).Want(t, http.StatusOK)
		if got := answer.Header.Get("Content-Encoding") == "gzip"; got != test.want {
			t.Errorf("%s: compressed %v, want %v; %v", test.what, got, test.want, answer.Header)
		}
	}
	short := visitor.Get("//long", accept)
	if !strings.Contains(strings.Join(short.Header.Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("caches are not told: %v", short.Header)
	}
	reader, err := gzip.NewReader(bytes.NewReader(short.Raw))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if whole := visitor.Get("//long").Raw; err != nil || !bytes.Equal(text, whole) || len(short.Raw)*10 > len(whole) {
		t.Errorf("%d bytes become %d, %v", len(whole), len(short.Raw), err)
	}
}
