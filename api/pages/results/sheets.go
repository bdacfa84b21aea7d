package results

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"quatuor/tournament"
)

// Prints lists the print pages that have content.
func (b Body) Prints() (list []string) {
	for _, kind := range Printable {
		if b.CanPrint(kind) {
			list = append(list, kind)
		}
	}
	return list
}

// CanPrint reports whether a print page has content.
func (b Body) CanPrint(kind string) bool {
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

// printedLife is the time that a browser remembers the sheets that it opened: an evening, or a day of rounds.
const printedLife = 24 * time.Hour

// Printed stores in the browser of a member of the staff that a round's pairings were opened to be printed. It reports
// whether they are others, or have other starting numbers, than those that this browser has opened before.
func Printed(c echo.Context, t *tournament.Tournament, round int) (changed bool) {
	if round < 1 || round > len(t.Rounds) {
		return false
	}
	changed = PrintedOthers(c, t)
	c.SetCookie(&http.Cookie{
		Name: printedName(t), Value: sheetTag(t, round), Path: "/", MaxAge: int(printedLife.Seconds()),
		Secure: c.IsTLS(), HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	return changed
}

// PrintedOthers reports whether the pairings or starting numbers of the latest round have changed since this browser
// opened them to be printed. What other browsers have printed is not known.
func PrintedOthers(c echo.Context, t *tournament.Tournament) bool {
	round := len(t.Rounds)
	kept, err := c.Cookie(printedName(t))
	if err != nil || round == 0 {
		return false
	}
	now := sheetTag(t, round)
	ofRound, _, _ := strings.Cut(now, "-")
	return strings.HasPrefix(kept.Value, ofRound+"-") && kept.Value != now
}

func printedName(t *tournament.Tournament) string { return "printed-" + t.ID }

// sheetTag returns the round, and a digest of what its sheets show before results: boards, seats and numbers.
func sheetTag(t *tournament.Tournament, round int) string {
	digest := sha256.New()
	for _, p := range t.Rounds[round-1].Pairings {
		fmt.Fprintln(digest, p.Board, p.Bye)
		for _, id := range p.Seats {
			e, _ := t.Entry(id)
			fmt.Fprintf(digest, "%s %q %d\n", id, e.Name, e.Number)
		}
	}
	return fmt.Sprintf("%d-%x", round, digest.Sum(nil)[:12])
}
