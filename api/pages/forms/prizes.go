package forms

import (
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/prizes"
)

// PrizeForm is the form of a tournament's prizes.
type PrizeForm struct {
	Sharing    string
	Several    bool
	Unit       string
	Categories []prizeFields // the present categories and an empty row
}

// prizeFields are the fields of a category.
type prizeFields struct {
	Index                int
	Name, List, Clubs    string
	RatingFrom, RatingTo string
	AgeFrom, AgeTo       string
	Unrated              bool
}

// maxCategories is the maximum number of prize categories in a form.
const maxCategories = 40

// NewPrizes returns the form of prizes. field returns the typed text of a field, or its usual value.
func NewPrizes(now tournament.Prizes, field func(name, usual string) string) PrizeForm {
	form := PrizeForm{
		Sharing: field("sharing", now.Sharing), Several: now.Several, Unit: prizes.Money(max(now.Unit, 1)),
	}
	for i, category := range append(slices.Clone(now.Categories), tournament.PrizeCategory{}) {
		form.Categories = append(form.Categories, fieldsOf(i, category, field))
	}
	return form
}

func fieldsOf(i int, category tournament.PrizeCategory, field func(name, usual string) string) prizeFields {
	name := func(of string) string { return fmt.Sprintf("%s-%d", of, i) }
	text := func(n float64) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprint(n)
	}
	var lines []string
	for _, prize := range category.Prizes {
		line := prize.Text
		if prize.Amount > 0 {
			line = strings.TrimSpace(prizes.Money(prize.Amount) + " " + line)
		}
		lines = append(lines, line)
	}
	return prizeFields{
		Index: i, Name: field(name("name"), category.Name), List: field(name("prizes"), strings.Join(lines, "\n")),
		Clubs: field(name("clubs"), strings.Join(category.Clubs, ", ")), Unrated: category.Unrated,
		RatingFrom: field(name("rating-from"), text(category.RatingFrom)), RatingTo: field(name("rating-to"), text(category.RatingTo)),
		AgeFrom: field(name("age-from"), text(float64(category.AgeFrom))), AgeTo: field(name("age-to"), text(float64(category.AgeTo))),
	}
}

// ReadPrizes reads the prizes from a form. A category without a name and prizes is left out.
func ReadPrizes(form url.Values) (tournament.Prizes, error) {
	out := tournament.Prizes{Sharing: form.Get("sharing"), Several: form.Get("several") != ""}
	unit, err := Number(form.Get("unit"), "unit")
	if err != nil {
		return out, err
	}
	out.Unit = int64(math.Round(min(max(unit, 0), 1e9) * 100))
	for i := range maxCategories {
		field := func(name string) string { return strings.TrimSpace(form.Get(fmt.Sprintf("%s-%d", name, i))) }
		category := tournament.PrizeCategory{Name: field("name"), Unrated: field("unrated") != ""}
		for line := range strings.SplitSeq(field("prizes"), "\n") {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			first, rest, _ := strings.Cut(line, " ")
			prize := tournament.Prize{Text: line}
			if amount, err := Number(first, "prizes"); err == nil && amount >= 0 && amount <= 1e9 {
				prize = tournament.Prize{Amount: int64(math.Round(amount * 100)), Text: strings.TrimSpace(rest)}
			}
			category.Prizes = append(category.Prizes, prize)
		}
		if category.Name == "" && len(category.Prizes) == 0 {
			continue
		}
		limits, err := Numbers(field, "rating-from", "rating-to", "age-from", "age-to")
		if err != nil {
			return out, err
		}
		years := func(limit float64) int { return int(min(max(limit, -1), 1000)) }
		category.RatingFrom, category.RatingTo = limits[0], limits[1]
		category.AgeFrom, category.AgeTo = years(limits[2]), years(limits[3])
		for club := range strings.SplitSeq(field("clubs"), ",") {
			if club = strings.TrimSpace(club); club != "" {
				category.Clubs = append(category.Clubs, club)
			}
		}
		out.Categories = append(out.Categories, category)
	}
	if len(out.Categories) == 0 {
		return tournament.Prizes{}, nil
	}
	return out, nil
}
