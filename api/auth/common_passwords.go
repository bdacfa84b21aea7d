package auth

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
)

//go:embed common.txt
var commonText string

// commonWords are what the passwords that are guessed first are made of, in lower case.
var commonWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	for _, word := range strings.Fields(commonText) {
		words[word] = true
	}
	return words
})

// commonRows are what fingers and tongues run along.
var commonRows = []string{
	"01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiopasdfghjklyxcvbnm",
	"azertyuiopqsdfghjklmwxcvbn", "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p", "1q2w3e4r5t6y7u8i9o0p", "q1w2e3r4t5y6u7i8o9p0",
	"qazwsxedcrfvtgbyhnujmikolp", "147258369", "741852963", "789456123",
}

// plainLetters undoes what is put in place of letters.
var plainLetters = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// maxRepeated is how long a piece may be of which a password is nothing but repetitions.
const maxRepeated = 4

// common reports whether a password is one of those that are guessed first: a common word, also with figures or signs
// at its ends, with signs in place of letters, or twice; a run along the keyboard; or one short piece over and over.
func common(password string) bool {
	text := strings.ToLower(password)
	return commonWord(text) || commonWord(plainLetters.Replace(text)) || alongRow(text) || repeated(text)
}

func commonWord(text string) bool {
	words := commonWords()
	for _, word := range []string{text, strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })} {
		half := len(word) / 2
		if words[word] || (word[:half] == word[half:] && words[word[half:]]) {
			return true
		}
	}
	return false
}

func alongRow(text string) bool {
	for _, row := range commonRows {
		if strings.Contains(row, text) || strings.Contains(row, reversed(text)) {
			return true
		}
	}
	return false
}

func reversed(text string) string {
	runes := []rune(text)
	for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
		runes[i], runes[j] = runes[j], runes[i]
	}
	return string(runes)
}

func repeated(text string) bool {
	runes := []rune(text)
	for n := 1; n <= min(maxRepeated, len(runes)/2); n++ {
		same := true
		for i := n; i < len(runes) && same; i++ {
			same = runes[i] == runes[i-n]
		}
		if same {
			return true
		}
	}
	return false
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

// bare returns a text's letters and figures, in lower case.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
