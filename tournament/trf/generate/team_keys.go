package generate

import "fmt"

// teamKeys are the settings of tournaments of teams. They are not drawn for players, so that seeds of players keep
// their files.
var teamKeys = []key{
	{"Teams", whole, 2, 500, interval{6, 40}, nil, "makes a tournament of so many teams, instead of players"},
	{"Boards", whole, 1, 20, interval{2, 6}, nil, "boards of a match"},
	{"Reserves", whole, 0, 20, interval{0, 3}, nil, "members of a team beyond its boards"},
	{"MatchForfeitRate", whole, 1, never, interval{20, 200}, nil, "one match in so many is forfeited as a whole"},
	{"EmptyBoardRate", whole, 0, 1000, interval{0, 20}, nil, "boards in a thousand that a team leaves empty"},
	{"OrderRate", whole, 0, 1000, interval{0, 100}, nil, "line-ups in a thousand in another order than that of the team"},
	{name: "PointsForMatchWin", kind: points, text: "default 2"},
	{name: "PointsForMatchDraw", kind: points, text: "default 1"},
	{name: "PointsForMatchLoss", kind: points, text: "default 0"},
	{name: "Preference", kind: word, words: []string{"A", "B", "none"}, text: "of colours: A, B or none; drawn if not given"},
	{name: "Primary", kind: word, words: []string{"MP", "GP"}, text: "the score that pairs and ranks; drawn if not given"},
	{
		name: "Secondary", kind: word, words: []string{"other", "none"},
		text: "whether the other score decides, too; drawn if not given",
	},
}

// ofPlayers are the keys without effect on teams.
var ofPlayers = []string{
	"PlayersNumber", "ReturnRate", "RatingStep", "Groups", "Separator", "Ratings", "HalfPointByeRate", "PointsForZPB",
	"PointsForForfeitLoss", "PointsForForfeitWin", "PointsForHPB", "PointsForFPB", "PointsForPAB",
}

// HasTeams reports whether a tournament of teams is to be made.
func (s Settings) HasTeams() bool {
	return s.given["Teams"].name != "" || s.model != nil && s.model.teams != nil
}

// checkTeams refuses what cannot be set for teams.
func (s Settings) checkTeams() error {
	if s.model != nil && s.model.teams == nil {
		return fmt.Errorf("a model of players does not go with Teams=%s", s.given["Teams"].text)
	}
	for _, name := range ofPlayers {
		if said, ok := s.given[name]; ok {
			return fmt.Errorf("%s does not go with teams", said.name)
		}
	}
	return nil
}

// checkPlayers refuses what only teams have.
func (s Settings) checkPlayers() error {
	for _, k := range teamKeys {
		if _, ok := s.given[k.name]; ok {
			return fmt.Errorf("%s goes with Teams=N only", k.name)
		}
	}
	return nil
}
