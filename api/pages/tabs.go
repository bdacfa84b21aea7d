package pages

import (
	"net/url"
	"slices"
	"strconv"

	"quatuor/api/pages/message"
	"quatuor/tournament"
)

// tab is one part of a tournament's page, as its address names it.
type tab string

// The tabs, in their order on the page. The wall shows the same by itself.
const (
	tabRound      tab = "round"
	tabStandings  tab = "standings"
	tabPlayers    tab = "players"
	tabCrosstable tab = "crosstable"
	tabGames      tab = "games"
	tabInfo       tab = "info"
	tabWall       tab = "wall"
)

// tabs are all that have a stream.
var tabs = []tab{tabRound, tabStandings, tabPlayers, tabCrosstable, tabGames, tabInfo, tabWall}

// played are the tabs that show something once the first round is there.
var played = []tab{tabRound, tabStandings, tabCrosstable, tabGames}

// tabOf returns the tab to show for the one asked for; "" asks for the first that has something to show.
func (b tournamentBody) tabOf(asked tab) (tab, error) {
	switch {
	case asked == "" && b.Latest > 0, asked == "" && b.Knockout():
		return tabRound, nil
	case asked == "":
		return tabPlayers, nil
	case !slices.Contains(tabs, asked):
		return "", errMissing
	}
	return asked, nil
}

// Tabs lists the tabs that have something to show, and the one that is shown.
func (b tournamentBody) Tabs() (list []tab) {
	for _, each := range tabs {
		empty := b.Latest == 0 && slices.Contains(played, each) && (each != tabRound || !b.Knockout())
		if each == b.Tab || !empty && each != tabWall {
			list = append(list, each)
		}
	}
	return list
}

// Link returns the address of a tab with the round that is shown.
func (b tournamentBody) Link(to tab) string { return b.link(to, b.Shown, false) }

// LinkRound returns the address of the tab with another round.
func (b tournamentBody) LinkRound(round int) string { return b.link(b.Tab, round, false) }

// LinkAll returns the address of the tab with its lists whole.
func (b tournamentBody) LinkAll() string { return b.link(b.Tab, b.Shown, true) }

func (b tournamentBody) link(to tab, round int, all bool) string {
	query := url.Values{}
	if to != tabRound || b.Latest == 0 {
		query.Set("tab", string(to))
	}
	if round != b.Latest && to != tabPlayers && to != tabInfo {
		query.Set("round", strconv.Itoa(round))
	}
	if all {
		query.Set("all", "1")
	}
	address := "/tournaments/" + url.PathEscape(b.ID)
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// Rounded reports whether the tab can show an earlier round.
func (b tournamentBody) Rounded() bool {
	return b.Tab == tabRound || b.Tab == tabStandings || b.Tab == tabGames || b.Tab == tabCrosstable
}

// asOf is how far a table has come: after a round, or after some of its results.
type asOf struct{ Round, Done, Boards int }

func asOfRound(t *tournament.Tournament, round int) asOf {
	if round == 0 {
		return asOf{}
	}
	done, boards := progress(t.Rounds[round-1])
	return asOf{round, done, boards}
}

// Whole reports whether all results of the round are in.
func (a asOf) Whole() bool { return a.Done == a.Boards }

// words says the same.
func (a asOf) words(in *message.Printer) string {
	if a.Whole() {
		return say(in, "tournament.after_round", "Round", a.Round)
	}
	return say(in, "tournament.after_results", "Done", a.Done, "Boards", a.Boards, "Round", a.Round)
}

// playerLine is one entry in the list of those who take part.
type playerLine struct {
	tournament.Entry
	Order int // pairing number, before the start the place in the list
}

// playerLines lists the entries by number, before the numbers are fixed in their order.
func playerLines(t *tournament.Tournament) []playerLine {
	fixed := numbersFixed(t)
	list := make([]playerLine, 0, len(t.Entries))
	for i, e := range t.Entries {
		if !fixed {
			list = append(list, playerLine{e, i + 1})
		} else if e.Number > 0 {
			list = append(list, playerLine{e, e.Number})
		}
	}
	slices.SortStableFunc(list, func(a, b playerLine) int { return a.Order - b.Order })
	return list
}

func numbersFixed(t *tournament.Tournament) bool {
	return slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool { return e.Number > 0 })
}

// entryAt returns the entry that the address of a card names: by its pairing number, and before the numbers are fixed
// by its place in the list.
func entryAt(t *tournament.Tournament, number int) (tournament.Entry, bool) {
	for _, line := range playerLines(t) {
		if line.Order == number {
			return line.Entry, true
		}
	}
	return tournament.Entry{}, false
}

// say returns a text by its name. The tests of package message and of the pages see that it is there; the name stands
// in for one that is not.
func say(in *message.Printer, id string, args ...any) string {
	text, err := in.Text(id, args...)
	if err != nil {
		return id
	}
	return text
}
