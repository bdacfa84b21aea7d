// Command textbot plays by lines of text, see docs/bots.md: `quatuor selfplay --engine ./textbot`. In Quits it moves the
// marble that comes nearest to its goal by that; elsewhere it makes any move.
package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
)

// goals are the squares that the marbles of Quits for two leave the board by.
var goals = map[string]string{"1": "e5", "2": "a1"}

// distance returns how many steps a square is from another.
func distance(a, b string) int {
	x, y := int(a[0])-int(b[0]), int(a[1])-int(b[1])
	return max(x, -x, y, -y)
}

// worth returns by how much a move brings a marble nearer to the goal; slides of rows are worth least.
func worth(move, goal string) int {
	from, to, marble := strings.Cut(move, "-")
	switch {
	case !marble:
		return -1
	case len(to) != 2:
		return 9 // off the board
	}
	return distance(from, goal) - distance(to, goal)
}

func choose(variant, seat string, legal []string) string {
	rand.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	best := legal[0]
	for _, move := range legal {
		if goal := goals[seat]; strings.HasPrefix(variant, "quits/") && worth(move, goal) > worth(best, goal) {
			best = move
		}
	}
	return best
}

func main() {
	variant := ""
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch words := strings.Fields(lines.Text()); words[0] {
		case "quatuor":
			fmt.Println("ready Straight ahead")
		case "new":
			variant = words[1]
		case "go": // go SEAT MS MOVE…
			fmt.Println("move", choose(variant, words[1], words[3:]))
		case "quit":
			return
		}
	}
}
