package roster

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"quatuor/api/internal/sheet"
)

// Column is the meaning of a column of a list: a constant below, or the id of a rating list. Columns without a meaning
// here, like ids of federations, titles and sexes, are not kept.
type Column = string

// The columns of a list of players.
const (
	Ignored   Column = ""
	FullName  Column = "name"
	Swapped   Column = "last_first" // a name as federations write it, stored as "First Last"
	LastName  Column = "last"
	FirstName Column = "first"
	ClubName  Column = "club"
	BirthYear Column = "birth_year"
	TeamName  Column = "team"
	Rating    Column = "rating"    // in the list that the form names
	PlayerID  Column = "player_id" // of a player of this club
)

// Columns lists the possible contents of a column, beside the rating lists.
var Columns = []Column{FullName, Swapped, LastName, FirstName, ClubName, BirthYear, TeamName, Rating, PlayerID}

// heads are names of columns in lists of clubs and federations, folded by [fold].
var heads = map[string]Column{
	"playerid": PlayerID,

	"name": FullName, "fullname": FullName, "player": FullName, "players": FullName, "playername": FullName,
	"spielername": FullName, "spieler": FullName, "spielerin": FullName, "teilnehmer": FullName, "mitglied": FullName,
	"namevorname": FullName, "nachnamevorname": FullName, "nomprenom": FullName, "nometprenom": FullName,
	"nomcomplet": FullName, "joueur": FullName, "joueuse": FullName, "participant": FullName, "membre": FullName,

	"lastname": LastName, "surname": LastName, "familyname": LastName, "nachname": LastName, "familienname": LastName,
	"zuname": LastName, "nom": LastName, "nomdefamille": LastName,
	"firstname": FirstName, "forename": FirstName, "givenname": FirstName, "vorname": FirstName, "rufname": FirstName,
	"prenom": FirstName,

	"club": ClubName, "clubname": ClubName, "verein": ClubName, "vereinsname": ClubName, "clubnom": ClubName,
	"nomduclub": ClubName,

	"birthyear": BirthYear, "yearofbirth": BirthYear, "born": BirthYear, "birthday": BirthYear, "bday": BirthYear,
	"birthdate": BirthYear, "dateofbirth": BirthYear, "geburtsjahr": BirthYear, "geburtsdatum": BirthYear,
	"geboren": BirthYear, "jahrgang": BirthYear, "gebjahr": BirthYear, "anneedenaissance": BirthYear,
	"datedenaissance": BirthYear, "naissance": BirthYear, "nele": BirthYear, "neele": BirthYear,

	"team": TeamName, "teamname": TeamName, "mannschaft": TeamName, "equipe": TeamName,
	"rating": Rating, "wertung": Rating, "wertungszahl": Rating, "wertzahl": Rating, "cote": Rating, "classement": Rating,
	"elo": Rating, "dwz": Rating,
}

// federal are the folded names of columns that identify the lists of federations; each list has all names of a row.
var federal = [][]string{
	{"idnumber", "name", "fed"},                       // FIDE, fixed width
	{"idnumber", "name", "country"},                   // older
	{"fideid", "name", "country"},                     // FIDE, XML
	{"fideid", "name", "federation"},                  // CSV made of it
	{"spielername", "geschlecht", "dwz"},              // German Chess Federation, spieler.csv
	{"nrffe", "nom", "prenom"}, {"ref", "nom", "elo"}, // French Chess Federation
	{"nom", "prenom", "elo", "federation", "clubref"}, // its tournament program
}

// fold returns the letters and digits of a text in lower case, without accents.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, norm.NFD.String(strings.ReplaceAll(strings.ToLower(text), "ß", "ss")))
}

// List is a list of players with the meaning of its columns.
type List struct {
	sheet.Sheet
	Head    bool     // the first row names the columns
	Columns []Column // of each column
	Federal bool     // of a chess federation: its ratings are of another game, and are not taken
}

// Guess returns a list with its columns as far as they can be guessed: from the first row if it names columns in
// English, German or French, or else from their contents.
func Guess(s sheet.Sheet) List {
	l := List{Sheet: s, Columns: make([]Column, s.Width())}
	var folded []string
	for i, cell := range s.Rows[0].Cells {
		folded = append(folded, fold(cell))
		l.Columns[i] = headed(cell)
		l.Head = l.Head || l.Columns[i] != Ignored
	}
	l.Federal = slices.ContainsFunc(federal, func(all []string) bool {
		return !slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(folded, name) })
	})
	l.Head = l.Head || l.Federal
	if !l.Head {
		l.guessContent()
	}
	l.guessNames()
	for i, c := range l.Columns { // the first of each kind counts
		if slices.Contains(l.Columns[:i], c) || l.Federal && c == Rating {
			l.Columns[i] = Ignored
		}
	}
	return l
}

// headed returns the meaning of a column by its title.
func headed(cell string) Column {
	if id := strings.ToLower(cell); KnownList(id) {
		return id
	}
	return heads[fold(cell)]
}

// guessNames makes a last name without a first name a full name, and finds names that are written "Last, First".
func (l *List) guessNames() {
	if last := slices.Index(l.Columns, LastName); last >= 0 && !slices.Contains(l.Columns, FirstName) {
		l.Columns[last] = FullName
	}
	if name := slices.Index(l.Columns, FullName); name >= 0 {
		if first := slices.Index(l.Columns, FirstName); first >= 0 { // "Name" and "Vorname"
			l.Columns[name] = LastName
		} else if l.most(name, func(cell string) bool { return strings.Count(cell, ",") == 1 }) {
			l.Columns[name] = Swapped
		}
	}
}

// Data returns the rows of players.
func (l List) Data() []sheet.Row {
	if l.Head {
		return l.Rows[1:]
	}
	return l.Rows
}

// most reports whether has is true for nine tenths of the filled cells of a column, among the first 200 rows.
func (l List) most(column int, has func(cell string) bool) bool {
	const looked = 200
	good, all := 0, 0
	for _, row := range l.Data()[:min(looked, len(l.Data()))] {
		if column < len(row.Cells) && row.Cells[column] != "" {
			all++
			if has(row.Cells[column]) {
				good++
			}
		}
	}
	return all > 0 && 10*good >= 9*all
}

var (
	worded = regexp.MustCompile(`^\p{L}[^0-9]*$`)
	word   = regexp.MustCompile(`^\p{L}[^0-9 ]*$`)
)

// between returns a test whether a cell is a whole number in a range.
func between(from, to int) func(cell string) bool {
	return func(cell string) bool {
		n, err := strconv.Atoi(cell)
		return err == nil && from <= n && n <= to
	}
}

// guessContent finds names, years and ratings by their form.
func (l *List) guessContent() {
	var texts []int
	for i := range l.Columns {
		switch {
		case l.most(i, worded.MatchString):
			texts = append(texts, i)
		case l.most(i, between(1920, 2025)):
			l.Columns[i] = BirthYear
		case l.most(i, between(100, 4000)):
			l.Columns[i] = Rating
		}
	}
	kinds := []Column{FullName, ClubName}
	if len(texts) > 1 && l.most(texts[0], word.MatchString) && l.most(texts[1], word.MatchString) {
		kinds = []Column{LastName, FirstName, ClubName}
	}
	for i, column := range texts[:min(len(texts), len(kinds))] {
		l.Columns[column] = kinds[i]
	}
}
