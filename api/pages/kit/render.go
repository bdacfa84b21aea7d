package kit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"
	"quatuor/api/auth"
	"quatuor/api/pages/message"
	"quatuor/tournament/club"
)

// Render executes a template of a page's set in a language.
func (k *Kit) Render(in *message.Printer, page, name string, data any) ([]byte, error) {
	html, err := k.languages[in.Tag].execute(page, name, data)
	if err != nil {
		return nil, err
	}
	return nameGone(in, html)
}

// goneName matches the stored name of a deleted person, and the text before it in a form, where the name is sent back
// unchanged.
var goneName = regexp.MustCompile(`(value=")?\bplayer [1-9][0-9]{3,}\b`)

// nameGone puts the names of deleted persons into the reader's language.
func nameGone(in *message.Printer, html []byte) (_ []byte, err error) {
	if in.Tag == language.English || !bytes.Contains(html, []byte("player ")) {
		return html, nil
	}
	return goneName.ReplaceAllFunc(html, func(found []byte) []byte {
		number, gone := club.GoneNumber(string(found))
		if !gone {
			return found
		}
		text, e := in.Text("words.gone", "Number", strconv.FormatInt(number, 10))
		err = errors.Join(err, e)
		return []byte(text)
	}), err
}

// HasTemplate reports whether a page's set has a template of that name.
func (k *Kit) HasTemplate(in *message.Printer, page, name string) bool {
	return k.languages[in.Tag].has(page, name)
}

// Reader returns the texts in the language of a request: the account's, else the best match for Accept-Language, else
// the club's.
func (k *Kit) Reader(c echo.Context) *message.Printer {
	ctx := c.Request().Context()
	return k.Texts.Match(auth.From(ctx).Language, c.Request().Header.Get("Accept-Language"), k.Club(ctx).Language)
}

// Frame is the data of the layout; Body is that of the page.
type Frame struct {
	Site    string
	Section string // current section of the navigation
	Visitor auth.Identity
	Login   bool   // login is enabled
	Here    string // the page's address, to return to after login
	Said    string // flash message, "" for none
	Secret  bool   // the address or content is secret: no caching, no referrer, no indexing
	Body    any
	Main    template.HTML // the body, rendered
	Live    string        // address of the page's live stream, "" for none
	Kept    *Kept         // the main part, if it is cached; else it is rendered from Body
}

// Policy is the Content-Security-Policy of pages: style sheets, scripts, pictures, streams and forms of this origin
// only.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Back redirects to a page after a successful form (POST, redirect, GET). The page shows the text "said."+done as flash
// message; none for "".
func (k *Kit) Back(c echo.Context, path, done string) error {
	if done != "" {
		target, err := url.Parse(path)
		if err != nil {
			return err
		}
		query := target.Query()
		query.Set("said", done)
		target.RawQuery = query.Encode()
		path = target.String()
	}
	return c.Redirect(http.StatusSeeOther, path)
}

// flash returns the message that [Kit.Back] has put into the address.
func (k *Kit) flash(c echo.Context) string {
	name := c.QueryParam("said")
	if name == "" {
		return ""
	}
	text, err := k.Reader(c).Text("said." + name)
	if err != nil { // no form leads to this address
		return ""
	}
	return text
}

// Show answers 200 with a page, or 304 if the client's copy is current.
func (k *Kit) Show(c echo.Context, page, section string, body any) error {
	return k.Answer(c, http.StatusOK, page, Frame{Section: section, Body: body})
}

// ShowKept is Show for a page with a main part that is cached; body has the data of the title.
func (k *Kit) ShowKept(c echo.Context, page, section string, body any, kept Kept) error {
	return k.Answer(c, http.StatusOK, page, Frame{Section: section, Body: body, Kept: &kept})
}

// Answer renders a page in the layout. It sets all of the frame but Section, Secret and Body. For an open page that is
// followed it renders the part below the head.
func (k *Kit) Answer(c echo.Context, status int, page string, f Frame) error {
	f.Site, f.Visitor = k.Club(c.Request().Context()).Name, auth.Session(c)
	f.Login, f.Here = k.Guard != nil, c.Request().URL.RequestURI()
	f.Said = k.flash(c)
	if f.Secret {
		f.Here = "/"
	}
	main, answered, err := k.main(c, status, page, f.Body, f.Kept)
	if answered || err != nil {
		return err
	}
	f.Main, f.Live = template.HTML(main.html), k.liveAddress(c, status, main) // templates escape their values
	html, err := k.Render(k.Reader(c), page, "layout", f)
	if err != nil {
		return err
	}
	to := ReaderOf(f.Visitor)
	if f.Secret {
		to = noStore
	}
	return k.Send(c, status, html, Policy, to)
}

// Audience determines the cache headers of a page.
type Audience int

// The audiences of a page.
const (
	ToAll        Audience = iota // the same for all visitors
	cachePrivate                 // for a single visitor
	noStore                      // secret
)

// ReaderOf returns the audience of a page for a visitor.
func ReaderOf(who auth.Identity) Audience {
	if who.Anonymous() {
		return ToAll
	}
	return cachePrivate
}

// Send answers with a rendered page under a content security policy, or 304 if the client's copy is current.
func (k *Kit) Send(c echo.Context, status int, html []byte, policy string, to Audience) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache")
	if to != ToAll {
		header.Set("Cache-Control", "private, no-cache")
	}
	header.Add("Vary", "Cookie")
	header.Add("Vary", "Accept-Language")
	if to == noStore {
		// With no-referrer, browsers would send forms with the Origin "null", which is rejected as cross-origin.
		header.Set("Referrer-Policy", "strict-origin")
		header.Set("Cache-Control", "no-store")
		header.Set("X-Robots-Tag", "noindex")
		return c.HTMLBlob(status, html)
	}
	if status == http.StatusOK {
		tag := `"` + digest(html) + `"`
		header.Set("ETag", "W/"+tag) // weak: the same for all encodings
		if matches(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	return c.HTMLBlob(status, html)
}

// digest returns 96 bits of the SHA-256, in hex: short enough for a header, and collisions are negligible.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// matches reports whether an If-None-Match header has the tag, strong or weak: a compressing proxy weakens it.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}

// File answers with content for other programs, the same for all visitors, or 304 if the client's copy is current.
func (k *Kit) File(c echo.Context, kind string, content []byte) error {
	header := c.Response().Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	header.Add("Vary", "Accept-Language")
	tag := `"` + digest(content) + `"`
	header.Set("ETag", tag)
	if matches(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(304)
	}
	return c.Blob(200, kind, content)
}

// BareFrame is the data of a page without navigation: for print, wall displays and embedding on other sites.
type BareFrame struct {
	Site string
	Kind string // CSS class of the page
	Made int64  // time of rendering, ms UTC; 0 to keep the ETag of an unchanged page
	Body any
	Main template.HTML // the body, rendered
	Live string        // see Frame
	Kept *Kept         // see Frame
}

// Bare answers with a page without navigation, in the visitor's language.
func (k *Kit) Bare(c echo.Context, page string, f BareFrame) error {
	return k.BareUnder(c, Policy, ReaderOf(auth.Session(c)), page, f)
}

// BareUnder is Bare under a content security policy, for an audience.
func (k *Kit) BareUnder(c echo.Context, policy string, to Audience, page string, f BareFrame) error {
	f.Site = k.Club(c.Request().Context()).Name
	main, answered, err := k.main(c, http.StatusOK, page, f.Body, f.Kept)
	if answered || err != nil {
		return err
	}
	f.Main, f.Live = template.HTML(main.html), k.liveAddress(c, http.StatusOK, main) // templates escape their values
	html, err := k.Render(k.Reader(c), page, "bare", f)
	if err != nil {
		return err
	}
	return k.Send(c, http.StatusOK, html, policy, to)
}

// embedPolicy lets any site show a page in a frame. The page has no forms and knows no visitor.
const embedPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors *"

// Embed answers with a page for a frame on another site. Its main part is cached; body has the data of the title.
func (k *Kit) Embed(c echo.Context, page string, body any, kept Kept) error {
	header := c.Response().Header()
	header.Del("X-Frame-Options") // the policy's frame-ancestors replaces it
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	header.Del("Cross-Origin-Opener-Policy")
	return k.BareUnder(c, embedPolicy, ToAll, page, BareFrame{Kind: "embed", Body: body, Kept: &kept})
}
