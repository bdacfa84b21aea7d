package wording

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	for name, c := range map[string]struct {
		form       Form
		text, want string
		fault      string // a part of the refusal; "" where the text is taken
	}{
		"plain":               {Line, "Ada Lovelace", "Ada Lovelace", ""},
		"letters of anywhere": {Line, "Łucja Dvořák 王小明 Ольга हिन्दी", "Łucja Dvořák 王小明 Ольга हिन्दी", ""},
		"composed":            {Line, "Zoe\u0308", "Zo\u00eb", ""},
		"spaces":              {Line, "\u3000 Ada\u00a0\u2003 Lovelace\t\n", "Ada Lovelace", ""},
		"spaces of braille":   {Line, "Ada\u2800\u2800L", "Ada L", ""},
		"unseen":              {Line, "A\u200bd\u00ada\ufeff\u2060", "Ada", ""},
		"direction marks":     {Line, "\u200eAda\u200f", "Ada", ""},
		"joiner for a mask":   {Line, "Ad\u200da", "Ada", ""},
		"joiner in Persian":   {Line, "می\u200cخواهم", "می\u200cخواهم", ""},
		"joiner in Sinhala":   {Line, "ක්\u200dෂ", "ක්\u200dෂ", ""},
		"picture":             {Line, "Chess ❤\ufe0f 👩🏽\u200d💻 🏳\ufe0f\u200d🌈", "Chess ❤\ufe0f 👩🏽\u200d💻 🏳\ufe0f\u200d🌈", ""},
		"selector for a mask": {Line, "A\ufe0fda", "Ada", ""},
		"paragraph":           {Paragraph, "One. \r\n\r\n\r\n\tTwo.\rThree.\n", "One.\n\nTwo.\nThree.", ""},

		"carriage return":   {Line, "Ada\revent: over", "", "line break"},
		"line feed":         {Line, "Ada\nBob", "", "line break"},
		"next line":         {Line, "Ada\u0085Bob", "", "line break"},
		"line separator":    {Line, "Ada\u2028Bob", "", "line break"},
		"escape":            {Line, "Ada\x1b[31m", "", "U+001B"},
		"escape, paragraph": {Paragraph, "Ada\x1b[31m", "", "U+001B"},
		"C1":                {Line, "Ada\u009b31m", "", "U+009B"},
		"tab":               {Line, "Ada\tBob", "", "U+0009"},
		"zero":              {Line, "Ada\x00", "", "U+0000"},
		"delete":            {Line, "Ada\x7f", "", "U+007F"},
		"override":          {Line, "Ada \u202etxt.exe", "", "direction"},
		"isolate":           {Line, "\u2067Ada\u2069", "", "direction"},
		"private use":       {Line, "Ada \ue000", "", "no common meaning"},
		"noncharacter":      {Line, "Ada \ufdd0", "", "no common meaning"},
		"unassigned":        {Line, "Ada \u0378", "", "no common meaning"},
		"no UTF-8":          {Line, "Ada\xff", "", "UTF-8"},

		"nothing":         {Line, "", "", "blank"},
		"wide space":      {Line, "\u3000", "", "blank"},
		"hard space":      {Line, "\u00a0\u202f", "", "blank"},
		"braille":         {Line, "\u2800\u2800", "", "blank"},
		"Hangul fillers":  {Line, "\u3164\uffa0\u115f\u1160", "", "blank"},
		"zero width":      {Line, "\u200b\u200c\u200d\u2060\ufeff", "", "blank"},
		"tags":            {Line, "\U000e0041\U000e0042", "", "blank"},
		"marks alone":     {Line, "\u0301\u0302", "", "blank"},
		"blank paragraph": {Paragraph, " \n\u3000\n", "", "blank"},

		"at the limit":             {Line, strings.Repeat("ß", 20), strings.Repeat("ß", 20), ""},
		"at the limit, astral":     {Line, strings.Repeat("𝄞", 20), strings.Repeat("𝄞", 20), ""},
		"too long":                 {Line, strings.Repeat("ß", 21), "", "21 characters"},
		"long by what is left out": {Line, strings.Repeat(" ", 30) + "Ada", "Ada", ""},
		"long when composed":       {Line, strings.Repeat("\u0958", 11), "", "22 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.form.Clean(c.text, 20+20*int(c.form-Line))
			if name == "picture" || name == "letters of anywhere" {
				got, err = c.form.Clean(c.text, 200)
			}
			if got != c.want || (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%q becomes %q, %v; want %q, %q", c.text, got, err, c.want, c.fault)
			}
		})
	}
}

func TestOptional(t *testing.T) {
	for _, text := range []string{"", " ", "\u3000", "\u200b"} {
		if got, err := Line.Optional(text, 10); got != "" || err != nil {
			t.Errorf("%q becomes %q, %v", text, got, err)
		}
	}
	if _, err := Line.Optional("\x1b", 10); err == nil {
		t.Error("a control character is taken")
	}
}

func TestMend(t *testing.T) {
	for text, want := range map[string]string{
		"Ada":                   "Ada",
		"Ada\x1b[31m":           "Ada[31m",
		"Ada\r\n\r\ndata:":      "Ada data:",
		"a\tb":                  "a b",
		"\u202eAda\u2069":       "Ada",
		"Ada\xff\x00":           "Ada\ufffd",
		"\u3000":                "(no name)",
		"\x1b\x00\u202e":        "(no name)",
		strings.Repeat("é", 11): strings.Repeat("é", 9) + "…",
		"ab cd efg hij":         "ab cd efg…",
		strings.Repeat("é ", 7): "é é é é é…",
		"👩\u200d👩\u200d👩\u200d👩\u200d👩\u200d👩": "👩\u200d👩\u200d👩\u200d👩\u200d👩…",
	} {
		if got := Line.Mend(text, 10, "(no name)"); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// hard are characters that the rule applies to, but texts of rapid's own hardly ever have.
var hard = []rune("aAé \t\n\r\x00\x1b\x7f\u0085\u009b\u00a0\u00ad\u0301\u0300\u0315\u034f\u0378\u061c\u0627\u06cc\u0915\u094d\u093c\u0958\u0d4d\u1100\u1160\u1161\u115f\u11a8\u180e\u200b\u200c\u200d\u200e\u2000\u2028\u202e\u2060\u2066\u2069\u2126\u212a\u2764\u2800\u3000\u3099\u304b\u3164\u4e00\ue000\ufdd0\ufe00\ufe0f\ufeff\ufffd\uffff\U0001d159\U0001d15f\U0001f468\U0001f3fd\U000e0041\U000e0100\U0010ffff")

func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringOf(rapid.SampledFrom(hard)),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }),
	)
}

// clean checks all that is promised of a text that is kept.
func clean(t *rapid.T, f Form, text string) {
	if !utf8.ValidString(text) || !norm.NFC.IsNormalString(text) || strings.TrimSpace(text) != text ||
		strings.Contains(text, "  ") {
		t.Fatalf("%q is not in its form", text)
	}
	for _, r := range text {
		switch {
		case r == '\n' && f == Paragraph:
		case unicode.IsControl(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), unicode.Is(unicode.Bidi_Control, r),
			unicode.In(r, unicode.Co, unicode.Cs, unicode.Noncharacter_Code_Point), unicode.Is(unicode.Zs, r) && r != ' ':
			t.Fatalf("%q holds %U", text, r)
		}
	}
}

func TestWhateverGoesInIsCleanWhenItComesOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom([]Form{Line, Paragraph}).Draw(t, "form")
		text := texts().Draw(t, "text")
		maxLength := rapid.IntRange(1, 60).Draw(t, "length")
		got, err := f.Clean(text, maxLength)
		if err == nil {
			clean(t, f, got)
			if again, err := f.Clean(got, maxLength); again != got || err != nil {
				t.Fatalf("%q becomes %q, and %q the second time (%v)", text, got, again, err)
			}
			if mended := f.Mend(text, maxLength, "-"); mended != got {
				t.Fatalf("%q is taken as %q and mended as %q", text, got, mended)
			}
		}
		mended := f.Mend(text, maxLength, "-")
		clean(t, f, mended)
		if again, err := f.Clean(mended, maxLength); again != mended || err != nil {
			t.Fatalf("%q is mended as %q, which is taken as %q (%v)", text, mended, again, err)
		}
	})
}

func TestComposedOrNotIsTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("aeéöñ ǘガ한क़"))).Draw(t, "text")
		one, err1 := Line.Optional(norm.NFC.String(text), 1000)
		other, err2 := Line.Optional(norm.NFD.String(text), 1000)
		if one != other || err1 != nil || err2 != nil {
			t.Fatalf("%q and %q (%v, %v)", one, other, err1, err2)
		}
	})
}
