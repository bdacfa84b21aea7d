package kit

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg" // a format of logos
	_ "image/png"  // likewise
	"net/http"
	"os"

	"github.com/labstack/echo/v4"
)

// Logo is the club's picture on its home page, on player cards and on badges.
type Logo struct {
	content []byte
	kind    string // MIME type
}

// Limits of a logo's file.
const (
	maxLogoBytes = 64 << 10
	maxLogoSide  = 2000 // pixels
)

// ReadLogo reads a logo from a file. The error explains the fault of the file.
func ReadLogo(file string) (*Logo, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxLogoBytes {
		return nil, fmt.Errorf("%s has %d bytes; a logo has at most %d", file, info.Size(), maxLogoBytes)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%s is not a PNG or JPEG picture: %w", file, err)
	}
	if max(config.Width, config.Height) > maxLogoSide {
		return nil, fmt.Errorf("%s is %d × %d pixels large; a logo has at most %d × %d",
			file, config.Width, config.Height, maxLogoSide, maxLogoSide)
	}
	if _, _, err = image.Decode(bytes.NewReader(content)); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", file, err)
	}
	return &Logo{content, "image/" + format}, nil
}

// logoAddress is the path of the logo, if the club has a logo.
const logoAddress = "/logo"

func (k *Kit) logo(c echo.Context) error {
	if k.Logo == nil {
		return k.Error(c, http.StatusNotFound)
	}
	return k.File(c, k.Logo.kind, k.Logo.content)
}

// logoAt returns the address of the logo for templates; "" if there is none.
func (k *Kit) logoAt() string {
	if k.Logo == nil {
		return ""
	}
	return logoAddress
}
