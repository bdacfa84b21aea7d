package desk

import (
	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
)

// prizesPart holds the data of the tab Prizes.
type prizesPart struct {
	forms.PrizeForm
	Seen string
}

func (p *Pages) prizes(_ echo.Context, b *deskBody) error {
	b.Part = prizesPart{forms.NewPrizes(b.Prizes, b.Field), unquoted(command.Tag(b.Prizes))}
	return nil
}

func (p *Pages) savePrizes(c echo.Context) error {
	return deskRun(p, c, deskForm{tab: "prizes", said: "saved"}, command.SetPrizes,
		func(*tournament.Tournament) (tournament.Prizes, error) { return forms.ReadPrizes(c.Request().Form) })
}
