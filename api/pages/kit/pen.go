package kit

import (
	"image"
	"image/color"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// Size and margin of the Open Graph preview of a tournament, pixels.
const (
	PictureWidth  = 1200
	PictureHeight = 630
	PictureMargin = 72
)

var (
	// Baize is the background colour of pictures.
	Baize = color.RGBA{0x14, 0x59, 0x4a, 0xff}
	// Chalk is the text colour.
	Chalk = color.RGBA{0xff, 0xff, 0xff, 0xff}
	// Dimmed is the colour of secondary text.
	Dimmed = color.RGBA{0xc9, 0xdf, 0xd8, 0xff}
)

// Typefaces returns the embedded fonts of pictures: regular, bold.
var Typefaces = sync.OnceValues(func() (fonts [2]*opentype.Font, err error) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		if fonts[i], err = opentype.Parse(data); err != nil {
			return fonts, err
		}
	}
	return fonts, nil
})

// PictureKey is the cache key of a picture.
type PictureKey struct {
	ID       string
	Version  int64
	Site     string
	Language string
}

// Pen draws lines of text from top to bottom.
type Pen struct {
	To    *image.RGBA
	X, Y  int // baseline of the last line, pixels
	Width int
	Err   error
}

// Write draws a text in at most that many lines, truncated with "…". weight is an index into [Typefaces]; size is in
// pixels.
func (p *Pen) Write(text string, weight int, size float64, ink color.Color, lines int) {
	if p.Err != nil {
		return
	}
	fonts, err := Typefaces()
	if err != nil {
		p.Err = err
		return
	}
	face, err := opentype.NewFace(fonts[weight], &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		p.Err = err
		return
	}
	defer face.Close()
	drawer := font.Drawer{Dst: p.To, Src: image.NewUniform(ink), Face: face}
	for _, line := range wrap(text, lines, func(s string) bool { return drawer.MeasureString(s).Ceil() <= p.Width }) {
		p.Y += int(size * 1.25)
		drawer.Dot = fixed.P(p.X, p.Y)
		drawer.DrawString(line)
	}
}

// wrap breaks a text at spaces into at most that many lines that fit, truncated with "…".
func wrap(text string, lines int, fits func(string) bool) (out []string) {
	rest := []rune(text)
	for len(rest) > 0 && len(out) < lines {
		cut := len(rest)
		for cut > 1 && !fits(string(rest[:cut])) {
			cut--
		}
		if cut == len(rest) {
			return append(out, string(rest))
		}
		if len(out) == lines-1 {
			for cut > 1 && !fits(string(rest[:cut])+"…") {
				cut--
			}
			return append(out, string(rest[:cut])+"…")
		}
		for at := cut; at > 0; at-- {
			if rest[at] == ' ' {
				cut = at
				break
			}
		}
		out = append(out, string(rest[:cut]))
		rest = rest[cut:]
		for len(rest) > 0 && rest[0] == ' ' {
			rest = rest[1:]
		}
	}
	return out
}
