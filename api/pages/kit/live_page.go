package kit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unique"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/pages/delta"
	"quatuor/api/stream"
)

// A live page is rendered again when something has changed, by its own handler and with the visitor's rights at that
// moment, and the open page is sent the difference. A handler that refuses the visitor ends the stream.

// Least time between two renderings of a live page.
const (
	Soon  = time.Second
	Later = 10 * time.Second // of pages that many read at once
)

// livePage is a page that open copies follow.
type livePage struct {
	rest   time.Duration
	topics func(echo.Context) []string
}

// Live has the open copies of the page at a route follow topics of the hub; none for a page that does not change.
func (k *Kit) Live(route string, rest time.Duration, topics func(echo.Context) []string) {
	k.pages[route] = livePage{rest, topics}
}

// TournamentTopic returns the topic of the tournament of an address. Guests have that of the public.
func TournamentTopic(c echo.Context) string {
	return stream.OfTournament(c.Param("id"), !auth.Session(c).Anonymous())
}

// BoardsTopic returns the topic of the games of the tournament of an address.
func BoardsTopic(c echo.Context) string { return stream.OfBoards(c.Param("id")) }

// rendering collects the parts of a live page, in place of an answer.
type rendering struct {
	main  string
	final bool
	next  int64
}

const renderingKey = "rendering"

// renderingOf returns the rendering that a request is for, nil for the request of a browser.
func renderingOf(c echo.Context) *rendering {
	r, _ := c.Get(renderingKey).(*rendering)
	return r
}

// Rerendered reports whether a request is for the changes of an open page.
func Rerendered(c echo.Context) bool { return renderingOf(c) != nil }

// Again schedules a change of a live page by itself, in ms UTC; 0 for never.
func Again(c echo.Context, at int64) {
	if r := renderingOf(c); r != nil && at > 0 && (r.next == 0 || at < r.next) {
		r.next = at
	}
}

// Final marks a live page as unchanging from now on.
func Final(c echo.Context) { c.Set(finalKey, true) }

const finalKey = "final"

func isFinal(c echo.Context) bool { return c.Get(finalKey) != nil }

// main renders the part of a page below its head, or takes it from the cache with its stamp, else 0. answered reports
// that this was all that was to be done.
func (k *Kit) main(
	c echo.Context, status int, page string, body any, kept *Kept,
) (main keptPart, answered bool, err error) {
	if kept != nil {
		main, err = k.keptMain(c, page, *kept)
	} else {
		main.html, err = k.Render(k.Reader(c), page, "main", body)
	}
	if r := renderingOf(c); r != nil && err == nil && status == http.StatusOK {
		r.main = string(main.html)
		return keptPart{}, true, nil
	}
	return main, false, err
}

// liveAddress returns the address for following a page from its present state; "" for a page that is not live.
func (k *Kit) liveAddress(c echo.Context, status int, main keptPart) string {
	page, live := k.pages[c.Path()]
	if !live || status != http.StatusOK || isFinal(c) || page.topics(c) == nil {
		return ""
	}
	if main.stamp == 0 {
		main.stamp = stamp(main.html)
	}
	target := url.URL{Path: c.Request().URL.Path}
	query := c.QueryParams()
	query.Del("said")
	query.Set("version", strconv.FormatInt(main.stamp, 10))
	target.RawQuery = query.Encode()
	return target.RequestURI()
}

// ticking matches the parts that differ in every rendering: running clocks, and the keys of forms.
var ticking = regexp.MustCompile(`<span data-clock[^>]*>[^<]*|name="key" value="[^"]*"`)

// stamp names a rendering.
func stamp(main []byte) int64 {
	sum := sha256.Sum256(ticking.ReplaceAll(main, nil))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 1)
}

// errNotShown means that the visitor may not see a page, or not any more.
var errNotShown = errors.New("the page is not shown")

// followPage streams the changes of a live page.
func (k *Kit) followPage(c echo.Context) error {
	target := *c.Request().URL
	query := target.Query()
	has, _ := strconv.ParseInt(query.Get("version"), 10, 64)
	query.Del("version")
	target.RawQuery = query.Encode()
	status := http.StatusOK
	before := unique.Make("") // visitors with the same view share it
	render := func(ctx context.Context) (u stream.Update, err error) {
		var now rendering
		if now, status, err = k.renderAgain(ctx, c, &target); err != nil {
			return u, err
		}
		u = stream.Update{Version: stamp([]byte(now.main)), Final: now.final, Next: now.next}
		if u.Version != has {
			u.Data = Difference(template.HTML(before.Value()), template.HTML(now.main)) // as templates made them
		}
		has, before = u.Version, unique.Make(now.main)
		return u, nil
	}
	page := k.pages[c.Path()]
	topics := page.topics(c)
	var err error
	if topics == nil {
		_, status, err = k.renderAgain(c.Request().Context(), c, &target) // why not
		status = max(status, http.StatusNotFound)
	} else {
		err = k.Hub.ServeTopics(c.Request().Context(), c.Response(), topics, page.rest, render)
	}
	if errors.Is(err, errNotShown) || err == nil && topics == nil {
		c.Response().WriteHeader(status)
		return nil
	}
	return err
}

// renderAgain renders a page for the visitor of its stream. Few are rendered at once, so that many open pages do not
// hold up the rest of the service.
func (k *Kit) renderAgain(ctx context.Context, c echo.Context, target *url.URL) (made rendering, status int, err error) {
	select {
	case k.renderings <- struct{}{}:
		defer func() { <-k.renderings }()
	case <-ctx.Done():
		return made, 0, ctx.Err()
	}
	r := c.Request().Clone(ctx)
	r.URL, r.RequestURI = target, target.RequestURI()
	w := &unsent{header: http.Header{}}
	page := c.Echo().NewContext(r, w)
	c.Echo().Router().Find(http.MethodGet, echo.GetPath(r), page)
	page.Set(renderingKey, &made)
	if err = page.Handler()(page); err == nil && made.main == "" {
		err = errNotShown
	}
	made.final = isFinal(page)
	return made, w.status, err
}

// maxRenderings is the maximum number of live pages rendered again at the same time.
func maxRenderings() int { return max(1, runtime.GOMAXPROCS(0)/2) }

// unsent discards the answer to a visitor without the right to a live page, and keeps its status.
type unsent struct {
	header http.Header
	status int
}

// Header returns a header that is not sent.
func (u *unsent) Header() http.Header { return u.header }

// WriteHeader keeps the status.
func (u *unsent) WriteHeader(status int) { u.status = status }

// Write drops the answer.
func (u *unsent) Write(b []byte) (int, error) { return len(b), nil }

// maxFollowed is the maximum number of streams multiplexed on a connection.
const maxFollowed = 32

// live multiplexes the streams of a browser on a single connection. Its parameters 0, 1, 2 … are addresses of streams
// (routes that end in "/live") and of live pages.
func (k *Kit) live(c echo.Context) error {
	var parts []stream.Part
	for len(parts) < maxFollowed {
		address := c.QueryParam(strconv.Itoa(len(parts)))
		if address == "" {
			break
		}
		target, err := url.Parse(address)
		if err != nil || target.IsAbs() || target.Host != "" || !strings.HasPrefix(target.Path, "/") {
			return ErrUnreadable
		}
		parts = append(parts, func(ctx context.Context, w http.ResponseWriter) error {
			return k.follow(ctx, c, w, target)
		})
	}
	if len(parts) == 0 {
		return ErrMissing
	}
	k.Hub.ServeMany(c.Request().Context(), c.Response(), parts)
	return nil
}

// follow serves a multiplexed stream as if it had been requested by itself. Its parameter "in" is the language of the
// page that follows.
func (k *Kit) follow(ctx context.Context, c echo.Context, w http.ResponseWriter, target *url.URL) error {
	r := c.Request().Clone(ctx)
	r.URL, r.RequestURI = target, target.RequestURI()
	r.Header.Del("Last-Event-ID")
	if in := target.Query().Get("in"); in != "" {
		r.Header.Set("Accept-Language", in)
	}
	one := c.Echo().NewContext(r, w)
	c.Echo().Router().Find(http.MethodGet, echo.GetPath(r), one)
	if _, live := k.pages[one.Path()]; live {
		return k.followPage(one)
	}
	if route := one.Path(); route == "/live" || !strings.HasSuffix(route, "/live") {
		w.WriteHeader(http.StatusNotFound)
		return nil
	}
	return one.Handler()(one)
}

// SeenVersion returns the version that the client of a stream has, "" for none: Last-Event-ID after a reconnection,
// else the parameter of the first request.
func SeenVersion(c echo.Context) string {
	if last := c.Request().Header.Get("Last-Event-ID"); last != "" {
		return last
	}
	return c.QueryParam("version")
}

// Difference returns the update between two renderings of a page's parts: a delta, or the whole of after if that is
// shorter or before is unknown ("").
func Difference(before, after template.HTML) []byte {
	if before == "" {
		return []byte(after)
	}
	steps, err := delta.Steps(string(before), string(after))
	if err != nil || len(steps) > len(after) {
		return []byte(after)
	}
	return steps
}
