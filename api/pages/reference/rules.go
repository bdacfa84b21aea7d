package reference

import (
	"html/template"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/board"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/catalog/rulebook"
	"quatuor/engine/record"
)

// rulesBody holds the list of the games' rules.
type rulesBody struct {
	Language  string
	Languages []string
	Heading   string // in the language of the rules
	Games     []rulebook.Text
}

// rulesTextBody holds the data of the page with the rules of a game.
type rulesTextBody struct {
	rulebook.Text
	Languages []string
	Figures   map[string]template.HTML // by name
}

func (p *Pages) rules(c echo.Context) error {
	body := rulesBody{Language: p.rulesLanguage(c), Languages: rulebook.Languages()}
	heading, err := p.Texts.Match(body.Language).Text("rules.list")
	if err != nil {
		return err
	}
	body.Heading = heading
	for _, game := range catalog.Games() {
		if text, ok := p.rulesText(game, body.Language); ok {
			body.Games = append(body.Games, text)
		}
	}
	return p.Show(c, "rules", "rules", body)
}

// rulesText returns the rules of a game as far as its variants are played here; false if none is.
func (p *Pages) rulesText(game, language string) (rulebook.Text, bool) {
	text, ok := rulebook.Find(game, language)
	offered := p.Offered(game)
	return text.For(offered...), ok && len(offered) > 0
}

func (p *Pages) rulesOfGame(c echo.Context) error {
	text, ok := p.rulesText(c.Param("game"), p.rulesLanguage(c))
	if !ok {
		return kit.ErrMissing
	}
	body := rulesTextBody{Text: text, Languages: rulebook.Languages(), Figures: map[string]template.HTML{}}
	for _, s := range text.Sections {
		for _, b := range s.Blocks {
			if b.Figure == "" {
				continue
			}
			svg, err := drawFigure(p.Reader(c), text.Game, b)
			if err != nil {
				return err
			}
			body.Figures[b.Figure] = svg
		}
	}
	return p.Show(c, "rules-game", "rules", body)
}

// drawFigure draws the last position of a figure's game, as a spectator sees it.
func drawFigure(in *message.Printer, game string, b rulebook.Block) (template.HTML, error) {
	f := catalog.FaceOf(game).Figures()[b.Figure]
	m, refused := record.Play(record.Game{Variant: f.Variant, Seed: f.Seed, Moves: strings.Fields(f.Moves)})
	if refused != nil {
		return "", engine.Refuse(engine.ErrSetup, "figure %s: %s", b.Figure, refused.Message)
	}
	var caption strings.Builder
	for _, s := range b.Spans {
		caption.WriteString(s.Text)
	}
	return board.Draw(m.Project(engine.Viewer{}), board.Picture{ID: b.Figure, Title: caption.String(), In: in}), nil
}

// rulesLanguage returns the requested language, the reader's, or another that the browser accepts, whichever has rules
// first.
func (p *Pages) rulesLanguage(c echo.Context) string {
	known := rulebook.Languages()
	if asked := c.QueryParam("lang"); slices.Contains(known, asked) {
		return asked
	}
	if own := p.Reader(c).Language(); slices.Contains(known, own) {
		return own
	}
	for part := range strings.SplitSeq(c.Request().Header.Get("Accept-Language"), ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
		if slices.Contains(known, primary) {
			return primary
		}
	}
	return known[0]
}
