package command

import (
	"slices"

	"quatuor/api/access"
	"quatuor/api/auth"
	"quatuor/tournament"
	"quatuor/tournament/director"
	"quatuor/tournament/scoring"
)

// Board names a board of a round, and why something is done with it.
type Board struct {
	Round, Board int
	Why          string
}

// BoardResult is a result that is entered.
type BoardResult struct {
	Board
	Verdict tournament.Verdict
}

// EnterResult sets or corrects the result of a board.
var EnterResult = Command[BoardResult]{
	Name: "result", May: auth.EnterResults,
	Part: func(t *tournament.Tournament, in BoardResult) ([]string, error) { return publishedTags(t, in.Board) },
	Do: func(c Call, in BoardResult) (*tournament.Tournament, error) {
		return c.act(director.SetResult(in.Round, in.Board.Board, in.Verdict, in.Why))
	},
}

// RoundResults are results of several boards of a round. The errors of those that were not set become Refused, in the
// same order.
type RoundResults struct {
	Round   int
	Results []ListedResult
	Refused []error
}

// ListedResult is a result in a list.
type ListedResult struct {
	Board   int
	Verdict tournament.Verdict
	Why     string
	Seen    *string // tags of the board, as in an If-Match header; nil for none
	Err     error   // why it is refused already; nil for a result
}

// EnterResults sets or corrects the results of several boards, as a single act.
var EnterResults = Command[*RoundResults]{
	Name: "results", May: auth.EnterResults,
	Part: func(t *tournament.Tournament, in *RoundResults) ([]string, error) {
		if in.Round < 1 || in.Round > t.PublishedRounds() {
			return nil, NoRound(in.Round)
		}
		return []string{Tag(t.Rounds[in.Round-1])}, nil
	},
	Do: func(c Call, in *RoundResults) (*tournament.Tournament, error) {
		list := make([]scoring.BoardVerdict, len(in.Results))
		for i, r := range in.Results {
			list[i] = scoring.BoardVerdict{Board: r.Board, Verdict: r.Verdict, Why: r.Why}
			list[i].If = func(t *tournament.Tournament) error {
				if r.Err != nil || r.Seen == nil {
					return r.Err
				}
				tags, err := publishedTags(access.View(c.Who, t), Board{Round: in.Round, Board: r.Board})
				if err != nil {
					return err
				}
				return CheckTag(r.Seen, tags...)
			}
		}
		t, refused, err := c.SetResults(c.Ctx, c.T.ID, in.Round, list, c.Order)
		in.Refused = refused
		return t, err
	},
}

// EnterListedResults is [EnterResults] where each result has the tag of its board, and the round needs none.
var EnterListedResults = Command[*RoundResults]{Name: EnterResults.Name, May: EnterResults.May, Do: EnterResults.Do}

// Adjourn notes that a game goes on later.
var Adjourn = Command[Board]{
	Name: "adjourn", May: auth.EnterResults, Part: publishedTags,
	Do: func(c Call, in Board) (*tournament.Tournament, error) {
		return c.Adjourn(c.Ctx, c.T.ID, in.Round, in.Board, in.Why, c.Order)
	},
}

// PlayAgain schedules a new game for a board of the latest round.
var PlayAgain = Command[Board]{
	Name: "play-again", May: auth.EnterResults, Part: publishedTags, Blind: true,
	Do: func(c Call, in Board) (*tournament.Tournament, error) {
		return c.act(director.PlayAgain(in.Round, in.Board, in.Why))
	},
}

// ClearResult removes a result that was entered by hand.
var ClearResult = Command[Board]{
	Name: "clear", May: auth.EnterResults, Part: publishedTags,
	Do: func(c Call, in Board) (*tournament.Tournament, error) {
		return c.act(director.ClearResult(in.Round, in.Board, in.Why))
	},
}

// BoardVenue is the venue of a board.
type BoardVenue struct {
	Board
	Venue tournament.Venue
}

// SetVenue moves the game of a board to the server or to the hall.
var SetVenue = Command[BoardVenue]{
	Name: "venue", May: auth.EnterResults, Blind: true,
	Part: func(t *tournament.Tournament, in BoardVenue) ([]string, error) { return boardTags(t, in.Board) },
	Do: func(c Call, in BoardVenue) (*tournament.Tournament, error) {
		return c.act(director.SetVenue(in.Round, in.Board.Board, in.Venue, in.Why))
	},
}

// BoardRecord is the record of a game in the hall; "" for none.
type BoardRecord struct {
	Board
	Text string
}

// SetRecord attaches a record to a game in the hall, or removes it. Staff may, and the players of the board.
var SetRecord = Command[BoardRecord]{
	Name: "record", May: auth.RecordGames, Blind: true, Exact: true,
	Own: func(who auth.Identity, t *tournament.Tournament, in BoardRecord) (auth.Action, error) {
		if in.Round < 1 || in.Round > t.PublishedRounds() {
			return "", NoRound(in.Round)
		}
		p, err := t.Pairing(in.Round, in.Board.Board)
		if err != nil || who.PlayerID == "" || !slices.Contains(t.Players(p), who.PlayerID) {
			return "", err
		}
		return auth.PlayGames, nil
	},
	Part: func(t *tournament.Tournament, in BoardRecord) ([]string, error) { return publishedTags(t, in.Board) },
	Do: func(c Call, in BoardRecord) (*tournament.Tournament, error) {
		return c.act(director.SetRecord(in.Round, in.Board.Board, in.Text))
	},
}

// boardTags returns the tags of a board and of its round, published or not.
func boardTags(t *tournament.Tournament, in Board) ([]string, error) {
	p, err := t.Pairing(in.Round, in.Board)
	if err != nil {
		return nil, err
	}
	return []string{Tag(p), BoardTag(p), Tag(t.Rounds[in.Round-1])}, nil
}

// publishedTags is boardTags for a round that is published.
func publishedTags(t *tournament.Tournament, in Board) ([]string, error) {
	if in.Round < 1 || in.Round > t.PublishedRounds() {
		return nil, NoRound(in.Round)
	}
	return boardTags(t, in)
}
