package results

import (
	"quatuor/api/pages/kit"
	"quatuor/tournament/director"
	"quatuor/tournament/ladder"
	"quatuor/tournament/league"
	"quatuor/tournament/series"
)

// Tournaments holds the list of tournaments, as their page and a publication show it.
type Tournaments struct {
	Drafts []director.Summary // for their staff
	Create bool               // the visitor may create tournaments
	Lines  []director.Summary
	Sort   string // the order, "" by state
	Next   string // cursor
	Series []series.Settings

	Ladders []ladder.Settings
	Leagues []league.Settings
	Seasons []series.Season
	Season  kit.Season
}
