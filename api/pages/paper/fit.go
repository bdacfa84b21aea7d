package paper

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"quatuor/api/pages/results"
)

// The room on paper within the margins, in points: of A4 and US Letter the smaller, so that a table fits both.
const (
	narrow, tall = 510, 690
	wide, low    = 705, 495
	aboveTable   = 105 // the head of the first sheet, and the legend
)

// The type of a table on paper, in points, and the height of its rows in em.
const (
	largestType = 16
	leastType   = 8 // a larger table goes on to further sheets
	rowHeight   = 1.75
	letterWidth = .58
)

// fit is the type size and orientation of a printed table.
type fit struct {
	Size   float64 // of its type, in points
	Across bool    // landscape
}

// fitKey is the cache key of a crosstable's fit: the sheet, and the players' names as of an epoch.
type fitKey struct {
	sheetKey
	names uint64
}

// fitTable returns the fit of a table: upright, unless its type is legible across only.
func fitTable(rows int, width float64) fit {
	if size := typeOn(narrow, tall, rows, width); size >= leastType {
		return fit{Size: size}
	}
	return fit{typeOn(wide, low, rows, width), true}
}

// typeOn returns the largest type that fits a table on the smallest number of sheets that hold it in legible type.
func typeOn(across, down float64, rows int, width float64) float64 {
	height := float64(rows+1) * rowHeight
	sheets := math.Ceil((height*leastType + aboveTable) / down)
	return min(largestType, across/width, (sheets*down-aboveTable)/(height+2*rowHeight*(sheets-1)))
}

// fitCrosstable returns how a crosstable is printed.
func fitCrosstable(b results.Body) fit {
	const padding, ranks, longName = .75, 11, 30 // em of a field, em of the other columns, letters before a name is broken
	name, field, columns := 0, 2, 0              // letters of the longest
	rows := b.Crosstable.Rows
	for _, team := range b.Crosstable.Players {
		rows = append(rows[:len(rows):len(rows)], team.Rows...)
	}
	for _, row := range rows {
		name, columns = max(name, utf8.RuneCountInString(row.Entry.Name)), max(columns, len(row.Results))
		for _, r := range row.Results {
			letters := 0
			for _, m := range r.Marks {
				letters += 1 + utf8.RuneCountInString(m.Text)
			}
			for _, n := range r.Opponents {
				letters += 1 + len(strconv.Itoa(n))
			}
			field = max(field, letters)
		}
	}
	width := ranks + letterWidth*float64(min(name, longName)) + float64(columns)*(padding+letterWidth*float64(field))
	return fitTable(len(rows)+2*len(b.Crosstable.Players), width)
}

// css returns the rules of style sheets.
func (f fit) css() string {
	rules := fmt.Sprintf("@media print { .cross { font-size: %.1fpt; } }\n", f.Size)
	if f.Across {
		rules += "@page { size: landscape; }\n"
	}
	return rules
}
