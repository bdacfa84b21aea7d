package tournaments

import (
	"strconv"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// reasonsBody is the page that explains a round's pairings.
type reasonsBody struct {
	*tournament.Tournament
	*pairing.Explanation
	Boards []reasonLine
}

// reasonLine is the reason of a board's pairing.
type reasonLine struct {
	pairing.BoardReason
	Names []string // in seat order
}

// ByHand reports whether the arbiter set the board.
func (l reasonLine) ByHand() bool { return l.Source == pairing.ByHand }

// reasoned reports whether the pairings of a tournament can be explained, and the visitor may see it.
func reasoned(t *tournament.Tournament, staff bool) bool {
	return staff || !t.Rules.HideReasons
}

func (p *Pages) reasons(c echo.Context) error {
	t, staff, err := p.VisibleTournament(c)
	if err != nil {
		return err
	}
	round, err := strconv.Atoi(c.Param("round"))
	if err != nil || round < 1 || !reasoned(t, staff) {
		return kit.ErrMissing
	}
	if _, err := results.Of(t, staff, round); err != nil {
		return err
	}
	why, err := p.Tournaments.Explain(c.Request().Context(), t, round, staff)
	if err != nil {
		return err
	}
	body := reasonsBody{Tournament: t, Explanation: why, Boards: make([]reasonLine, len(why.Boards))}
	names := make(map[string]string, len(t.Entries))
	for _, e := range t.Entries {
		names[e.ID] = e.Name
	}
	for i, b := range why.Boards {
		body.Boards[i].BoardReason = b
		for _, id := range b.Seats {
			body.Boards[i].Names = append(body.Boards[i].Names, names[id])
		}
	}
	return p.Show(c, "reasons", "tournaments", body)
}
