package readers

import "github.com/labstack/echo/v4"

// designBody holds the data of the page of all components.
type designBody struct {
	Names []string // four players, two tournaments
}

// design serves a page with every component of docs/design.md.
func (p *Pages) design(c echo.Context) error {
	return p.Show(c, "design", "", designBody{[]string{
		"Ada Nowak", "Bruno Keller", "Chiara Rossi", "Dmitri Volkov", "Autumn Cup", "Club Open",
	}})
}
