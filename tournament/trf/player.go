package trf

import (
	"fmt"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament/pairing"
)

// maxPlayers is the greatest number of four columns; maxRounds is more than any tournament has.
const (
	maxPlayers = 9999
	maxRounds  = 200
)

// firstCell is the column in front of the first round's ten.
const firstCell, cellWidth = 89, 10

// columns returns the characters of a line from the first to the last column, without surrounding blanks.
func columns(line []rune, first, last int) string {
	if len(line) < first {
		return ""
	}
	return strings.TrimSpace(string(line[first-1 : min(last, len(line))]))
}

// from returns the characters from a column on.
func from(line []rune, first int) string {
	return string(line[min(first-1, len(line)):])
}

// readPlayer reads a 001 line. Its errors continue the words "line 7".
func readPlayer(text string) (Player, error) {
	line := []rune(text)
	number, err := readNumber(columns(line, 5, 8), 1, maxPlayers)
	if err != nil {
		return Player{}, sentence.Errorf(": the number in columns 5 to 8: %w", err)
	}
	p := Player{
		Number: number, Sex: columns(line, 10, 10), Title: columns(line, 11, 13), Name: columns(line, 15, 47),
		Rating: columns(line, 49, 52), Federation: columns(line, 54, 56), ID: columns(line, 58, 68),
		Birth: columns(line, 70, 79),
	}
	points := columns(line, 81, 84)
	p.NoPoints = points == ""
	if !p.NoPoints {
		p.Points, err = readPoints(points)
	}
	if err != nil {
		return Player{}, sentence.Errorf(", player %d: points in columns 81 to 84: %w", number, err)
	}
	if rank := columns(line, 86, 89); rank != "" {
		p.Rank, err = readNumber(rank, 0, maxPlayers)
		if err != nil {
			return Player{}, sentence.Errorf(", player %d: rank in columns 86 to 89: %w", number, err)
		}
	}
	if rounds := (len(line) - firstCell + cellWidth - 1) / cellWidth; rounds > maxRounds {
		return Player{}, sentence.Errorf(", player %d: the line is long enough for %d rounds; at most %d can be read, up to "+
			"column %d", number, rounds, maxRounds, firstCell+maxRounds*cellWidth)
	}
	for at := firstCell; at < len(line); at += cellWidth {
		c, err := readCell(line[at:min(at+cellWidth, len(line))])
		if err != nil {
			round := len(p.Cells) + 1
			return Player{}, sentence.Errorf(", player %d, round %d: %w (%s)", number, round, err, cellColumns(round))
		}
		p.Cells = append(p.Cells, c)
	}
	p.gaps = filledGaps(line)
	p.Cells = trimmed(p.Cells)
	return p, nil
}

// cellColumns names the columns of a round.
func cellColumns(round int) string {
	first := firstCell + (round-1)*cellWidth
	return fmt.Sprintf("columns %d to %d", first+3, first+cellWidth)
}

// trimmed returns the cells without blank cells at the end.
func trimmed(cells []Cell) []Cell {
	for len(cells) > 0 && cells[len(cells)-1] == (Cell{Result: NoResult}) {
		cells = cells[:len(cells)-1]
	}
	return cells
}

// readCell reads the ten columns of a round.
func readCell(text []rune) (c Cell, err error) {
	if opponent := columns(text, 1, 6); opponent != "" {
		c.Opponent, err = readNumber(opponent, 0, maxPlayers)
		if err != nil {
			return c, sentence.Errorf("the opponent: %w", err)
		}
	}
	switch colour := columns(text, 7, 8); colour {
	case "w", "W":
		c.Colour = pairing.White
	case "b", "B":
		c.Colour = pairing.Black
	case "", "-":
	default:
		return c, sentence.Errorf("%q is not a colour; use w, b or -", colour)
	}
	result := strings.ToUpper(columns(text, 9, 10))
	switch {
	case result == "":
		c.Result = NoResult
	case len(result) > 1 || !strings.Contains("1=0WDL+-HFUZ", result):
		return c, sentence.Errorf("%q is not a result; use one of 1 = 0 + - H F U Z W D L", result)
	default:
		c.Result = Result(result[0])
	}
	if c == (Cell{Result: Draw}) { // as older files write a half-point bye
		c.Result = HalfPoint
	}
	return c, c.check()
}

// check refuses results that do not fit having, or not having, an opponent.
func (c Cell) check() error {
	switch {
	case c.Result.isGame() && c.Opponent == 0:
		return sentence.Errorf("the result %q needs an opponent", c.Result)
	case c.Result.isBye() && c.Opponent != 0:
		return sentence.Errorf("the bye %q cannot have opponent %d", c.Result, c.Opponent)
	case c.Result.isGame() && c.Colour == 0:
		return sentence.Errorf("the colour against %d is missing", c.Opponent)
	}
	return nil
}

func (r Result) isGame() bool    { return strings.ContainsRune("1=0WDL", rune(r)) }
func (r Result) isForfeit() bool { return r == ForfeitWin || r == ForfeitLoss }
func (r Result) isBye() bool     { return strings.ContainsRune("HFUZ", rune(r)) }

// Line returns the line of the player in the file, from 1; 0 if it was not read.
func (p *Player) Line() int { return p.line }

// write returns the 001 line.
func (p Player) write() string {
	var b strings.Builder
	rank := ""
	if p.Rank > 0 {
		rank = fmt.Sprint(p.Rank)
	}
	points := decimal(p.Points)
	if p.NoPoints {
		points = ""
	}
	fmt.Fprintf(&b, "001 %4d %1s%3s %-33s %4s %3s %11s %-10s %4s %4s",
		p.Number, p.Sex, p.Title, p.Name, p.Rating, p.Federation, p.ID, p.Birth, points, rank)
	for _, c := range p.Cells {
		b.WriteString(c.write())
	}
	return strings.TrimRight(b.String(), " ")
}

func (c Cell) write() string {
	if c == (Cell{Result: NoResult}) {
		return strings.Repeat(" ", cellWidth)
	}
	colour := '-'
	switch c.Colour {
	case pairing.White:
		colour = 'w'
	case pairing.Black:
		colour = 'b'
	}
	if c.Opponent == 0 {
		return fmt.Sprintf("  0000 %c %c", colour, c.Result)
	}
	return fmt.Sprintf("  %4d %c %c", c.Opponent, colour, c.Result)
}
