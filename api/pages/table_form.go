package pages

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
)

// usualTables returns what a field about tables shows; false for other fields.
func (f tournamentForm) usualTables(name string) (string, bool) {
	r := f.Rules.Tables
	ticks := map[string]bool{
		"size3": r.Sizes.Has(3), "size4": r.Sizes.Has(4), "size5": r.Sizes.Has(5), "scores_first": r.MeetingsSecond,
		"clubs_apart": r.Clubs, "unseeded": r.Unseeded, "rotate": r.Rotate, "short": r.Short,
	}
	if on, ok := ticks[name]; ok {
		if on {
			return "1", true
		}
		return "", true
	}
	switch name {
	case "preferred":
		if r.Preferred > 0 {
			return strconv.Itoa(r.Preferred), true
		}
		return "", true
	case "places":
		return placesText(f.Points.Places), true
	}
	return "", false
}

// placesText writes the points for places that are not the usual ones, table by table.
func placesText(p tournament.PlacePoints) string {
	var lists []string
	for i, list := range p {
		if list == ([5]tournament.Points{}) {
			continue
		}
		var values []string
		for _, points := range list[:i+3] {
			values = append(values, points.String())
		}
		lists = append(lists, strings.Join(values, " "))
	}
	return strings.Join(lists, "; ")
}

// readTables reads the rules of tables, which only some formats have.
func (f tournamentForm) readTables(s *tournament.Settings, form url.Values, in *fieldReader) {
	if !s.Format.Tables() {
		s.Rules.Tables, s.Points.Places = tournament.TableRules{}, tournament.PlacePoints{}
		return
	}
	r := &s.Rules.Tables
	var sizes []int
	for n := 3; n <= 5; n++ {
		if form.Get("size"+strconv.Itoa(n)) != "" {
			sizes = append(sizes, n)
		}
	}
	was := *r
	r.Sizes, r.Preferred = tournament.SizesOf(sizes...), 0
	if form.Get("preferred") != "" {
		r.Preferred = in.whole("preferred", 5)
	}
	r.Rotate = s.Format == tournament.TableSwiss && form.Get("rotate") != ""
	r.MeetingsSecond = s.Format == tournament.TableSwiss && form.Get("scores_first") != ""
	r.Clubs = s.Format == tournament.TableSwiss && form.Get("clubs_apart") != ""
	r.Unseeded = s.Format == tournament.TableSwiss && form.Get("unseeded") != ""
	if r.Rotate != was.Rotate || s.Variant != f.Variant && was.Sizes == r.Sizes {
		r.Sizes, r.Preferred = 0, 0 // another game has other tables
	}
	if form.Has("places") {
		s.Points.Places = in.places(form.Get("places"))
	}
}

// places reads lists of points for the places at tables, each as long as the table is large, with semicolons between them.
func (r *fieldReader) places(text string) (out tournament.PlacePoints) {
	for part := range strings.SplitSeq(text, ";") {
		words := strings.FieldsFunc(part, func(c rune) bool { return c == ' ' || c == '/' })
		if len(words) == 0 {
			continue
		}
		var list []tournament.Points
		for _, word := range words {
			value, err := number(word, "places")
			if err != nil || value < 0 || value > 100 || value*10 != float64(int(value*10)) {
				r.fault("places", "%q is not a number of points with one decimal at most", word)
				return out
			}
			list = append(list, tournament.Points(value*10))
		}
		if !slices.Contains([]int{3, 4, 5}, len(list)) || out[len(list)-3] != ([5]tournament.Points{}) {
			r.fault("places", "write a list of three, four or five numbers for each size of table, such as 5 3 2 1; 4 2 1")
			return out
		}
		copy(out[len(list)-3][:], list)
	}
	return out
}
