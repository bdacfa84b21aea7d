package kit

import (
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/pages/qrcode"
)

// Get adds a page at a route.
func (k *Kit) Get(e *echo.Echo, route string, handler echo.HandlerFunc) {
	e.Match([]string{http.MethodGet, http.MethodHead}, route, k.Guarded(handler))
}

// Routes adds pages, and redirects to them from addresses with a trailing slash.
func (k *Kit) Routes(e *echo.Echo, handlers map[string]echo.HandlerFunc) {
	for route, handler := range handlers {
		k.Get(e, route, handler)
		if route != "/" {
			e.Match([]string{http.MethodGet, http.MethodHead}, route+"/", withoutSlash)
		}
	}
}

// Post adds a form at a route, with the target of its command.
func (k *Kit) Post(e *echo.Echo, route string, on command.Target, handler echo.HandlerFunc) {
	k.targets[route] = on
	e.POST(route, k.Guarded(handler))
}

// Target returns the target of the form at a route.
func (k *Kit) Target(route string) command.Target { return k.targets[route] }

func withoutSlash(c echo.Context) error {
	target := *c.Request().URL
	target.Path = strings.TrimRight(target.Path, "/")
	target.RawPath = ""
	return c.Redirect(http.StatusMovedPermanently, target.RequestURI())
}

// Mount adds the multiplexed stream, the static files and the logo.
func (k *Kit) Mount(e *echo.Echo) {
	k.Routes(e, map[string]echo.HandlerFunc{"/live": k.live})
	e.Match([]string{http.MethodGet, http.MethodHead}, "/static/:file", k.static)
	k.Get(e, logoAddress, k.logo)
}

// Address returns the base URL of the installation, for links in files, QR codes and feeds: the configured or detected
// address, else that of the request, with a Host that has been checked. X-Forwarded-Host and X-Forwarded-Proto are
// ignored, since any client can set them. Output that contains the address must not be cached across requests.
func (k *Kit) Address(c echo.Context) string {
	r := c.Request()
	switch address := k.Club(r.Context()).Address; {
	case address != "":
		return address
	case r.Host == "":
		return "" // a file is written without a request
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// Near reports whether the host of a URL is localhost or a loopback address.
func Near(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := u.Hostname()
	return name == "localhost" || name == "::1" || strings.HasPrefix(name, "127.")
}

// Link is a URL with its QR code.
type Link struct {
	Address string
	QR      template.HTML
	Until   int64 // expiry, ms UTC; 0 for none
}

// Link returns the absolute URL of a path of this service, with a query parameter unless name is "".
func (k *Kit) Link(c echo.Context, path, name, value string, until time.Time) (*Link, error) {
	l := &Link{Address: k.Address(c) + path}
	if name != "" {
		l.Address += "?" + url.Values{name: {value}}.Encode()
	}
	if !until.IsZero() {
		l.Until = until.UnixMilli()
	}
	title, err := k.Reader(c).Text("accounts.qr")
	if err != nil {
		return nil, err
	}
	l.QR, err = qrcode.SVG(l.Address, title)
	return l, err
}

// FormID returns the id of the thing that a form of the visitor makes, by the key in the form, so that it is made once
// however often the form is sent; [ErrUnreadable] for a key that no form has.
func FormID(c echo.Context, kind, key string) (string, error) {
	parsed, err := uuid.Parse(key)
	if err != nil {
		return "", ErrUnreadable
	}
	of := kind + "\n" + auth.Session(c).AccountID + "\n" + parsed.String()
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(of)).String(), nil
}
