package roster_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quatuor/api/internal/roster"
	"quatuor/api/internal/sheet"
)

// guess reads a list and guesses its columns.
func guess(t *testing.T, text string) roster.List {
	t.Helper()
	s, err := sheet.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return roster.Guess(s)
}

func TestGuess(t *testing.T) {
	for name, tt := range map[string]struct {
		text    string
		columns string
		head    bool
		federal bool
		first   string // player, club and year of the first line
	}{
		"ours":       {"name,club,birth_year,player_id\nAnna Berg,A,1990,x\n", "name|club|birth_year|player_id", true, false, "Anna Berg/A/1990"},
		"English":    {"Surname;First name;Born;Club;Phone\nBerg;Anna;1990-05-12;A;1\n", "last|first|birth_year|club|", true, false, "Anna Berg/A/1990"},
		"German":     {"Vorname\tName\tVerein\tJahrgang\nJörg\tStraß\tKöln\t1980\n", "first|last|club|birth_year", true, false, "Jörg Straß/Köln/1980"},
		"French":     {"Nom;Prénom;Né(e) le;Équipe\nBerg;Anna;12/05/1990;A\n", "last|first|birth_year|team", true, false, "Anna Berg//1990"},
		"one name":   {"Nom;Cote\nAnna Berg;1500\n", "name|rating", true, false, "Anna Berg//0"},
		"turned":     {"Spieler;Wertungszahl\nBerg, Anna;1500\n", "last_first|rating", true, false, "Anna Berg//0"},
		"a list":     {"Name,Quixo-Blitz\nAnna,1500\n", "name|quixo-blitz", true, false, "Anna//0"},
		"twice":      {"Name,Name\nAnna,Anna\n", "name|", true, false, "Anna//0"},
		"no head":    {"Anna Berg;1650;Tuesday Club;1990\nBert Carl;900;A;2001\n", "name|rating|club|birth_year", false, false, "Anna Berg/Tuesday Club/1990"},
		"two names":  {"Berg;Anna\nCarl;Bert\n", "last|first", false, false, "Anna Berg//0"},
		"only names": {"Anna Berg\nBert Carl\n", "name", false, false, "Anna Berg//0"},
		"FIDE": {
			"ID Number      Name                Fed Sex SRtng B-day\n25121731       Ängby, Åsa          SWE F   2010  1999 \n",
			"|last_first||||birth_year", true, true, "Åsa Ängby//1999",
		},
		"FIDE, XML": {
			"<playerslist><player><fideid>1</fideid><name>Berg, Anna</name><country>SWE</country><rating>1900</rating><birthday>1990</birthday></player></playerslist>",
			"|last_first|||birth_year", true, true, "Anna Berg//1990",
		},
		"German federation": {
			"ZPS,Mgl-Nr,Status,Spielername,Geschlecht,Spielberechtigung,Geburtsjahr,Letzte-Auswertung,DWZ,Index,FIDE-Elo,FIDE-Titel,FIDE-ID,FIDE-Land\n" +
				"10101,1001,A,\"Berg,Anna\",W,D,1990,202601,1500,12,1600,,1,GER\n",
			"|||last_first|||birth_year|||||||", true, true, "Anna Berg//1990",
		},
		"French federation": {
			"NrFFE;Nom;Prenom;Sexe;NeLe;Federation;Elo;Rapide;Club\nA12345;BERG;Anna;F;12/05/1990;FRA;1500;1400;Lyon\n",
			"|last|first||birth_year||||club", true, true, "Anna BERG/Lyon/1990",
		},
	} {
		l := guess(t, tt.text)
		if got := strings.Join(l.Columns, "|"); got != tt.columns || l.Head != tt.head || l.Federal != tt.federal {
			t.Errorf("%s: columns %s, head %t, federal %t", name, got, l.Head, l.Federal)
		}
		lines, err := l.Lines("")
		if err != nil || len(lines[0].Faults) > 0 {
			t.Errorf("%s: %v, %v", name, err, lines)
			continue
		}
		if p := lines[0].Player; fmt.Sprintf("%s/%s/%d", p.Name, p.Club, p.BirthYear) != tt.first {
			t.Errorf("%s: %v", name, p)
		}
	}
}

func TestLines(t *testing.T) {
	l := guess(t, "Name;Rating;Born\nAnna;1500,5;1990\nBert;x;85\n\nAnna;;1990\n;1;\nCleo;0;0\n")
	lines, err := l.Lines("quixo-rapid")
	if err != nil || len(lines) != 5 {
		t.Fatal(lines, err)
	}
	if anna := lines[0]; anna.Rating != 1500.5 || anna.Player.Rating["quixo-rapid"] != 1500.5 || anna.Number != 2 {
		t.Errorf("%+v", anna)
	}
	for i, want := range []string{
		"", `line 3: "x" is no rating from 0 to 5000; line 3: "85" is no year of birth from 1900 to 2100`,
		"line 5 is the player of line 2 again", "line 6: the name cannot be taken: it is blank: write at least one letter, digit or sign", "",
	} {
		var got []string
		for _, f := range lines[i].Faults {
			got = append(got, f.Detail)
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("line %d: %q, want %q", i, got, want)
		}
	}
	if cleo := lines[4].Player; cleo.BirthYear != 0 || cleo.Rating != nil {
		t.Errorf("%+v", cleo)
	}
	l.Columns = []roster.Column{roster.ClubName, roster.Ignored, roster.Ignored}
	if _, err := l.Lines(""); err == nil || !strings.Contains(err.Error(), "names") {
		t.Errorf("without names: %v", err)
	}
	l.Columns = []roster.Column{roster.FullName, roster.ClubName, roster.ClubName}
	if _, err := l.Lines(""); err == nil || !strings.Contains(err.Error(), "column 3") {
		t.Errorf("two clubs: %v", err)
	}
	if _, err := guess(t, "Name;Club\n").Lines(""); err == nil || !strings.Contains(err.Error(), "no player") {
		t.Errorf("only a head: %v", err)
	}
}

func TestTeams(t *testing.T) {
	lines, err := guess(t, "team;name;club;quixo-rapid\nBlue;Anna;Chess Club;1500\nRed;Carl;;\nblue;Bert;;1700\n"+
		"Red;Dora;;\nGreen;Emil\nPink;F;;x\nPink;G\n").Lines("")
	if err != nil {
		t.Fatal(err)
	}
	teams, refused := roster.Teams(lines, 2)
	if len(teams) != 2 || teams[0].Name != "Blue" || teams[0].Players[1].Player.Rating["quixo-rapid"] != 1700 ||
		teams[0].Players[0].Player.Club != "Chess Club" || teams[1].Players[1].Player.Name != "Dora" {
		t.Errorf("%v", teams)
	}
	if len(refused) != 2 || refused[0].Detail != `line 6: the table names 1 players of "Green", and a team has 2 in this game` ||
		refused[1].Pointer != "/lines/7/quixo-rapid" {
		t.Errorf("%v", refused)
	}
	if _, err := roster.ReadTable([]byte("team,name\nBlue,Anna\n")); err == nil {
		t.Error("the table of the API has teams")
	}
}

func TestKey(t *testing.T) {
	for _, names := range [][]string{{"Anna Berg", "Berg, Anna", "BERG Anna", "anna  berg"}, {"Jörg Straß", "Strass, Jorg"}, {"Anne-Marie O'Hara", "O’Hara Anne Marie"}} {
		for _, name := range names {
			if roster.Key(name) != roster.Key(names[0]) {
				t.Errorf("%q and %q", name, names[0])
			}
		}
	}
	if roster.Key("Anna Berg") == roster.Key("Anna Bergs") {
		t.Error("different names are equal")
	}
}

// TestExportIsRead: players that are written with the heads of the API's export are read as the same.
func TestExportIsRead(t *testing.T) {
	name := rapid.StringMatching(`[A-ZÄ=@'-][a-zéöł]{1,8}( [A-Z][a-z]{1,8})?`)
	rapid.Check(t, func(t *rapid.T) {
		rows, want := [][]string{{"name", "club", "birth_year", "player_id"}}, []string{}
		for i := range rapid.IntRange(1, 8).Draw(t, "players") {
			row := []string{name.Draw(t, "name"), name.Draw(t, "club"), fmt.Sprint(1950 + i), fmt.Sprint("id-", i)}
			want = append(want, strings.Join(row, "|"))
			rows = append(rows, row)
		}
		text, err := sheet.CSV(rows)
		if err != nil {
			t.Fatal(err)
		}
		s, err := sheet.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := roster.Guess(s).Lines("")
		var got []string
		for _, l := range lines {
			if len(l.Faults) > 0 {
				t.Skip("a name that is not taken")
			}
			got = append(got, fmt.Sprintf("%s|%s|%d|%s", l.Player.Name, l.Player.Club, l.Player.BirthYear, l.Player.ID))
		}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: read %q, %v; want %q", text, got, err, want)
		}
	})
}
