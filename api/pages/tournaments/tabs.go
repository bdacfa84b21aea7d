package tournaments

import (
	"net/url"
	"slices"
	"strconv"

	"quatuor/api/contract"
	"quatuor/api/pages/kit"
)

// Tab is a part of a tournament's page, as its address names it.
type Tab string

// The Tabs, in their order on the page. The wall shows the round by itself.
const (
	TabRound      Tab = "round"
	tabStandings  Tab = "standings"
	tabPlayers    Tab = "players"
	tabCrosstable Tab = "crosstable"
	tabGames      Tab = "games"
	tabInfo       Tab = "info"
	tabWall       Tab = "wall"
)

// Tabs are all on the page.
var Tabs = []Tab{TabRound, tabStandings, tabPlayers, tabCrosstable, tabGames, tabInfo}

// played are the Tabs that show something once the first round is there.
var played = []Tab{TabRound, tabStandings, tabCrosstable, tabGames}

// tabOf returns the tab to show for the requested tab; "" requests the first with content.
func (b tournamentBody) tabOf(asked Tab) (Tab, error) {
	switch {
	case asked == "" && b.Latest > 0, asked == "" && b.Knockout():
		return TabRound, nil
	case asked == "":
		return tabPlayers, nil
	case !slices.Contains(Tabs, asked):
		return "", kit.ErrMissing
	}
	return asked, nil
}

// Tabs lists the Tabs that have something to show, and the tab that is shown.
func (b tournamentBody) Tabs() (list []Tab) {
	for _, each := range Tabs {
		if b.IsArena() && each == tabCrosstable { // games follow each other, not rounds
			continue
		}
		empty := b.Latest == 0 && slices.Contains(played, each) && (each != TabRound || !b.Knockout())
		if each == b.Tab || !empty {
			list = append(list, each)
		}
	}
	return list
}

// Link returns the address of a tab with the round that is shown.
func (b tournamentBody) Link(to Tab) string { return b.link(to, b.Shown, false) }

// LinkRound returns the address of the tab with another round.
func (b tournamentBody) LinkRound(round int) string { return b.link(b.Tab, round, false) }

// tabFiles are the tables of the export that have what tabs show.
var tabFiles = map[Tab]string{
	TabRound: "pairings", tabGames: "pairings", tabStandings: "standings", tabCrosstable: "crosstable", tabPlayers: "entries",
}

// File returns the address of what the tab shows as a file, "" if there is nothing yet.
func (b tournamentBody) File() string {
	table := tabFiles[b.Tab]
	if table == "" || len(b.Entries) == 0 || b.Latest == 0 && b.Tab != tabPlayers {
		return ""
	}
	return contract.BasePath + "/tournaments/" + url.PathEscape(b.ID) + "/export?format=csv&table=" + table
}

// LinkAll returns the address of the tab with its lists whole.
func (b tournamentBody) LinkAll() string { return b.link(b.Tab, b.Shown, true) }

func (b tournamentBody) link(to Tab, round int, all bool) string {
	query := url.Values{}
	if to != TabRound || b.Latest == 0 {
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
	return !b.IsArena() && (b.Tab == TabRound || b.Tab == tabStandings || b.Tab == tabGames || b.Tab == tabCrosstable)
}
