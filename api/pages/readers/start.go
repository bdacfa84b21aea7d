package readers

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/pages/cards"
	"quatuor/api/pages/entries"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/lobby"
	"quatuor/api/pages/play"
	"quatuor/api/pages/results"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/scoring"
	"quatuor/tournament/slip"
)

const (
	// homeEvents is the maximum number of a player's tournaments on the first page.
	homeEvents = 6
	// answerShown is the time that an arbiter's answer to a call stays on it, in ms.
	answerShown = 30 * 60 * 1000
)

// startBody is a player's own part of the first page; a stream updates it.
type startBody struct {
	Turns       int   // games waiting for the player's move
	Until       int64 // when a notice goes, ms UTC; 0 for none
	Next        []nextGame
	Notices     []startNotice
	Teams       []entries.TeamLine
	Invitations []lobby.InvitationLine
	Mine        []play.MineLine
	Places      []startPlace
	Evenings    []entries.Evening // of Keizer seasons, for the player to announce coming or not
	Matches     []entries.MyTeam  // the player's teams over several boards
}

// Waits lists the games that wait for the player's move, with their turns: "ID:TURN ID:TURN".
func (b startBody) Waits() string {
	var waits []string
	for _, line := range b.Mine {
		if line.Mine {
			waits = append(waits, line.ID+":"+strconv.Itoa(line.Turn))
		}
	}
	return strings.Join(waits, " ")
}

// nextGame is the player's game in the round of a tournament that is going on.
type nextGame struct {
	cards.CardRound
	Event, Tournament string
	Variant           string
	StartsAt          int64  // ms UTC; 0 if it has started, or has no time of its own
	Own               string // the entry's name where that is a team
	Slip              bool   // it is played in the hall, and its result can be reported
	Tables            bool   // several sit at a table there
}

// startNotice is a notice with the page to handle it on.
type startNotice struct {
	Kind   string // "confirm", "disputed", "seen" or "settled"
	Event  string
	Board  int
	Tables bool // the board is a table of several
	Target string
	At     int64
}

// startPlace is the player's place in a running tournament.
type startPlace struct {
	Event, Target string
	Rank, Of      int
	Points        tournament.Points
	Round         int
}

// start returns a player's own part of the first page.
func (p *Pages) start(ctx context.Context, who auth.Identity) (b startBody, err error) {
	if b.Teams, err = p.entries.Teams(ctx, who.PlayerID); err != nil {
		return b, err
	}
	if b.Invitations, err = p.lobby.Invitations(ctx, who.PlayerID); err != nil {
		return b, err
	}
	if b.Mine, err = p.play.Mine(ctx, who.PlayerID); err != nil {
		return b, err
	}
	for _, line := range b.Mine {
		if line.Mine {
			b.Turns++
		}
	}
	running := director.Filter{Status: []tournament.Status{tournament.Running}, Player: who.PlayerID, Leads: true}
	page, _, err := p.TournamentList.List(ctx, running, homeEvents, "")
	if err != nil {
		return b, err
	}
	for _, line := range page {
		t, err := p.Tournaments.Tournament(ctx, line.ID)
		if err != nil {
			return b, err
		}
		if err := p.startEvent(ctx, &b, t.PublicTo(who.PlayerID), who.PlayerID); err != nil {
			return b, err
		}
	}
	return b, nil
}

// startEvent adds a player's part in a tournament. It gets the public view: draft rounds stay hidden.
func (p *Pages) startEvent(ctx context.Context, b *startBody, t *tournament.Tournament, player string) error {
	b.Matches = append(b.Matches, entries.MyTeams(t, player, p.Now().UnixMilli())...)
	i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool { return slices.Contains(e.Members, player) })
	if i < 0 || t.Entries[i].Number == 0 {
		return nil
	}
	if evening := p.entries.EveningOf(t, player, p.Now().UnixMilli()); evening != nil {
		evening.Event = t.Name
		b.Evenings = append(b.Evenings, evening)
	}
	if _, listed := results.EntryAt(t, t.Entries[i].Number); !listed {
		return nil
	}
	card, err := p.cards.CardOf(ctx, t, t.Entries[i].Number)
	if err != nil {
		return err
	}
	if card.Rank > 0 {
		b.Places = append(b.Places, startPlace{
			Event: t.Name, Target: "/tournaments/" + t.ID + "/players/" + strconv.Itoa(card.Number), Rank: card.Rank,
			Of: len(t.Numbered()), Points: card.Points, Round: t.PublishedRounds(),
		})
	}
	if card.Next == nil || t.Teams != nil {
		return nil
	}
	next := nextGame{CardRound: *card.Next, Event: t.Name, Tournament: t.ID, Variant: t.Variant, Tables: t.AtTables()}
	if len(card.Entry.Members) > 1 {
		next.Own = card.Entry.Name
	}
	if next.GameID != "" {
		s, err := p.Games.Snapshot(ctx, next.GameID)
		if err != nil {
			return err
		}
		if s.Game.StartsAt != 0 && s.Game.StartedAt == 0 {
			next.StartsAt = s.Game.StartsAt
		}
	}
	next.Slip = next.GameID == "" && slip.Open(t, next.Number) &&
		scoring.Reportable(t, next.Number, next.Board)
	b.Next = append(b.Next, next)
	return p.startNotices(ctx, b, t, next)
}

// startNotices adds the reports about the player's board, and the arbiter's answers to calls.
func (p *Pages) startNotices(ctx context.Context, b *startBody, t *tournament.Tournament, next nextGame) error {
	reports, err := p.Tournaments.Reports(ctx, t, next.Number)
	if err != nil {
		return err
	}
	if board, told := reports[next.Board]; told && next.Slip {
		target := "/tournaments/" + t.ID + "/slip"
		switch {
		case board.Disputed():
			b.Notices = append(b.Notices, startNotice{
				Kind: "disputed", Event: t.Name, Board: next.Board, Tables: next.Tables, Target: target,
			})
		case slices.Contains(board.Awaited(), next.Seat):
			b.Notices = append(b.Notices, startNotice{
				Kind: "confirm", Event: t.Name, Board: next.Board, Tables: next.Tables, Target: target,
			})
		}
	}
	calls, err := p.Tournaments.Calls(ctx, t, true)
	if err != nil {
		return err
	}
	for _, call := range calls {
		if call.Round != next.Number || call.Board != next.Board || call.Seat != 0 && call.Seat != next.Seat ||
			call.Status == slip.CallOpen || call.SeenAt == 0 || p.Now().UnixMilli()-call.SeenAt > answerShown {
			continue
		}
		b.Until = max(b.Until, call.SeenAt+answerShown+1)
		b.Notices = append(b.Notices, startNotice{
			Kind: string(call.Status), Event: t.Name, Board: next.Board,
			Tables: next.Tables, Target: "/tournaments/" + t.ID, At: call.SeenAt,
		})
	}
	return nil
}

// mySlip leads to the result slip of the visitor's board in the round that is going on.
func (p *Pages) mySlip(c echo.Context) error {
	ctx := c.Request().Context()
	who, ok, err := p.VisitingPlayer(c, c.Request().URL.Path)
	if !ok {
		return err
	}
	t, err := p.Tournaments.Tournament(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	round := t.PublishedRounds()
	i := slices.IndexFunc(t.Entries, func(e tournament.Entry) bool {
		return slices.Contains(e.Members, who.PlayerID) || e.Leads(who.PlayerID)
	})
	if i < 0 || !slip.Open(t, round) {
		return kit.ErrMissing
	}
	codes, err := p.Tournaments.RoundCodes(ctx, t, round, false)
	if err != nil {
		return err
	}
	for _, board := range codes {
		seat := slices.Index(board.Pairing.Seats, t.Entries[i].ID)
		if _, of := slip.Split(board.Pairing.Board); t.Teams != nil && of > 0 {
			seat = slices.Index(board.Pairing.Seats, who.PlayerID)
		} else if t.Teams != nil && !t.Entries[i].Leads(who.PlayerID) {
			seat = -1
		}
		if match := c.QueryParam("match") != ""; t.Teams != nil && match != (board.Pairing.Boards != nil) {
			continue
		}
		if seat >= 0 && seat < len(board.Seats) && board.Seats[seat] != "" {
			return c.Redirect(http.StatusSeeOther, "/r/"+board.Seats[seat])
		}
	}
	return kit.ErrMissing
}
