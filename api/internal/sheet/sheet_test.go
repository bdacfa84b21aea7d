package sheet_test

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"pgregory.net/rapid"

	"quatuor/api/internal/sheet"
)

// cells returns the rows of a list without their lines.
func cells(s sheet.Sheet) (rows [][]string) {
	for _, row := range s.Rows {
		rows = append(rows, row.Cells)
	}
	return rows
}

func utf16Of(text string, big bool) []byte {
	out := []byte{0xFF, 0xFE}
	if big {
		out = []byte{0xFE, 0xFF}
	}
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

func TestRead(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want [][]string
	}{
		"commas":             {"name,club\r\n\"Kalniņa, Ieva\",Rīga\r\n", [][]string{{"name", "club"}, {"Kalniņa, Ieva", "Rīga"}}},
		"semicolons, a mark": {"\ufeffName;Elo\nBerg, Anna;1500\n\nDorn;\n", [][]string{{"Name", "Elo"}, {"Berg, Anna", "1500"}, {"Dorn"}}},
		"tabs":               {"Name\tElo\nAnna\t1500", [][]string{{"Name", "Elo"}, {"Anna", "1500"}}},
		"bars, old Mac":      {"Name|Elo\rAnna|1500\r", [][]string{{"Name", "Elo"}, {"Anna", "1500"}}},
		"one column":         {"Anna Berg\nBert Carl\n", [][]string{{"Anna Berg"}, {"Bert Carl"}}},
		"quotes in a name":   {"name;club\nAnna \"Anni\" Berg;A\n\"Bert \"\"B\"\" C\";\"x;y\"\n", [][]string{{"name", "club"}, {`Anna "Anni" Berg`, "A"}, {`Bert "B" C`, "x;y"}}},
		"no formula":         {"a,b\n'=1+2,'-x\n-5,'s\n", [][]string{{"a", "b"}, {"=1+2", "-x"}, {"-5", "'s"}}},
		"UTF-16":             {string(utf16Of("Name;Verein\nJörg;Köln\n", false)), [][]string{{"Name", "Verein"}, {"Jörg", "Köln"}}},
		"UTF-16, big end":    {string(utf16Of("Name;Verein\nJörg;Köln\n", true)), [][]string{{"Name", "Verein"}, {"Jörg", "Köln"}}},
		"Windows-1252":       {"Name;Verein\nJ\xf6rg;\x80 K\xf6ln\n", [][]string{{"Name", "Verein"}, {"Jörg", "€ Köln"}}},
		"FIDE's columns": {
			"ID Number      Name                      Fed Sex Tit  SRtng SGm SK B-day Flag\n" +
				"10207538       A E M, Doshtagir          BAN M        1840  0   40 1974      \n" +
				"25121731       Ängby, Åsa                SWE F   WFM  2010  3   20 1999  i   \n",
			[][]string{
				{"ID Number", "Name", "Fed", "Sex", "Tit", "SRtng", "SGm", "SK", "B-day", "Flag"},
				{"10207538", "A E M, Doshtagir", "BAN", "M", "", "1840", "0", "40", "1974"},
				{"25121731", "Ängby, Åsa", "SWE", "F", "WFM", "2010", "3", "20", "1999", "i"},
			},
		},
		"FIDE's XML": {
			`<?xml version="1.0" encoding="ISO-8859-1"?><playerslist><player><fideid>1</fideid><name>Berg &amp; Co, A</name></player>` +
				`<player><name>Carl, B</name><rating>1900</rating></player></playerslist>`,
			[][]string{{"fideid", "name", "rating"}, {"1", "Berg & Co, A"}, {"", "Carl, B", "1900"}},
		},
	} {
		s, err := sheet.Read([]byte(tt.in))
		got := cells(s)
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tt.want)
		}
	}
	s, err := sheet.Read([]byte("name\n\nAnna\n\"B\nC\"\nDora\n"))
	if err != nil || s.Rows[1].Line != 3 || s.Rows[2].Line != 4 || s.Rows[3].Line != 6 {
		t.Errorf("lines: %v, %v", s, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for says, file := range map[string]string{
		"the list is empty":       " \r\n\n",
		"no text":                 "PK\x03\x04\x14\x00\x06\x00" + strings.Repeat("x", 100),
		"unpacked":                "\x1f\x8b\x08\x00" + strings.Repeat("\x00", 200),
		"save the list as CSV":    "%PDF-1.7\n...",
		"line 2: a cell has":      "name,club\n\"Anna,A\n" + strings.Repeat("Bert,B\n", 300),
		"at most 200000 lines":    strings.Repeat("a\n", 200_001),
		"the list is too long":    strings.Repeat("a,b,c,d,e,f,g,h,i,j\n", 450_000),
		"61 columns":              strings.Repeat(";", 60) + "x",
		"no XML that can be read": "<players><player><name>Anna</players>",
		"list is empty":           "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">]><x></x>",
	} {
		if _, err := sheet.Read([]byte(file)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.30q: %v; want %q", file, err, says)
		}
	}
	for _, file := range []string{ // what only takes time or memory
		"<x><p><n>" + strings.Repeat("a<!---->", 1<<20) + "</n></p></x>", strings.Repeat(`"`, 8<<20), strings.Repeat(",", 8<<20),
		strings.Repeat("<x>", 1<<20), strings.Repeat("\n", 8<<20), "a\n" + strings.Repeat(`"";`, 1<<20),
	} {
		began := time.Now()
		if _, err := sheet.Read([]byte(file)); err == nil {
			t.Errorf("%.20q is a list", file)
		}
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%.20q took %v", file, took)
		}
	}
	if _, err := sheet.Read([]byte(`<!DOCTYPE x [<!ENTITY a "aaa"><!ENTITY b "&a;&a;">]><x><p><n>&b;</n></p></x>`)); err == nil {
		t.Error("entities are expanded")
	}
}

func TestCSVHasNoFormulas(t *testing.T) {
	text, err := sheet.CSV([][]string{{"=1", "+1", "-x", "@a", "\tb", "＝1", "'=1", "-2.5", "Anna", "O'Hara"}})
	if want := "'=1,'+1,'-x,'@a,'\tb,'＝1,''=1,-2.5,Anna,O'Hara\r\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v; want %q", text, err, want)
	}
}

// TestWhatIsWrittenIsRead also for cells that look like formulas, or escaped.
func TestWhatIsWrittenIsRead(t *testing.T) {
	cell := rapid.OneOf(rapid.StringMatching(`['=+@＝-]{0,3}[a-z0-9";,|ÄéŁ. -]{0,8}`), rapid.StringMatching(`-?[0-9]{1,4}(\.[0-9])?`))
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(2, 6).Draw(t, "width")
		head := []string{"a", "b", "c", "d", "e", "f"}[:width]
		rows, want := [][]string{head}, [][]string{head}
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			row := make([]string, width)
			for i := range row {
				row[i] = strings.TrimSpace(cell.Draw(t, "cell"))
			}
			row[width-1] += "z" // without empty cells at the end
			rows, want = append(rows, row), append(want, append([]string(nil), row...))
		}
		text, err := sheet.CSV(rows)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sheet.Read(text)
		if err != nil || !reflect.DeepEqual(cells(s), want) {
			t.Fatalf("%q: read %q, %v; want %q", text, cells(s), err, want)
		}
	})
}

// FuzzRead checks that whatever is read can be written and read again as the same.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"name,club\nAnna,A\n", "a;b\n\"x\"\"y;1\n", "ID Number  Name  Fed\n1          A     SWE\n", "<l><p><n>A</n></p></l>", "\xff\xfea\x00", "a;b\n\"c\nd\";e\n",
		"'=1\t2", "a|b\r\rc", "\"", "a\"b", " <", " %PDF\n", "\"%PDF", "\n\na\n\nb;c\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := sheet.Read(file)
		if err != nil {
			return
		}
		text, err := s.Text()
		if err != nil {
			t.Fatal(err)
		}
		again, err := sheet.Read([]byte(text))
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("%q: read %v, then %v (%v)", file, s, again, err)
		}
	})
}
