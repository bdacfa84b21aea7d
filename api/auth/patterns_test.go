package auth

import (
	"strings"
	"testing"

	"github.com/ccojocar/zxcvbn-go"
	"github.com/ccojocar/zxcvbn-go/frequency"
	"github.com/ccojocar/zxcvbn-go/matching"
	"pgregory.net/rapid"
)

// TestPatternsAreZxcvbns compares estimates with those of zxcvbn-go, for passwords made of what it looks for.
func TestPatternsAreZxcvbns(t *testing.T) {
	parts := rapid.OneOf(
		rapid.SampledFrom(frequency.Lists["Passwords"].List), rapid.SampledFrom(frequency.Lists["English"].List),
		rapid.SampledFrom(frequency.Lists["Surname"].List), rapid.SampledFrom(frequency.Lists["MaleNames"].List),
		rapid.SampledFrom(frequency.Lists["FemaleNames"].List), rapid.SampledFrom(moreWords),
		rapid.SampledFrom([]string{
			"qwerty", "QwErtGb", "!@#$", "',.p", "aoeu", "7894", "zse4", "1q2w", "abc", "cba", "ABCD", "345", "9876", "az",
			"aaa", "AaAa", "éé", "ééé", "日日日日", "ß", "İi", "\xff\xfe", " ", "", "K", "KKk", "ſss",
		}),
		rapid.StringMatching(`[0-3]?[0-9][-/._ \\][0-3]?[0-9][-/._ \\](19|20)?[0-9]{2}`),
		rapid.StringMatching(`((19|20)?[0-9]{2})[-/._ \\][0-3]?[0-9][-/._ \\][0-3]?[0-9]`),
		rapid.StringMatching(`[0-9]{4,9}`), rapid.StringMatching(`(19|20)[0-9]{2}[01][0-9][0-3][0-9]`),
		rapid.StringMatching(`[ -~]{1,4}`), rapid.String(),
	)
	rapid.Check(t, func(t *rapid.T) {
		password := strings.Join(rapid.SliceOfN(parts, 1, 4).Draw(t, "parts"), "")
		if rapid.IntRange(0, 3).Draw(t, "upper") == 0 {
			password = strings.ToUpper(password)
		}
		password = password[:min(len(password), maxEstimated)]
		words := append(rapid.SliceOfN(parts, 0, 3).Draw(t, "names"), moreWords...)
		want := zxcvbn.PasswordStrength(password, words, matching.FilterL33tMatcher).Entropy
		if got := entropy(password, words); got != want {
			t.Fatalf("%q: %v bits, zxcvbn-go estimates %v", password, got, want)
		}
	})
}
