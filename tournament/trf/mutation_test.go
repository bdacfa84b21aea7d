package trf

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"quatuor/tournament"
)

var mutations = flag.Int("trf.mutations", map[bool]int{false: 1500, true: 5000}[os.Getenv("QUATUOR_LONG") != ""],
	"how many spoilt files are read")

// spoil is a way to spoil a file. If whole, it changes how the file is written and not its content.
type spoil struct {
	name  string
	whole bool
	do    func(text []byte, random *rand.Rand) []byte
}

// inLine spoils a line, chosen by chance.
func inLine(do func(line []byte, random *rand.Rand) []byte) func([]byte, *rand.Rand) []byte {
	return func(text []byte, random *rand.Rand) []byte {
		lines := bytes.SplitAfter(text, []byte("\n"))
		at := random.IntN(len(lines) - 1)
		lines[at] = do(slices.Clone(lines[at]), random)
		return bytes.Join(lines, nil)
	}
}

// at returns a place in a line, in front of its end.
func at(line []byte, random *rand.Rand) int { return random.IntN(max(1, len(line)-1)) }

var spoils = []spoil{
	{"a bit is flipped", false, func(text []byte, random *rand.Rand) []byte {
		text[random.IntN(len(text))] ^= 1 << random.IntN(8)
		return text
	}},
	{"a byte is another", false, func(text []byte, random *rand.Rand) []byte {
		text[random.IntN(len(text))] = byte(random.IntN(256))
		return text
	}},
	{"columns move right", false, inLine(func(line []byte, random *rand.Rand) []byte {
		i := at(line, random)
		return slices.Concat(line[:i], bytes.Repeat([]byte(" "), 1+random.IntN(2)), line[i:])
	})},
	{"columns move left", false, inLine(func(line []byte, random *rand.Rand) []byte {
		i := at(line, random)
		return slices.Concat(line[:i], line[min(i+1+random.IntN(2), len(line)-1):])
	})},
	{"a line is lost", false, inLine(func([]byte, *rand.Rand) []byte { return nil })},
	{"a line is doubled", false, inLine(func(line []byte, _ *rand.Rand) []byte { return slices.Concat(line, line) })},
	{"a line is cut", false, inLine(func(line []byte, random *rand.Rand) []byte {
		return append(line[:at(line, random)], '\n')
	})},
	{"a digit is another", false, func(text []byte, random *rand.Rand) []byte {
		for {
			if i := random.IntN(len(text)); text[i] >= '0' && text[i] <= '9' {
				text[i] = byte('0' + (int(text[i]-'0')+1+random.IntN(9))%10)
				return text
			}
		}
	}},
	{"two bytes change places", false, inLine(func(line []byte, random *rand.Rand) []byte {
		i, j := at(line, random), at(line, random)
		line[i], line[j] = line[j], line[i]
		return line
	})},
	{"BOM", true, func(text []byte, _ *rand.Rand) []byte { return slices.Concat([]byte("\ufeff"), text) }},
	{"UTF-16", true, func(text []byte, random *rand.Rand) []byte {
		little, out := random.IntN(2) == 0, []byte(nil)
		for _, unit := range utf16.Encode([]rune("\ufeff" + string(text))) {
			low, high := byte(unit), byte(unit>>8)
			if little {
				low, high = high, low
			}
			out = append(out, high, low)
		}
		return out
	}},
	{"CRLF", true, func(text []byte, _ *rand.Rand) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }},
	{"CR", true, func(text []byte, _ *rand.Rand) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r")) }},
	{"Latin-1", true, func(text []byte, _ *rand.Rand) []byte {
		return bytes.ReplaceAll(text, []byte("Test0001"), []byte("T\xe9st0001"))
	}},
	{"tabs", true, func(text []byte, _ *rand.Rand) []byte {
		var out []byte
		for line := range bytes.Lines(text) {
			for i := 0; i < len(line); i += 8 {
				cell := line[i:min(i+8, len(line))]
				if short := bytes.TrimRight(cell, " "); len(cell) == 8 && len(short) < 7 {
					cell = append(slices.Clone(short), '\t')
				}
				out = append(out, cell...)
			}
		}
		return out
	}},
}

// located matches a refusal that names its line, and columns within 001 lines.
var (
	located     = regexp.MustCompile(`line \d+`)
	withColumns = regexp.MustCompile(`columns? \d+`)
)

// TestSpoiltFiles: a file is refused with its line, or its content still fits together.
func TestSpoiltFiles(t *testing.T) {
	files, err := filepath.Glob("../pairing/swiss/testdata/*/*.trf")
	if err != nil || len(files) != 66 {
		t.Fatalf("%d reports found (%v), want 66", len(files), err)
	}
	var originals [][]byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		originals = append(originals, text)
	}
	counts := map[string]map[string]int{}
	if testing.Short() {
		*mutations = min(*mutations, 500)
	}
	for seed := range *mutations {
		random := rand.New(rand.NewPCG(uint64(seed), 2))
		s, text := spoils[seed%len(spoils)], originals[random.IntN(len(originals))]
		outcome, why := readSpoilt(text, s, random)
		if counts[s.name] == nil {
			counts[s.name] = map[string]int{}
		}
		counts[s.name][outcome]++
		if outcome == "wrong" {
			t.Errorf("seed %d, %s: %s", seed, s.name, why)
		}
	}
	for _, s := range spoils {
		t.Logf("%-26s %v", s.name, counts[s.name])
	}
}

// readSpoilt reads a spoilt file, and judges what came of it.
func readSpoilt(text []byte, s spoil, random *rand.Rand) (outcome, why string) {
	before, err := Read(text)
	if err != nil {
		return "wrong", err.Error()
	}
	spoilt := s.do(slices.Clone(text), random)
	after, err := Read(spoilt)
	switch {
	case err != nil && s.whole:
		return "wrong", "refused: " + err.Error()
	case err != nil && !errors.Is(err, tournament.ErrInvalid):
		return "wrong", "not an invalid file: " + err.Error()
	case err != nil && !located.MatchString(err.Error()):
		return "wrong", "without a line: " + err.Error()
	case err != nil && strings.Contains(err.Error(), ", player ") && !withColumns.MatchString(err.Error()):
		return "wrong", "without columns: " + err.Error()
	case err != nil:
		return "refused", ""
	case s.whole && s.name != "Latin-1" && !same(before, after):
		return "wrong", "it reads otherwise"
	case reflect.DeepEqual(withoutLines(before), withoutLines(after)):
		return "the same", ""
	}
	if contradiction := contradicts(spoilt); contradiction != "" {
		return "wrong", "accepted: " + contradiction
	}
	return "another tournament", ""
}

// row is a 001 line as a program that knows nothing but columns sees it.
type row struct {
	cells  []string // opponent/colour/result
	points string
}

// contradicts looks for a contradiction in a file by means of its own: fixed columns, and nothing of the reader.
func contradicts(text []byte) string {
	rows, rounds := map[string]row{}, 0
	usual := true // points
	for raw := range strings.SplitSeq(strings.ReplaceAll(string(text), "\r", "\n"), "\n") {
		line := strings.TrimRight(raw, " \t")
		if strings.HasPrefix(line, "142") {
			_, _ = fmt.Sscan(line[3:], &rounds)
		}
		usual = usual && !strings.HasPrefix(line, "162") && !strings.HasPrefix(line, "299") && !strings.HasPrefix(line, "240")
		if !strings.HasPrefix(line, "001") {
			continue
		}
		number, r, fault := rowOf([]rune(line))
		if _, twice := rows[number]; twice || fault != "" {
			return fault + ": " + raw
		}
		rows[number] = r
	}
	for number, r := range rows {
		for i, cell := range r.cells {
			if fault := mirror(rows, number, i); fault != "" {
				return fault + ": " + cell
			}
			if rounds > 0 && i >= rounds && !strings.HasPrefix(cell, "/") {
				return fmt.Sprintf("%s plays round %d of %d", number, i+1, rounds)
			}
		}
		if sum := sumOf(r); usual && r.points != "" && sum != "" && sum != r.points {
			return fmt.Sprintf("%s has %s points, and they make %s", number, r.points, sum)
		}
	}
	return ""
}

// rowOf cuts a 001 line at its columns.
func rowOf(line []rune) (number string, r row, fault string) {
	field := func(first, last int) string {
		if len(line) < first {
			return ""
		}
		return strings.TrimSpace(string(line[first-1 : min(last, len(line))]))
	}
	gaps := []int{4, 9, 48, 53, 57, 80, 85}
	for at := 90; at <= len(line); at += 10 {
		opponent := strings.TrimLeft(field(at+2, at+5), "0")
		r.cells = append(r.cells, opponent+"/"+strings.ToLower(field(at+7, at+7))+"/"+strings.ToUpper(field(at+9, at+9)))
		gaps = append(gaps, at, at+1, at+6, at+8)
	}
	for _, gap := range gaps {
		if field(gap, gap) != "" {
			return "", r, fmt.Sprintf("column %d is not blank", gap)
		}
	}
	r.points = field(81, 84)
	return strings.TrimLeft(field(5, 8), "0"), r, ""
}

// mirror compares a cell with that of the opponent.
func mirror(rows map[string]row, number string, round int) string {
	own := strings.Split(rows[number].cells[round], "/")
	if own[0] == "" {
		return ""
	}
	other, ok := rows[own[0]]
	if !ok || len(other.cells) <= round {
		return number + " has an opponent that is missing"
	}
	back := strings.Split(other.cells[round], "/")
	fits := map[string]string{"1": "0", "W": "L", "+": "-", "=": "=0", "D": "DL", "0": "1=0", "L": "WDL", "-": "+-", "": ""}
	switch {
	case back[0] != number:
		return number + " is not the opponent of its own"
	case own[1] == back[1] && own[1] != "-" && own[1] != "":
		return number + " has the colour of its opponent"
	case (own[2] == "") != (back[2] == "") || !strings.Contains(fits[own[2]], back[2]):
		return number + " has a result that does not fit the opponent's"
	}
	return ""
}

// sumOf adds up the usual points; "" for a last round that only has byes, which programs count or not.
func sumOf(r row) string {
	tenths := 0
	for _, cell := range r.cells {
		result := cell[strings.LastIndex(cell, "/")+1:]
		tenths += map[string]int{"1": 10, "W": 10, "+": 10, "F": 10, "U": 10, "=": 5, "D": 5, "H": 5}[result]
	}
	if n := len(r.cells); n == 0 || strings.HasPrefix(r.cells[n-1], "/") {
		return ""
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}
