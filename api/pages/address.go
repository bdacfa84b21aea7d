package pages

import "github.com/labstack/echo/v4"

// address returns the address of the installation, for what is read elsewhere: as configured, or where the request came
// to. What depends on it must not be shared between requests.
func (p *Pages) address(c echo.Context) string {
	if address := p.Club(c.Request().Context()).Address; address != "" {
		return address
	}
	if c.Request().Host == "" {
		return "" // there is no request: a file is made
	}
	return c.Scheme() + "://" + c.Request().Host
}
