package reference

import "github.com/labstack/echo/v4"

// help serves the answers to players' first questions.
func (p *Pages) help(c echo.Context) error { return p.Show(c, "help", "", nil) }
