package message

import (
	"testing"
	"time"
)

func TestMannerOfEachLanguage(t *testing.T) {
	texts := Load()
	at := time.Date(2026, time.November, 22, 15, 4, 59, 0, time.UTC)
	for _, test := range []struct {
		language                                       string
		date, dateTime, number, first, third, long, sp string
	}{
		{"en", "22 Nov 2026", "22 Nov 2026, 15:04", "2.25", "1st", "23rd", "3 d 4 h", "4.2 s"},
		{"fr", "22 nov. 2026", "22 nov. 2026 à 15:04", "2,25", "1ᵉʳ", "23ᵉ", "3 j 4 h", "4,2 s"},
		{"de", "22. Nov. 2026", "22. Nov. 2026, 15:04", "2,25", "1.", "23.", "3 T 4 h", "4,2 s"},
	} {
		p := texts.Match(test.language)
		for _, pair := range [][2]string{
			{p.Date(at), test.date},
			{p.DateTime(at), test.dateTime},
			{p.Decimal("2.25"), test.number},
			{p.Fixed(2.249, 2), test.number},
			{p.Ordinal(1), test.first},
			{p.Ordinal(23), test.third},
			{p.Clock(3*86_400_000 + 4*3_600_000), test.long},
			{p.Spent(4_260), test.sp},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %q, want %q", test.language, pair[0], pair[1])
			}
		}
		if got := p.TextOr("Chess", "no.such.text"); got != "Chess" {
			t.Errorf("%q", got)
		}
	}
	if got := texts.Match("en").Ordinal(112); got != "112th" {
		t.Error(got)
	}
}

func TestEveryMonthHasItsName(t *testing.T) {
	for _, p := range Load().All() {
		seen := map[string]bool{}
		for month := time.January; month <= time.December; month++ {
			seen[p.Date(time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC))] = true
		}
		if len(seen) != 12 {
			t.Errorf("%s: %d months", p.Tag, len(seen))
		}
	}
}

func TestFigures(t *testing.T) {
	p := Load().Match("en")
	for _, test := range []struct{ got, want string }{
		{p.Clock(0), "0:00"},
		{p.Clock(65_999), "1:05"},
		{p.Clock(3_723_000), "1:02:03"},
		{p.Spent(59_999), "59.9 s"},
		{p.Spent(61_000), "1:01"},
		{p.Duration(0.5), "0.5 s"},
		{p.Duration(90), "90 s"},
		{p.Duration(300), "5 min"},
		{p.Duration(615), "10 min 15 s"},
		{p.Duration(5400), "90 min"},
		{p.Duration(7200), "2 h"},
		{p.Duration(9000), "2 h 30 min"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
