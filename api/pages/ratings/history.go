package ratings

import (
	"html/template"

	"quatuor/api/pages/chart"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/rating/ledger"
)

// DrawHistory draws the rating after each game, from the one before the first.
func (p *Pages) DrawHistory(in *message.Printer, list, name string, history []ledger.Row) template.HTML {
	if len(history) < 2 {
		return ""
	}
	points := []chart.Point{{At: history[0].At, Value: history[0].Before}}
	for _, row := range history {
		points = append(points, chart.Point{At: row.At, Value: row.After})
	}
	return chart.Draw(points, chart.Picture{
		ID: "chart-" + message.Family(list) + "-" + kit.Class(list), Title: name, In: in, Zone: p.Zone(),
	})
}
