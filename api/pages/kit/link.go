package kit

import (
	"html/template"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/qrcode"
)

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
