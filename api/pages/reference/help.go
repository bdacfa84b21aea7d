// Package reference is the pages to look things up in: the rules of the games, help for players, and the
// problems of the API.
package reference

import (
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"quatuor/api/pages/chart"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/engine/catalog/rulebook"
)

// questions are the pages of the help, in the order of players' questions. The first is at /help.
var questions = []string{"join", "phone", "rating"}

// helpBody holds the data of a page of the help.
type helpBody struct {
	Questions []string
	Question  string
	Address   *kit.Link     // of the club, on the first page
	Picture   template.HTML // on the others
}

// help serves the answer to a first question of players, with its picture.
func (p *Pages) help(c echo.Context) error {
	body := helpBody{Questions: questions, Question: questions[0]}
	if asked := c.Param("question"); asked != "" {
		body.Question = asked
	}
	if !slices.Contains(questions, body.Question) {
		return kit.ErrMissing
	}
	var err error
	switch in := p.Reader(c); body.Question {
	case "join":
		body.Address, err = p.Link(c, "/", "", "", time.Time{})
	case "phone":
		body.Picture, err = p.drawMove(in)
	case "rating":
		body.Picture, err = p.drawCourse(in)
	}
	if err != nil {
		return err
	}
	return p.Show(c, "help", "", body)
}

// drawMove draws a board after a move, as a game's page does.
func (p *Pages) drawMove(in *message.Printer) (template.HTML, error) {
	caption, err := in.Text("help.phone.picture")
	if err != nil {
		return "", err
	}
	return drawFigure(in, "quixo", rulebook.Block{Figure: "quixo-push", Spans: []rulebook.Span{{Text: caption}}})
}

// drawCourse draws the rating of a player new to a list: large steps at first, small steps afterwards.
func (p *Pages) drawCourse(in *message.Printer) (template.HTML, error) {
	title, err := in.Text("help.rating.picture")
	if err != nil {
		return "", err
	}
	first := time.Date(2026, time.September, 3, 18, 0, 0, 0, time.UTC)
	var points []chart.Point
	for week, value := range []float64{1500, 1556, 1523, 1571, 1598, 1580, 1592, 1601, 1594, 1603, 1611, 1607} {
		points = append(points, chart.Point{At: first.AddDate(0, 0, 7*week).UnixMilli(), Value: value})
	}
	return chart.Draw(points, chart.Picture{ID: "course", Title: title, In: in, Zone: p.Zone()}), nil
}

// kept are the kinds of data in the table of the page about privacy, with the texts privacy.KIND.what, .why and .long.
var kept = []string{
	"account", "sessions", "player", "results", "boards", "casual", "admin_log", "replies", "server_log", "backups",
}

// privacyBody holds the data of the page about privacy.
type privacyBody struct {
	Imprint []string // paragraphs of the club's own, none without
	Kept    []string
	Mails   bool // the service sends e-mails
}

// privacy serves the data stored about people, the reason and the time, and the people responsible.
func (p *Pages) privacy(c echo.Context) error {
	body := privacyBody{Kept: kept, Mails: p.mails}
	if p.mails {
		body.Kept = append(slices.Clone(kept), "mail")
	}
	if text := p.Club(c.Request().Context()).Imprint; text != "" {
		body.Imprint = strings.Split(text, "\n")
	}
	return p.Show(c, "privacy", "", body)
}

// Pages are the rules, the help, the problems, and the stored data about people.
type Pages struct {
	*kit.Kit
	mails bool // the service sends e-mails
}

// New returns the pages.
func New(k *kit.Kit, mails bool) *Pages { return &Pages{k, mails} }

// Mount adds the pages.
func (p *Pages) Mount(e *echo.Echo) {
	p.Routes(e, map[string]echo.HandlerFunc{
		"/help":           p.help,
		"/help/:question": p.help,
		"/privacy":        p.privacy,
		"/problems":       p.problems,
		"/problems/:slug": p.problem,
		"/rules":          p.rules,
		"/rules/:game":    p.rulesOfGame,
	})
}
