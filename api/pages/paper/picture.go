package paper

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/standings"
)

// picture serves a picture of a tournament's public data.
func (p *Pages) picture(c echo.Context) error {
	t, err := p.PublicTournament(c)
	if err != nil {
		return err
	}
	in, site := p.Reader(c), p.Club(c.Request().Context()).Name
	key := kit.PictureKey{ID: t.ID, Version: t.Version, Site: site, Language: in.Language()}
	drawn, err := p.pictures.Load(key, func() ([]byte, error) {
		return drawTournament(t, in, site)
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	return p.File(c, "image/png", drawn)
}

// drawTournament draws the name of a tournament, its stage, and its first three.
func drawTournament(t *tournament.Tournament, in *message.Printer, site string) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, kit.PictureWidth, kit.PictureHeight))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(kit.Baize), image.Point{}, draw.Src)
	pen := kit.Pen{To: canvas, X: kit.PictureMargin, Y: kit.PictureMargin, Width: kit.PictureWidth - 2*kit.PictureMargin}
	pen.Write(site, 0, 32, kit.Dimmed, 1)
	pen.Y += 24
	pen.Write(t.Name, 1, 72, kit.Chalk, 2)
	pen.Y += 16
	stage := in.Variant(t.Variant) + " · " + kit.Named(in, "words.format", t.Format)
	last := t.PublishedRounds()
	if last > 0 {
		stage += " · " + results.AsOfRound(t, last).Words(in)
	}
	pen.Write(stage, 0, 34, kit.Dimmed, 1)
	pen.Y += 24
	if last > 0 {
		table, err := standings.After(t, last)
		if err != nil {
			return nil, err
		}
		for _, row := range table.Rows[:min(3, len(table.Rows))] {
			line := strconv.Itoa(row.Rank) + ".  " + row.Entry.Name
			if !t.Format.Eliminates() {
				line += "   " + in.Decimal(kit.Halves(row.Points.String()))
			}
			pen.Write(line, 0, 42, kit.Chalk, 1)
		}
	} else {
		pen.Write(kit.Say(in, "tournament.entries", "Count", len(t.Entries)), 0, 42, kit.Chalk, 1)
	}
	if pen.Err != nil {
		return nil, pen.Err
	}
	var out bytes.Buffer
	err := png.Encode(&out, canvas)
	return out.Bytes(), err
}
