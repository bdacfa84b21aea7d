// Package reference is the pages to look things up in: the rules of the games, help for players, and the
// problems of the API.
package reference

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
)

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
