package tournaments

import (
	"net/url"
	"slices"
	"strconv"

	"quatuor/api/contract"
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/tournament"
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
	TabWall       Tab = "wall"
)

// Tabs are all on the page.
var Tabs = []Tab{TabRound, tabStandings, tabPlayers, tabCrosstable, tabGames, tabInfo}

// played are the Tabs that show something once the first round is there.
var played = []Tab{TabRound, tabStandings, tabCrosstable, tabGames}

// tabOf returns the tab to show for the requested tab; "" requests the first with content.
func (b TournamentBody) tabOf(asked Tab) (Tab, error) {
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
func (b TournamentBody) Tabs() (list []Tab) {
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
func (b TournamentBody) Link(to Tab) string { return b.link(to, b.Shown, false) }

// LinkRound returns the address of the tab with another round.
func (b TournamentBody) LinkRound(round int) string { return b.link(b.Tab, round, false) }

// tabFiles are the tables of the export that have what tabs show.
var tabFiles = map[Tab]string{
	TabRound: "pairings", tabGames: "pairings", tabStandings: "standings", tabCrosstable: "crosstable", tabPlayers: "entries",
}

// File returns the address of what the tab shows as a file, "" if there is nothing yet.
func (b TournamentBody) File() string {
	table := tabFiles[b.Tab]
	if table == "" || len(b.Entries) == 0 || b.Latest == 0 && b.Tab != tabPlayers {
		return ""
	}
	return contract.BasePath + "/tournaments/" + url.PathEscape(b.ID) + "/export?format=csv&table=" + table
}

// LinkAll returns the address of the tab with its lists whole.
func (b TournamentBody) LinkAll() string { return b.link(b.Tab, b.Shown, true) }

func (b TournamentBody) link(to Tab, round int, all bool) string {
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
func (b TournamentBody) Rounded() bool {
	return !b.IsArena() && (b.Tab == TabRound || b.Tab == tabStandings || b.Tab == tabGames || b.Tab == tabCrosstable)
}

// AsOf is the progress of a table: after a round, or after some of its results.
type AsOf struct {
	Round, Done, Boards int
	Arena               bool // which has no rounds
}

// AsOfRound returns the progress of a table that counts all rounds up to this round.
func AsOfRound(t *tournament.Tournament, round int) AsOf {
	if round == 0 {
		return AsOf{}
	}
	done, boards := Progress(t.Rounds[round-1])
	return AsOf{Round: round, Done: done, Boards: boards, Arena: t.Format.Continuous()}
}

// Whole reports whether all results of the round are in.
func (a AsOf) Whole() bool { return a.Done == a.Boards }

// Words returns it as text.
func (a AsOf) Words(in *message.Printer) string {
	if a.Arena {
		return kit.Say(in, "tournament.after_games", "Count", a.Done)
	}
	if a.Whole() {
		return kit.Say(in, "tournament.after_round", "Round", a.Round)
	}
	return kit.Say(in, "tournament.after_results", "Done", a.Done, "Boards", a.Boards, "Round", a.Round)
}

// PlayerLine is an entry in the list of participants.
type PlayerLine struct {
	tournament.Entry
	Order int // pairing number, before the start the place in the list
}

// PlayerLines lists the entries by number, before the numbers are fixed in their order.
func PlayerLines(t *tournament.Tournament) []PlayerLine {
	fixed := numbersFixed(t)
	list := make([]PlayerLine, 0, len(t.Entries))
	for i, e := range t.Entries {
		if !fixed {
			list = append(list, PlayerLine{e, i + 1})
		} else if e.Number > 0 {
			list = append(list, PlayerLine{e, e.Number})
		}
	}
	slices.SortStableFunc(list, func(a, b PlayerLine) int { return a.Order - b.Order })
	return list
}

func numbersFixed(t *tournament.Tournament) bool {
	return slices.ContainsFunc(t.Entries, func(e tournament.Entry) bool { return e.Number > 0 })
}

// EntryAt returns the entry that the address of a card names: by its pairing number, and before the numbers are fixed
// by its place in the list.
func EntryAt(t *tournament.Tournament, number int) (tournament.Entry, bool) {
	for _, line := range PlayerLines(t) {
		if line.Order == number {
			return line.Entry, true
		}
	}
	return tournament.Entry{}, false
}

// Prints lists the print pages that have content.
func (b TournamentBody) Prints() (list []string) {
	for _, kind := range Printable {
		if b.CanPrint(kind) {
			list = append(list, kind)
		}
	}
	return list
}

// CanPrint reports whether a print page has content.
func (b TournamentBody) CanPrint(kind string) bool {
	switch kind {
	case "pairings", "names", "standings", "crosstable":
		return b.Latest > 0
	case "matches":
		return b.Teams != nil && b.Shown > 0 && b.Shown <= b.PublishedRounds()
	case "boards":
		return b.Teams != nil && b.Latest > 0
	case "prizes":
		return len(b.Tournament.Prizes.Categories) > 0
	case "bracket":
		return b.Knockout()
	case "scorecards":
		return !b.Knockout()
	}
	return true
}

// Printable are the print pages. Package desk has those with slips and cards for the boards.
var Printable = []string{"pairings", "names", "standings", "crosstable", "entries", "checkin", "badges", "scorecards", "prizes", "bracket", "matches", "boards"}
