package standings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
)

// value is what a tie-break gives one entry: the greater key ranks first.
type value struct {
	key  int64
	text string
}

// breaker gives the values of a group of tied pages, in the group's order.
type breaker func(b *book, group []int) []value

// single makes a breaker of a tie-break that looks at one page at a time.
func single(of func(b *book, p page) value) breaker {
	return func(b *book, group []int) []value {
		values := make([]value, len(group))
		for i, n := range group {
			values[i] = of(b, b.pages[n])
		}
		return values
	}
}

var breakers = map[string]breaker{
	"DE":  directEncounter,
	"WIN": single(wins),
	"WON": single(gamesWon),
	"BPG": single(blackGames),
	"BWG": single(blackWins),
	"PS":  single(progressive),
	"SB":  single(sonnebornBerger),
	"KS":  single(koya),
	"LOT": lots,
}

// Check refuses tie-break codes that do not exist, or that do not suit the format, and says what would be right.
func Check(f tournament.Format, code string) error {
	_, err := find(f, code)
	return err
}

// Default is the list for organisers who choose none.
func Default(tournament.Format) []string { return []string{"DE", "SB", "WIN"} }

func find(f tournament.Format, code string) (breaker, error) {
	name, _, _ := strings.Cut(code, "/")
	switch {
	case f.Cycles() > 0 && slices.Contains([]string{"BH", "FB", "AOB"}, name):
		return nil, tournament.Refuse(tournament.ErrInvalid, "%s is not used in a round-robin, where all have the same opponents; SB and KS are", code)
	case f.Cycles() == 0 && code == "SB":
		return nil, tournament.Refuse(tournament.ErrInvalid, "SB is computed for round-robins only")
	}
	found, ok := breakers[code]
	if !ok {
		codes := make([]string, 0, len(breakers))
		for known := range breakers {
			codes = append(codes, known)
		}
		slices.Sort(codes)
		return nil, tournament.Refuse(tournament.ErrInvalid, "there is no tie-break %q; there are %s", code, strings.Join(codes, ", "))
	}
	return found, nil
}

// count prints whole numbers.
func count(n int) value { return value{key: int64(n), text: strconv.Itoa(n)} }

// tenths prints points with one decimal, as tables of tie-breaks do.
func tenths(p tournament.Points) value {
	return value{key: int64(p), text: fmt.Sprintf("%d.%d", p/10, p%10)}
}

// hundredths prints products of two numbers of points.
func hundredths(n int64) value {
	return value{key: n, text: fmt.Sprintf("%d.%02d", n/100, n%100)}
}
