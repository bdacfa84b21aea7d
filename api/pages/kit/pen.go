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

// The picture that other sites show beside a link to a tournament (Open Graph), in pixels.
const (
	PictureWidth  = 1200
	PictureHeight = 630
	PictureMargin = 72
)

var (
	// Baize is the ground of pictures.
	Baize = color.RGBA{0x14, 0x59, 0x4a, 0xff}
	// Chalk is the colour of texts.
	Chalk = color.RGBA{0xff, 0xff, 0xff, 0xff}
	// Dimmed is the colour of texts of less weight.
	Dimmed = color.RGBA{0xc9, 0xdf, 0xd8, 0xff}
)

// Typefaces are the two fonts of pictures; they come with the program.
var Typefaces = sync.OnceValues(func() (fonts [2]*opentype.Font, err error) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		if fonts[i], err = opentype.Parse(data); err != nil {
			return fonts, err
		}
	}
	return fonts, nil
})

// PictureKey names what a picture depends on.
type PictureKey struct {
	ID       string
	Version  int64
	Site     string
	Language string
}

// Pen writes lines of text from top to bottom.
type Pen struct {
	To    *image.RGBA
	X, Y  int // where the next line begins
	Width int
	Err   error
}

// Write writes a text in so many lines at most; what does not fit is left out, and "…" says so. weight is 1 for bold.
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

// wrap breaks a text at spaces into so many lines at most, each of which fits.
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
