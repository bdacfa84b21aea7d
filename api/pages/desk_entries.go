package pages

import "github.com/labstack/echo/v4"

// mountDeskEntries adds the forms of the tab Entries.
func (p *Pages) mountDeskEntries(*echo.Echo) {}

// entriesPart is what the tab Entries shows.
type entriesPart struct{}

func (p *Pages) deskEntries(_ echo.Context, b *deskBody) error {
	b.Part = entriesPart{}
	return nil
}
