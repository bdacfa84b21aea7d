package kit

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

// Address returns the address of the installation, for what is read elsewhere: as configured or found out, or where the
// request came to, which is a name or an address of this service. What a client says of other servers before this one
// (X-Forwarded-Host, X-Forwarded-Proto) counts for nothing. What depends on the address must not be shared between
// requests.
func (k *Kit) Address(c echo.Context) string {
	r := c.Request()
	switch address := k.Club(r.Context()).Address; {
	case address != "":
		return address
	case r.Host == "":
		return "" // there is no request: a file is made
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// Near reports whether an address leads to this machine alone.
func Near(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	name := u.Hostname()
	return name == "localhost" || name == "::1" || strings.HasPrefix(name, "127.")
}
