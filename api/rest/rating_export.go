package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"quatuor/api/gen"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
	"quatuor/tournament/trf"
)

// maxExported is the maximum number of players in an exported list; clubs and federations have fewer.
const maxExported = 100_000

// ExportRanking returns a rating list as a file.
func (a *API) ExportRanking(ctx context.Context, r gen.ExportRankingIn) (gen.ExportRankingOut, error) {
	list, _, err := a.rankingAt(ctx, r.List, r.Params.At, r.Params.Active, maxExported, "")
	if err != nil {
		return nil, err
	}
	name := r.List
	if r.Params.At != nil {
		name += "-" + r.Params.At.String()
	}
	if r.Params.Format == gen.ExportRankingParamsFormatJSON {
		text, err := json.Marshal(gen.Ranking{List: r.List, Items: rankedPlayers(list)})
		return download{"application/json", name + ".json", text}, err
	}
	people, err := a.People.Players(ctx, each(list, func(r ledger.Ranked) string { return r.PlayerID }))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if r.Params.Format == gen.ExportRankingParamsFormatTrf {
		err := trf.WritePlayers(&b, playerLines(list))
		return download{"text/plain; charset=utf-8", name + ".trf", b.Bytes()}, err
	}
	return csvDownload(name, rankingRows(list, people))
}

func rankingRows(list []ledger.Ranked, people map[string]club.Player) [][]string {
	rows := [][]string{{"rank", "name", "club", "rating", "games", "last_game", "tournament_games"}}
	for _, r := range list {
		rows = append(rows, []string{
			strconv.Itoa(r.Rank), r.Name, people[r.PlayerID].Club,
			strconv.Itoa(int(math.Round(r.Rating.Value))), strconv.Itoa(r.Rating.Games),
			time.UnixMilli(r.LastAt).UTC().Format(time.DateOnly), strconv.Itoa(r.Rating.FromTournaments),
		})
	}
	return rows
}

// nameColumns is the width of a name in a 001 line.
const nameColumns = 33

// playerLines returns 001 lines. Birthdays are private, and not among them.
func playerLines(list []ledger.Ranked) []trf.Player {
	players := make([]trf.Player, len(list))
	for i, r := range list {
		name := []rune(r.Name)
		players[i] = trf.Player{
			Number: i + 1, Name: string(name[:min(len(name), nameColumns)]),
			Rating: strconv.Itoa(int(math.Round(r.Rating.Value))), NoPoints: true,
		}
	}
	return players
}
