package results

import (
	"context"
	"net/url"
	"slices"
	"strconv"

	"quatuor/api/command"
	"quatuor/api/pages/kit"
	"quatuor/engine/sentence"
	"quatuor/tournament"
	"quatuor/tournament/team"
)

// TeamMatch is a match of teams, as its page and the card on paper show it to the public.
type TeamMatch struct {
	*tournament.Tournament
	Round, Match int
	Path         string
	Teams        [2]tournament.Entry
	Due          int64
	Revealed     bool
	Over         bool                 // all boards have results
	Other        *otherLeg            // nil without another leg
	Points       [2]tournament.Points // game points
	Boards       []matchLine
	GoesOn       string            // name of the team, in a knock-out
	Said         sentence.Sentence // what decides a match of a knock-out
	Tag          string            // of the match, for results
}

// otherLeg is the other match of two legs.
type otherLeg struct {
	Leg    int
	Path   string
	Over   bool
	Points [2]tournament.Points // as the sides of this match
}

// matchLine is a board of a match.
type matchLine struct {
	Board    int // in the page's addresses
	On       int // as the match has it
	Repeat   int // number of the match that decides a level match, 0 for the match itself
	Game     string
	Players  [2]kit.Person
	SeatOne  int // 0 for White's
	GameID   string
	Result   string // as tables print it
	Verdict  string // as forms send it
	Playable bool
	Reserves [2][]kit.Person // members that may take a place
}

// TeamMatchOf returns a match of teams as the public may see it.
func TeamMatchOf(
	ctx context.Context, k *kit.Kit, t *tournament.Tournament, round int, pair tournament.Pairing,
) (b TeamMatch, err error) {
	b = TeamMatch{
		Tournament: t, Round: round, Match: pair.Board, Path: MatchPath(t.ID, round, pair.Board), Due: team.LineUpsDue(t, round, pair),
		Revealed: !t.Sealed(pair), Over: pair.Result != nil, Tag: command.Tag(pair),
	}
	b.Said = team.Of(t).Decision(t, round, pair).Text
	for side, id := range pair.Seats {
		b.Teams[side], _ = t.Entry(id)
		if id == t.Winner(pair) {
			b.GoesOn = b.Teams[side].Name
		}
		b.Points[side] = team.Of(t).Outcome(pair, side).GP
	}
	b.Other = legBeside(t, round, pair)
	people, err := k.Look(ctx, slices.Concat(b.Teams[0].Members, b.Teams[1].Members)...)
	b.fillBoards(pair, people)
	return b, err
}

// legBeside returns the other leg of a match, once it is published.
func legBeside(t *tournament.Tournament, round int, pair tournament.Pairing) *otherLeg {
	at := round - 1
	other, ok := team.FirstLeg(t, round, pair)
	if !ok {
		at = round + 1
		if other, ok = team.SecondLeg(t, round, pair); !ok || at > t.PublishedRounds() {
			return nil
		}
	}
	_, leg := t.LegOf(at)
	out := &otherLeg{Leg: leg, Path: MatchPath(t.ID, at, other.Board), Over: other.Result != nil}
	for side := range out.Points {
		out.Points[1-side] = team.Of(t).Outcome(other, side).GP
	}
	return out
}

// MatchCards returns the matches of a published round for paper: before the reveal their boards are blank lines.
func MatchCards(ctx context.Context, k *kit.Kit, t *tournament.Tournament, round int) (list []TeamMatch, err error) {
	for _, pair := range t.Rounds[round-1].Pairings {
		if pair.Bye != tournament.NoBye {
			continue
		}
		b, err := TeamMatchOf(ctx, k, t, round, pair)
		if err != nil {
			return nil, err
		}
		for i := len(b.Boards); i < len(t.Teams.Boards); i++ {
			blank := matchLine{Board: i + 1, On: i + 1, Game: t.TeamGame(i + 1)}
			blank.SeatOne = t.Teams.SeatOne(i+1, tournament.MatchBoard{})
			b.Boards = append(b.Boards, blank)
		}
		list = append(list, b)
	}
	return list, nil
}

// MatchPath returns the path of the page of a match of teams.
func MatchPath(id string, round, match int) string {
	return "/tournaments/" + url.PathEscape(id) + "/matches/" + strconv.Itoa(round) + "/" + strconv.Itoa(match)
}

// fillBoards adds the boards of a match with revealed line-ups.
func (b *TeamMatch) fillBoards(pair tournament.Pairing, people kit.People) {
	for i, board := range pair.Boards {
		line := matchLine{
			Board: i + 1, Game: b.TeamGame(i + 1), SeatOne: b.Tournament.Teams.SeatOne(i+1, board), GameID: board.GameID,
			Verdict: board.Result.Text(), Playable: board.Players[0] != "" && board.Players[1] != "",
		}
		line.Result = kit.PrettyResult(line.Verdict)
		line.On, line.Repeat = b.Tournament.Teams.Place(i + 1)
		for side, id := range board.Players {
			if id != "" {
				line.Players[side] = people.Person(id)
			}
			for _, member := range b.Teams[side].Members {
				if len(pair.Boards) == len(b.Tournament.Teams.Boards) && !sits(pair, side, member) {
					line.Reserves[side] = append(line.Reserves[side], people.Person(member))
				}
			}
		}
		b.Boards = append(b.Boards, line)
	}
}

func sits(pair tournament.Pairing, side int, player string) bool {
	return slices.ContainsFunc(pair.Boards, func(b tournament.MatchBoard) bool { return b.Players[side] == player })
}
