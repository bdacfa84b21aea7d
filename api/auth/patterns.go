package auth

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/ccojocar/zxcvbn-go/adjacency"
	"github.com/ccojocar/zxcvbn-go/data"
	guess "github.com/ccojocar/zxcvbn-go/entropy"
	"github.com/ccojocar/zxcvbn-go/match"
)

// patterns returns the parts of a password that a guesser tries first: words, keys side by side, repeats, sequences and
// dates. It finds the same as zxcvbn-go's package matching, which reads its lists at each start of the program; these
// are read with the first password.
func patterns(password string, words []string) []match.Match {
	all := dictionaryWords(password, words)
	for _, keyboard := range []string{"qwerty", "dvorak", "keypad", "macKeypad"} {
		all = append(all, keyWalks(password, adjacency.GraphMap[keyboard])...)
	}
	all = append(all, repeats(password)...)
	all = append(all, sequences(password)...)
	return append(all, dates(password)...)
}

// commonWords returns the rank of each word of zxcvbn's lists, from 1; the best of a word in several.
var commonWords = sync.OnceValue(func() map[string]int {
	ranks := make(map[string]int, 100_000)
	for _, name := range []string{"MaleNames", "FemaleNames", "Surnames", "English", "Passwords"} {
		text, err := data.Asset("data/" + name + ".json")
		var content struct{ List []string }
		if err == nil {
			err = json.Unmarshal(text, &content)
		}
		if err != nil {
			panic(fmt.Sprintf("zxcvbn's list %s: %v", name, err)) // it is part of the program
		}
		for i, word := range content.List {
			word = strings.ToLower(word)
			if rank, found := ranks[word]; !found || i+1 < rank {
				ranks[word] = i + 1
			}
		}
	}
	return ranks
})

// dictionaryWords finds words of the lists, and those given, which are ranked in their order.
func dictionaryWords(password string, words []string) (all []match.Match) {
	common, given := commonWords(), map[string]int{}
	for i, word := range words {
		given[strings.ToLower(word)] = i + 1
	}
	letters, lower := []rune(password), []rune(strings.ToLower(password))
	for i := range lower {
		for j := i; j < len(lower); j++ {
			word := string(lower[i : j+1])
			for _, ranks := range []map[string]int{given, common} {
				if rank, found := ranks[word]; found {
					m := match.Match{Pattern: "dictionary", I: i, J: j, Token: string(letters[i : j+1])}
					m.Entropy = guess.DictionaryEntropy(m, float64(rank))
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// keyWalks finds walks of three or more keys, each beside its predecessor.
func keyWalks(password string, keyboard adjacency.Graph) (all []match.Match) {
	for i := 0; i < len(password)-1; {
		j, turns, shifted, last := i+1, 0, 0, -1
		for ; j < len(password); j++ {
			direction, shift := step(keyboard, password[j-1], password[j])
			if direction < 0 {
				break
			}
			if shift {
				shifted++
			}
			if direction != last {
				turns++
			}
			last = direction
		}
		if j-i > 2 {
			m := match.Match{Pattern: "spatial", I: i, J: j - 1, Token: password[i:j], DictionaryName: keyboard.Name}
			m.Entropy = guess.SpatialEntropy(m, turns, shifted)
			all = append(all, m)
		}
		i = j
	}
	return all
}

// step returns the direction between two neighbouring keys, or -1 for keys that are not neighbours, and whether the
// second is typed with the shift key.
func step(keyboard adjacency.Graph, from, to byte) (direction int, shift bool) {
	for direction, key := range keyboard.Graph[string(rune(from))] {
		if at := strings.IndexRune(key, rune(to)); at >= 0 {
			return direction, at == 1
		}
	}
	return -1, false
}

// repeats finds a character typed three or more times, in either case.
func repeats(password string) (all []match.Match) {
	add := func(from, to int) {
		m := match.Match{Pattern: "repeat", I: from, J: to - 1, Token: password[from:to]}
		m.Entropy = guess.RepeatEntropy(m)
		all = append(all, m)
	}
	streak, last, previous := 1, 0, ""
	for i, char := range password {
		current := string(char)
		switch {
		case i == 0:
		case strings.EqualFold(current, previous):
			streak++
		default:
			if streak > 2 {
				add(i-streak, i)
			}
			streak = 1
		}
		last, previous = i, current
	}
	if streak > 2 {
		add(last-streak+1, last+1)
	}
	return all
}

// sequences finds three and more letters or digits in their order, forwards or backwards. Like zxcvbn-go it takes any
// character for the predecessor of the first.
func sequences(password string) (all []match.Match) {
	for i := 0; i < len(password); {
		j := i + 1
		if alphabet, direction := sequenceAt(password[i:]); direction != 0 {
			at := func(j int) int { return strings.IndexByte(alphabet, password[j]) }
			for j++; j < len(password) && at(j)-at(j-1) == direction; {
				j++
			}
			if j-i > 2 {
				m := match.Match{Pattern: "sequence", I: i, J: j - 1, Token: password[i:j]}
				m.Entropy = guess.SequenceEntropy(m, len(alphabet), direction == 1)
				all = append(all, m)
			}
		}
		i = j
	}
	return all
}

// sequenceAt returns the alphabet that has the first two characters as neighbours, and the direction; 0 for others.
func sequenceAt(text string) (alphabet string, direction int) {
	for _, alphabet := range []string{"abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"} {
		if len(text) < 2 {
			break
		}
		first, second := strings.IndexByte(alphabet, text[0]), strings.IndexByte(alphabet, text[1])
		if first >= 0 && second >= 0 && (second-first == 1 || second-first == -1) {
			return alphabet, second - first
		}
	}
	return "", 0
}

var (
	yearLast    = regexp.MustCompile(`(\d{1,2})[\s\-/\\_.](\d{1,2})([\s\-/\\_.])(19\d{2}|200\d|201\d|\d{2})`)
	yearFirst   = regexp.MustCompile(`(19\d{2}|200\d|201\d|\d{2})[\s\-/\\_.](\d{1,2})([\s\-/\\_.])(\d{1,2})`)
	onlyFigures = regexp.MustCompile(`\d{4,8}`)
)

// dates finds days of a year, with separators and without. Like zxcvbn-go it takes the character after a date for a
// part of it.
func dates(password string) (all []match.Match) {
	add := func(text, separator, year, a, b string) {
		y, _ := strconv.ParseInt(year, 10, 64)
		first, _ := strconv.Atoi(a)
		second, _ := strconv.Atoi(b)
		if y > 99 && (y < 1900 || y > 2025) || max(first, second) > 31 || min(first, second) > 12 {
			return
		}
		i := strings.Index(password, text)
		all = append(all, match.Match{
			I: i, J: i + len(text), Entropy: guess.DateEntropy(match.DateMatch{Year: y, Separator: separator}),
		})
	}
	for _, m := range yearLast.FindAllStringSubmatch(password, -1) {
		add(m[0], m[3], m[4], m[1], m[2])
	}
	for _, m := range yearFirst.FindAllStringSubmatch(password, -1) {
		add(m[0], m[3], m[1], m[2], m[4])
	}
	for _, text := range onlyFigures.FindAllString(password, -1) {
		switch len(text) {
		case 6:
			add(text, "", text[:2], text[2:4], text[4:])
		case 8:
			add(text, "", text[:4], text[4:6], text[6:])
			add(text, "", text[4:], text[:2], text[2:4])
		}
	}
	return all
}
