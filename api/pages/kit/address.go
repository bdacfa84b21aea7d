package kit

import (
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"
)

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
