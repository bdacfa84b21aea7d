package lobby

import (
	"context"
	"slices"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/play"
	"quatuor/engine/table"
)

// homeInvitations is the number of invitations on the first page.
const homeInvitations = 20

// InvitationLine is a game that waits for players to accept.
type InvitationLine struct {
	play.GameLine
	Rated   bool
	Asked   bool // waits for the visitor's answer
	Waiting []kit.Person
}

// Invitations lists the games with the visitor that wait for players, those first that wait for the visitor.
func (p *Pages) Invitations(ctx context.Context, player string) ([]InvitationLine, error) {
	if player == "" {
		return nil, nil
	}
	rows, _, err := p.GameList.List(ctx, table.Filter{Player: player, Invited: true}, homeInvitations, "")
	if err != nil {
		return nil, err
	}
	lines, err := p.play.GameLines(ctx, rows)
	if err != nil {
		return nil, err
	}
	list := make([]InvitationLine, len(rows))
	for i, row := range rows {
		who, err := p.Look(ctx, row.Players...)
		if err != nil {
			return nil, err
		}
		list[i] = InvitationLine{lines[i], row.Rated, row.Invites(player), play.Awaited(row, who)}
	}
	slices.SortStableFunc(list, func(a, b InvitationLine) int {
		switch {
		case a.Asked == b.Asked:
			return 0
		case a.Asked:
			return -1
		}
		return 1
	})
	return list, nil
}
