package desk

import (
	"math"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/command"
	"quatuor/api/pages/forms"
	"quatuor/tournament"
)

// bonuses adds a penalty or a bonus of a team, or takes one back.
func (p *Pages) bonuses(c echo.Context) error {
	f := deskForm{tab: "entries", said: "saved", seen: func(t *tournament.Tournament) string { return command.Tag(t.Bonuses) }}
	return deskRun(p, c, f, command.SetBonuses, func(t *tournament.Tournament) ([]tournament.Bonus, error) {
		if back := c.FormValue("back"); back != "" {
			i, err := strconv.Atoi(back)
			if err != nil || i < 0 || i >= len(t.Bonuses) || command.Tag(t.Bonuses[i]) != c.FormValue("bonus-"+back) {
				return nil, command.ErrTagStale
			}
			return slices.Delete(slices.Clone(t.Bonuses), i, i+1), nil
		}
		form := c.Request().Form
		b := tournament.Bonus{Entry: form.Get("team"), Why: form.Get("reason")}
		in := &forms.FieldReader{Form: form}
		b.MP, b.GP = bonusPoints(in, "bonus_mp"), bonusPoints(in, "bonus_gp")
		b.After = in.Whole("after_round", 200)
		if len(in.Faults) > 0 {
			return nil, in.Faults
		}
		return append(slices.Clone(t.Bonuses), b), nil
	})
}

// bonusPoints reads points with at most one decimal, which may be negative.
func bonusPoints(in *forms.FieldReader, field string) tournament.Points {
	value, err := forms.Number(in.Form.Get(field), field)
	if err != nil || math.Abs(value) > 100 || math.Abs(math.Round(value*10)-value*10) > 1e-6 {
		in.Refuse(field, "%q is not possible; write a number with at most one decimal", in.Form.Get(field))
	}
	return tournament.Points(math.Round(value * 10))
}

// BonusTag names a penalty or bonus as the form saw it.
func (b *deskBody) BonusTag(of tournament.Bonus) string { return command.Tag(of) }
