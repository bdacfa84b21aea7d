package auth

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ccojocar/zxcvbn-go/scoring"
)

const (
	// minEntropy is the least entropy of a password, in bits: a million guesses, three days at the four a second that are
	// judged for a login.
	minEntropy = 20
	// maxEstimated is the length of the part of a password that is estimated, in bytes. The time grows with the square of
	// the length: at most 11 ms for 32 bytes, 400 ms for 200.
	maxEstimated = 32
)

// moreWords are words and rows of keys that zxcvbn's lists lack: they are of American English and its keyboard.
var moreWords = strings.Fields(`
	motdepasse kennwort wachtwoord contrasena losenord senha heslo parool
	azertyuiop qsdfghjklm qwertzuiop qweasdzxc 1q2w3e4r5t6y q1w2e3r4t5 1qaz2wsx3edc4rfv qazwsxedcrfv xsw2zaq1 zaq1
	1a2b3c a1b2c3 112233445566 135792468 246813579 02468135 55667788 99887766
	januar februar oktober dezember deutschland schweiz dortmund blahblah onetwothree darthvader rockandroll jesusislord
	transformers fortnite gaming twitter instagram android ubuntu mysql postgres
	quatuor quixo quits quivive quiwin arbiter boardgames chessclub echecs ajedrez scacchi schach`)

// plainLetters undoes the substitution of letters. zxcvbn's own way tries all combinations: 90 s for a password made
// for it.
var plainLetters = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s",
	"7", "t")

// guessable reports whether zxcvbn estimates less than minEntropy for a password. names are words that are guessed
// first.
func guessable(password string, names ...string) bool {
	words := slices.Concat(names, moreWords)
	password = password[:min(len(password), maxEstimated)]
	return entropy(password, words) < minEntropy || entropy(plainLetters.Replace(password), words) < minEntropy
}

func entropy(password string, words []string) float64 {
	return scoring.MinimumEntropyMatchSequence(password, patterns(password, words)).Entropy
}

// resembles reports whether a password is a name, forwards, backwards or twice, ignoring digits around it and all other
// non-letters.
func resembles(password, name string) bool {
	is, was := bare(password), bare(name)
	if strings.EqualFold(password, name) || is == was {
		return true
	}
	is, was = strings.Trim(is, figures), strings.Trim(was, figures)
	return was != "" && (is == was || is == reversed(was) || is == was+was)
}

const figures = "0123456789"

func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// bare returns a text's letters and figures, in lower case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
