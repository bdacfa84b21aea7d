package kit

import (
	"html/template"
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
)

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
