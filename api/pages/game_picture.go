package pages

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

// shoot draws the position that an address names as every spectator may see it, whoever asks: what is kept, shared and
// shown by other sites holds no more.
func (p *Pages) shoot(c echo.Context) (shot, error) {
	s, err := p.spectated(c.Request().Context(), c.Param("id"))
	if err != nil {
		return shot{}, err
	}
	flip, at, v := flipOf(c, s.Game.Seats), s, engine.Viewer{}
	if text := c.QueryParam("ply"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > s.Game.Plies {
			return shot{}, errMissing
		}
		if at, err = s.AtPly(n); err != nil {
			return shot{}, err
		}
		v = s.FinalViewer(v)
	}
	if at.Match == nil || at.Unrecorded() {
		return shot{}, errMissing
	}
	who, err := p.look(c.Request().Context(), s.Game.Players...)
	if err != nil {
		return shot{}, err
	}
	line, err := lineOf(s.Game, who)
	if err != nil {
		return shot{}, err
	}
	if err := p.nameEvent(c.Request().Context(), &line); err != nil {
		return shot{}, err
	}
	in := p.reader(c)
	words := []string{variantName(in, s.Game.Variant), say(in, "steps.at", "Ply", at.Game.Plies, "Plies", s.Game.Plies)}
	if line.Event != "" {
		words = append(words, line.Event+", "+say(in, atTable("board_page.place", line.Tables), "Round", line.Place.Round, "Board", line.Place.Board))
	}
	svg := board.Draw(position(at, v), board.Picture{ID: "board", Title: line.Title(), In: in, Turn: turnedOn(s.Game.Seats, 0, flip)})
	key := fmt.Sprintf("%s?ply=%d&flip=%d&now=%t", s.Game.ID, at.Game.Plies, flip, at == s)
	return shot{key, s.Game.Version, svg, line.Title(), words}, nil
}

// boardFile answers with the picture of a board as SVG.
func (p *Pages) boardFile(c echo.Context) error {
	drawn, err := p.shoot(c)
	if err != nil {
		return err
	}
	content, err := p.paint.File(drawn.svg)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	return p.file(c, "image/svg+xml", content)
}

// boardPicture answers with the picture that other sites show beside a link to a game (Open Graph): the board, and who
// plays.
func (p *Pages) boardPicture(c echo.Context) error {
	drawn, err := p.shoot(c)
	if err != nil {
		return err
	}
	site := p.Club(c.Request().Context()).Name
	content, err := p.pictures.Load(pictureKey{drawn.id, drawn.version, site, p.reader(c).Language()}, func() ([]byte, error) {
		return p.drawShot(drawn, site)
	})
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	return p.file(c, "image/png", content)
}

// drawShot draws a board beside the names of who plays.
func (p *Pages) drawShot(s shot, site string) ([]byte, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(baize), image.Point{}, draw.Src)
	const edge = 24
	wide := image.Rect(0, 0, pictureHeight, pictureHeight)
	draw.Draw(canvas, wide, image.NewUniform(chalk), image.Point{}, draw.Src)
	fonts, err := typefaces()
	if err != nil {
		return nil, err
	}
	if err := p.paint.Draw(s.svg, canvas, wide.Inset(edge), fonts); err != nil {
		return nil, err
	}
	pen := pen{to: canvas, x: pictureHeight + 2*edge, y: pictureMargin, width: pictureWidth - pictureHeight - 4*edge}
	pen.write(site, 0, 28, dimmed, 1)
	pen.y += 20
	pen.write(s.title, 1, 52, chalk, 4)
	pen.y += 20
	for _, line := range s.words {
		pen.write(line, 0, 30, dimmed, 2)
		pen.y += 8
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err = errors.Join(pen.err, encoder.Encode(&out, canvas))
	return out.Bytes(), err
}

// pictured reports whether the pictures of a game show what its page shows: not to those who are ahead of its
// spectators.
func pictured(s *table.Snapshot) bool {
	return s.Match != nil && !s.Unrecorded() && (!s.Game.Delayed() || s.Past())
}

// Picture is the address of a picture of what the page shows, by its kind.
func (g gameBody) Picture(kind string) string {
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
func newPaint(files assets) *board.Paint {
	paint, err := board.NewPaint(string(files["page.css"].content))
	if err != nil {
		panic(err) // it is part of the program
	}
	return paint
}
