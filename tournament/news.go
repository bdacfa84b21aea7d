package tournament

import "slices"

// News is something that has happened in a tournament, for webhooks. It only names what it is about: what a receiver
// may learn of it is read when it is sent.
type News struct {
	Kind         NewsKind
	Round, Board int    `json:",omitempty"`
	On           int    `json:",omitempty"` // board of the match that Board names
	Entry        string `json:",omitempty"` // id
	Call         string `json:",omitempty"` // id
}

// NewsKind is the kind of news.
type NewsKind string

// The kinds of news.
const (
	NewsRound     NewsKind = "round.published"
	NewsResult    NewsKind = "result.changed"
	NewsGame      NewsKind = "game.finished" // on the server
	NewsStandings NewsKind = "standings.changed"
	NewsFinished  NewsKind = "tournament.finished"
	NewsEntry     NewsKind = "entry.changed"
	NewsCall      NewsKind = "call.made"    // for the arbiter
	NewsLineUp    NewsKind = "lineup.filed" // a team's first for a match; for staff
	NewsRevealed  NewsKind = "match.revealed"
	NewsMatch     NewsKind = "match.finished"
	NewsDated     NewsKind = "match.dated" // a date was proposed, agreed or set

	NewsBoardStarted  NewsKind = "board.started" // of a match; for streams alone, as the next
	NewsBoardFinished NewsKind = "board.finished"
)

// NewsKinds returns all kinds of news that webhooks get.
func NewsKinds() []NewsKind {
	return []NewsKind{
		NewsRound, NewsResult, NewsGame, NewsStandings, NewsFinished, NewsEntry, NewsCall, NewsLineUp, NewsRevealed,
		NewsMatch, NewsDated,
	}
}

// entryActs are the acts after which an entry is news.
var entryActs = []ActKind{ActEnter, ActEnterAll, ActRegister, ActCorrect, ActConfirm, ActWithdraw, ActReinstate, ActRemove}

// At returns the time of a change, ms UTC; 0 if it has neither acts nor results.
func (d Delta) At() (at int64) {
	for _, act := range d.Acts {
		at = max(at, act.At)
	}
	for _, c := range d.Changes {
		at = max(at, c.At)
	}
	return at
}

// NewsOf returns the news of a change that led to t, in chronological order.
func NewsOf(t *Tournament, d Delta) (news []News) {
	for _, act := range d.Acts {
		switch {
		case act.Kind == ActPair || act.Kind == ActPublish:
			news = append(news, News{Kind: NewsRound, Round: t.PublishedRounds()})
		case act.Kind == ActEnterAll:
			for _, e := range d.Entries {
				news = append(news, News{Kind: NewsEntry, Entry: e.ID})
			}
		case act.Entry != "" && slices.Contains(entryActs, act.Kind):
			news = append(news, News{Kind: NewsEntry, Entry: act.Entry})
		}
	}
	for _, c := range d.Changes {
		news = append(news, News{Kind: NewsResult, Round: c.Round, Board: c.Board})
		if c.After != nil && c.After.Source == ByServer {
			news = append(news, News{Kind: NewsGame, Round: c.Round, Board: c.Board})
		}
	}
	news = append(news, MatchNews(t, d, nil)...)
	if len(d.Changes) > 0 {
		news = append(news, News{Kind: NewsStandings})
	}
	if slices.ContainsFunc(d.Acts, func(a Act) bool { return a.Kind == ActFinish }) {
		news = append(news, News{Kind: NewsFinished})
	}
	return news
}

// MatchNews returns the news of matches of teams; boards are news of their boards, which come before the end of a
// match. Only the first line-up of a team for a match is news: replacing it stays secret.
func MatchNews(t *Tournament, d Delta, boards []News) (news []News) {
	for _, l := range d.LineUps {
		if l.N > 1 || l.Round > len(t.Rounds) {
			continue
		}
		for _, p := range t.Rounds[l.Round-1].Pairings {
			if slices.Contains(p.Seats, l.Entry) && slices.Contains(p.Seats, l.Opponent) {
				news = append(news, News{Kind: NewsLineUp, Round: l.Round, Board: p.Board, Entry: l.Entry})
			}
		}
	}
	for _, act := range d.Acts {
		switch act.Kind {
		case ActReveal:
			news = append(news, News{Kind: NewsRevealed, Round: act.Round, Board: act.Board})
		case ActDate:
			news = append(news, News{Kind: NewsDated, Round: act.Round, Board: act.Board})
		}
	}
	news = append(news, boards...)
	for _, c := range d.Changes {
		if t.Teams != nil && c.Before == nil && c.After != nil {
			news = append(news, News{Kind: NewsMatch, Round: c.Round, Board: c.Board})
		}
	}
	return news
}

// BoardNews returns which boards of some matches got a game on the server, and which a result, in a change of from.
func BoardNews(from *Tournament, matches []RoundPairing) (news []News) {
	if from == nil {
		return nil
	}
	for _, m := range matches {
		before, _ := from.Pairing(m.Round, m.Pairing.Board)
		for i, b := range m.Pairing.Boards {
			var was MatchBoard
			if i < len(before.Boards) {
				was = before.Boards[i]
			}
			at := News{Round: m.Round, Board: m.Pairing.Board, On: i + 1}
			if b.GameID != "" && b.GameID != was.GameID {
				at.Kind = NewsBoardStarted
				news = append(news, at)
			}
			if b.Result != nil && was.Result == nil {
				at.Kind = NewsBoardFinished
				news = append(news, at)
			}
		}
	}
	return news
}
