package pages

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"sync"

	"github.com/labstack/echo/v4"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// The picture that other sites show beside a link to a tournament (Open Graph), in pixels.
const (
	pictureWidth, pictureHeight = 1200, 630
	pictureMargin               = 72
)

var (
	baize  = color.RGBA{0x14, 0x59, 0x4a, 0xff}
	chalk  = color.RGBA{0xff, 0xff, 0xff, 0xff}
	dimmed = color.RGBA{0xc9, 0xdf, 0xd8, 0xff}
)

// typefaces are the two fonts of pictures; they come with the program.
var typefaces = sync.OnceValues(func() (fonts [2]*opentype.Font, err error) {
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		if fonts[i], err = opentype.Parse(data); err != nil {
			return fonts, err
		}
	}
	return fonts, nil
})

// pictureKey names what a picture depends on.
type pictureKey struct {
	id       string
	version  int64
	site     string
	language string
}

// picture answers with a drawing of what the public knows of a tournament.
func (p *Pages) picture(c echo.Context) error {
	t, err := p.public(c)
	if err != nil {
		return err
	}
	in, site := p.reader(c), p.Club(c.Request().Context()).Name
	drawn, err := p.pictures.Load(pictureKey{t.ID, t.Version, site, in.Language()}, func() ([]byte, error) {
		return drawTournament(t, in, site)
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	return p.file(c, "image/png", drawn)
}

// drawTournament draws the name of a tournament, where it stands, and its first three.
func drawTournament(t *tournament.Tournament, in *message.Printer, site string) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(baize), image.Point{}, draw.Src)
	pen := pen{to: canvas, x: pictureMargin, y: pictureMargin, width: pictureWidth - 2*pictureMargin}
	pen.write(site, 0, 32, dimmed, 1)
	pen.y += 24
	pen.write(t.Name, 1, 72, chalk, 2)
	pen.y += 16
	stage := variantName(in, t.Variant) + " · " + named(in, "words.format", t.Format)
	last := t.PublishedRounds()
	if last > 0 {
		stage += " · " + asOfRound(t, last).words(in)
	}
	pen.write(stage, 0, 34, dimmed, 1)
	pen.y += 24
	if last > 0 {
		table, err := standings.After(t, last)
		if err != nil {
			return nil, err
		}
		for _, row := range table.Rows[:min(3, len(table.Rows))] {
			line := itoa(row.Rank) + ".  " + row.Entry.Name
			if t.Format != tournament.Knockout {
				line += "   " + in.Decimal(halves(row.Points.String()))
			}
			pen.write(line, 0, 42, chalk, 1)
		}
	} else {
		pen.write(say(in, "tournament.entries", "Count", len(t.Entries)), 0, 42, chalk, 1)
	}
	if pen.err != nil {
		return nil, pen.err
	}
	var out bytes.Buffer
	err := png.Encode(&out, canvas)
	return out.Bytes(), err
}

// pen writes lines of text from top to bottom.
type pen struct {
	to    *image.RGBA
	x, y  int // where the next line begins
	width int
	err   error
}

// write writes a text in so many lines at most; what does not fit is left out, and "…" says so. weight is 1 for bold.
func (p *pen) write(text string, weight int, size float64, ink color.Color, lines int) {
	if p.err != nil {
		return
	}
	fonts, err := typefaces()
	if err != nil {
		p.err = err
		return
	}
	face, err := opentype.NewFace(fonts[weight], &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		p.err = err
		return
	}
	defer face.Close()
	drawer := font.Drawer{Dst: p.to, Src: image.NewUniform(ink), Face: face}
	for _, line := range wrap(text, lines, func(s string) bool { return drawer.MeasureString(s).Ceil() <= p.width }) {
		p.y += int(size * 1.25)
		drawer.Dot = fixed.P(p.x, p.y)
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
