package play

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"image"
	"image/draw"
	"image/png"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/engine"
	"quatuor/engine/table"
)

// shot is a position of a game as a picture shows it.
type shot struct {
	id      string
	version int64
	svg     template.HTML
	title   string
	words   []string
}

// shoot draws the position of an address as every spectator may see it, whatever the visitor's rights: pictures are
// cached, shared and shown by other sites.
func (p *Pages) shoot(c echo.Context) (shot, error) {
	s, _, err := p.spectated(c.Request().Context(), c.Param("id"))
	if err != nil {
		return shot{}, err
	}
	flip, at, v := FlipOf(c, s.Game.Seats), s, engine.Viewer{}
	if text := c.QueryParam("ply"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > s.Game.Plies {
			return shot{}, kit.ErrMissing
		}
		if at, err = s.AtPly(n); err != nil {
			return shot{}, err
		}
		v = s.FinalViewer(v)
	}
	if at.Match == nil || at.Unrecorded() {
		return shot{}, kit.ErrMissing
	}
	who, err := p.Look(c.Request().Context(), s.Game.Players...)
	if err != nil {
		return shot{}, err
	}
	line, err := LineOf(s.Game, who)
	if err != nil {
		return shot{}, err
	}
	if err := p.NameEvent(c.Request().Context(), &line); err != nil {
		return shot{}, err
	}
	in := p.Reader(c)
	words := []string{
		in.Variant(s.Game.Variant), kit.Say(in, "steps.at", "Ply", at.Game.Plies, "Plies", s.Game.Plies),
	}
	if line.Event != "" {
		place := kit.AtTable("board_page.place", line.Tables)
		words = append(words,
			line.Event+", "+kit.Say(in, place, "Round", line.Place.Round, "Board", line.Place.Board))
	}
	svg := board.Draw(position(at, v), board.Picture{
		ID: "board", Title: line.Title(), In: in, Turn: turnedOn(s.Game.Seats, 0, flip),
	})
	key := fmt.Sprintf("%s?ply=%d&flip=%d&now=%t", s.Game.ID, at.Game.Plies, flip, at == s)
	return shot{key, s.Game.Version, svg, line.Title(), words}, nil
}

// boardFile serves the picture of a board as SVG.
func (p *Pages) boardFile(c echo.Context) error {
	drawn, err := p.shoot(c)
	if err != nil {
		return err
	}
	content, err := p.paint().File(drawn.svg)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	return p.File(c, "image/svg+xml", content)
}

// boardPicture serves the picture that other sites show beside a link to a game (Open Graph): the board and the
// players.
func (p *Pages) boardPicture(c echo.Context) error {
	drawn, err := p.shoot(c)
	if err != nil {
		return err
	}
	site := p.Club(c.Request().Context()).Name
	shown := drawn.id + "\n" + drawn.title // which has the players' names: they change without the game
	key := kit.PictureKey{ID: shown, Version: drawn.version, Site: site, Language: p.Reader(c).Language()}
	content, err := p.pictures.Load(key, func() ([]byte, error) {
		return p.drawShot(drawn, site)
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	return p.File(c, "image/png", content)
}

// drawShot draws a board beside the players' names.
func (p *Pages) drawShot(s shot, site string) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, kit.PictureWidth, kit.PictureHeight))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(kit.Baize), image.Point{}, draw.Src)
	const edge = 24
	wide := image.Rect(0, 0, kit.PictureHeight, kit.PictureHeight)
	draw.Draw(canvas, wide, image.NewUniform(kit.Chalk), image.Point{}, draw.Src)
	fonts, err := kit.Typefaces()
	if err != nil {
		return nil, err
	}
	if err := p.paint().Draw(s.svg, canvas, wide.Inset(edge), fonts); err != nil {
		return nil, err
	}
	pen := kit.Pen{
		To: canvas, X: kit.PictureHeight + 2*edge, Y: kit.PictureMargin, Width: kit.PictureWidth - kit.PictureHeight - 4*edge,
	}
	pen.Write(site, 0, 28, kit.Dimmed, 1)
	pen.Y += 20
	pen.Write(s.title, 1, 52, kit.Chalk, 4)
	pen.Y += 20
	for _, line := range s.words {
		pen.Write(line, 0, 30, kit.Dimmed, 2)
		pen.Y += 8
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = errors.Join(pen.Err, encoder.Encode(&out, canvas))
	return out.Bytes(), err
}

// pictured reports whether the pictures of a game show the position of its page: not if the viewer is ahead of
// spectators.
func pictured(s *table.Snapshot) bool {
	return s.Match != nil && !s.Unrecorded() && (!s.Game.Delayed() || s.Past())
}

// Picture is the address of a picture of the position shown, by its kind.
func (g GameBody) Picture(kind string) string {
	path, query, found := strings.Cut(g.To(-1), "?")
	if g.Ply != nil {
		path, query, found = strings.Cut(g.To(g.Ply.At), "?")
	}
	if found {
		query = "?" + query
	}
	return path + "/board." + kind + query
}

// newPaint reads how boards look from the pages' style sheet.
func newPaint(files kit.Assets) *board.Paint {
	paint, err := board.NewPaint(string(files["page.css"].Content))
	if err != nil {
		panic(err) // it is part of the program
	}
	return paint
}
