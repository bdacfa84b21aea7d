package dutch

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
	"quatuor/tournament/pairing/swiss"
	"quatuor/tournament/trf"
	"quatuor/tournament/trf/check"
	"quatuor/tournament/trf/generate"
)

// Runner carries out a command line.
type Runner struct {
	Out, Err io.Writer
	Version  string
}

// failure is an error with the exit status for it.
type failure struct {
	status int
	text   string
}

func (f *failure) Error() string { return f.text }

func fail(status int, format string, args ...any) error {
	return &failure{status, fmt.Sprintf(format, args...)}
}

// Run carries out the arguments and returns the exit status.
func (e Runner) Run(args []string) int {
	if len(args) == 1 && (args[0] == "--help" || args[0] == "-h") {
		fmt.Fprint(e.Out, Usage)
		return exitOK
	}
	a, err := parse(args)
	if err != nil {
		fmt.Fprintf(e.Err, "%s\n\n%s", e.Version, Usage)
		return exitInvalid
	}
	if a.version {
		fmt.Fprintln(e.Out, e.Version)
	}
	switch {
	case a.check:
		err = e.check(a)
	case a.pair:
		err = e.pair(a)
	case a.generate:
		err = e.generate(a)
	}
	var f *failure
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &f):
		fmt.Fprintln(e.Err, f.text)
		return f.status
	}
	fmt.Fprintln(e.Err, "Unexpected error (please report):", err)
	return exitUnexpected
}

// read reads a report file.
func read(name string) (*trf.Report, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitFile, "Error reading file %s: The file could not be loaded.", name)
	}
	r, err := trf.Read(text)
	if err == nil {
		err = r.Followed()
	}
	if err != nil {
		return nil, fail(exitInvalid, "Error parsing file %s: %v", name, err)
	}
	return r, nil
}

// beside puts a file name without a folder into the folder of another file.
func beside(name, base string) string {
	if filepath.Dir(name) == "." && !strings.HasPrefix(name, ".") {
		return filepath.Join(filepath.Dir(base), name)
	}
	return name
}

// pair pairs the next round.
func (e Runner) pair(a arguments) error {
	r, err := read(a.input)
	if err != nil {
		return err
	}
	h, pairer, err := next(r, a)
	if err != nil {
		return err
	}
	drawn, err := pairer.Draw(h)
	if errors.Is(err, tournament.ErrUnpairable) {
		return fail(exitUnpairable, "Error while pairing %s: No valid pairing exists: %s", a.input, unpairable)
	} else if err != nil {
		return fail(exitInvalid, "Error while pairing %s: %v", a.input, err)
	}
	if err := e.checkList(a, func(b *bytes.Buffer) error { return writeList(b, pairer, h, drawn) }); err != nil {
		return err
	}
	var b bytes.Buffer
	lines := pairsOf(drawn)
	fmt.Fprintln(&b, len(lines))
	for _, g := range lines {
		fmt.Fprintln(&b, g.White, g.Black)
	}
	if a.output == "" {
		_, err := b.WriteTo(e.Out)
		return err
	}
	if err := os.WriteFile(beside(a.output, a.input), b.Bytes(), 0o666); err != nil { //nolint:gosec // for other programs
		return fail(exitFile, "The output file (%s) could not be opened.", a.output)
	}
	return nil
}

// unpairable is bbpPairings' text.
const unpairable = "The players could not be simultaneously matched while satisfying all absolute criteria."

// pairsOf returns the games of a round, and the bye as a game against opponent 0.
func pairsOf(round swiss.Round) []swiss.Game {
	out := round.Games
	if round.Bye > 0 {
		out = append(out[:len(out):len(out)], swiss.Game{White: round.Bye})
	}
	return out
}

// next returns the input of the round to be paired.
func next(r *trf.Report, a arguments) (h pairing.History, p swiss.Pairer, err error) {
	round := r.Held() + 1
	switch {
	case r.Rounds == 0:
		return h, p, fail(exitInvalid,
			"Error parsing file %s: The total number of rounds in the tournament must be specified.", a.input)
	case round > r.Rounds:
		return h, p, fail(exitInvalid,
			"Error parsing file %s: The number of rounds is larger than the reported number of rounds.", a.input)
	}
	h = r.Drawn(round)
	if h.Initial == 0 {
		return h, p, fail(exitInvalid, "Error while parsing %s: Please configure the initial piece colors.", a.input)
	}
	if len(r.Virtual) > 0 {
		p.Virtual = r.VirtualPoints
	} else if r.Baku() {
		h.GroupA = swiss.GroupA(h)
	}
	if a.baku {
		if h.Points.Loss != 0 || 2*h.Points.Draw != h.Points.Win {
			return h, p, fail(exitInvalid,
				"Error parsing file %s: Point system is inconsistent with Baku acceleration method.", a.input)
		}
		points := swiss.Baku(swiss.GroupA(h), r.Rounds, h.Points)
		p.Virtual = func(number, at int) tournament.Points { // earlier rounds are the file's
			if written := r.VirtualPoints(number, at); at < round || written > 0 {
				return written
			}
			return points(number, at)
		}
	}
	return h, p, nil
}

// check prints what differs in the rounds of a file.
func (e Runner) check(a arguments) error {
	r, err := read(a.input)
	if err != nil {
		return err
	}
	stem := strings.TrimSuffix(filepath.Base(a.input), filepath.Ext(a.input))
	var list bytes.Buffer
	for round := 1; round <= rounds(r); round++ {
		if a.round > 0 && round != a.round {
			continue
		}
		fmt.Fprintf(e.Out, "%s: Round #%d\n", stem, round)
		fmt.Fprintf(&list, "Round #%d\n", round)
		rebuilt, err := check.Rebuild(r, round)
		switch {
		case errors.Is(err, tournament.ErrUnpairable):
			fmt.Fprintf(e.Out, "No valid pairing exists for round %d.\n\n", round)
		case err != nil:
			return fail(exitInvalid, "Error checking file %s: %v", a.input, err)
		default:
			e.differences(rebuilt)
		}
		if err := writeList(&list, swiss.Pairer{Virtual: virtual(r)}, rebuilt.History, rebuilt.Drawn); err != nil {
			return err
		}
	}
	fmt.Fprintln(e.Out)
	return e.checkList(a, func(b *bytes.Buffer) error {
		_, err := list.WriteTo(b)
		return err
	})
}

// virtual returns the virtual points that a file lists; nil if it has none.
func virtual(r *trf.Report) func(number, round int) tournament.Points {
	if len(r.Virtual) == 0 {
		return nil
	}
	return r.VirtualPoints
}

// rounds returns the number of rounds to check: bbpPairings counts a round with nothing but byes.
func rounds(r *trf.Report) int {
	next := r.NextRound()
	for i := range r.Players {
		if len(r.Players[i].Cells) >= next {
			return next
		}
	}
	return next - 1
}

// generate makes a tournament.
func (e Runner) generate(a arguments) error {
	var settings generate.Settings
	switch {
	case a.input != "":
		r, err := read(a.input)
		if err != nil {
			return err
		}
		settings.Model(r)
	case a.config != "":
		text, err := os.ReadFile(a.config)
		if err != nil {
			return fail(exitFile, "Error while reading configuration file %s: The file could not be loaded.", a.config)
		}
		if err := settings.Read(string(text)); err != nil {
			return fail(exitInvalid, "Error parsing configuration file %s: %v", a.config, err)
		}
	}
	if a.baku {
		if err := settings.Set("Acceleration=baku"); err != nil {
			return err
		}
	}
	if !a.seeded {
		var b [8]byte
		if _, err := rand.Read(b[:]); err != nil {
			return err
		}
		a.seed = binary.LittleEndian.Uint64(b[:]) >> 1
	}
	r, err := generate.Tournament(settings, a.seed)
	if errors.Is(err, tournament.ErrUnpairable) {
		return fail(exitUnpairable, "Error generating %s: %v", a.made, err)
	} else if err != nil {
		return fail(exitInvalid, "Error while processing configuration file %s: %v", a.config, err)
	}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		return err
	}
	name := a.made
	if base := cmp.Or(a.input, a.config); base != "" {
		name = beside(name, base)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil { //nolint:gosec // for other programs
		return fail(exitFile, "The output file (%s) could not be opened.", a.made)
	}
	a.input = name
	return e.checkList(a, func(b *bytes.Buffer) error { return writeLists(b, r) })
}

// writeLists writes the check-lists of all rounds of a generated tournament.
func writeLists(b *bytes.Buffer, r *trf.Report) error {
	for round := 1; round < r.NextRound(); round++ {
		fmt.Fprintf(b, "Round #%d.\n", round)
		rebuilt, err := check.Rebuild(r, round)
		if err == nil {
			err = writeList(b, swiss.Pairer{Virtual: virtual(r)}, rebuilt.History, rebuilt.Drawn)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// differences prints the pairs of a round that differ, in two columns: by the rules, and of the file.
func (e Runner) differences(r check.RebuiltRound) {
	given := make(map[int]swiss.Game) // by number
	for _, g := range pairsOf(r.Given) {
		given[g.White] = g
		if g.Black > 0 {
			given[g.Black] = g
		}
	}
	var right, wrong []swiss.Game
	for _, g := range pairsOf(r.Drawn) {
		if given[g.White] == g {
			continue
		}
		right = append(right, g)
		for _, number := range []int{g.White, g.Black} {
			if other := given[number]; number > 0 && number == lower(other) {
				wrong = append(wrong, other)
			}
		}
	}
	if len(right) == 0 {
		return
	}
	sortBoards(right, r.History)
	sortBoards(wrong, r.History)
	fmt.Fprintf(e.Out, "  Checker pairings        Tournament pairings \n")
	for i, g := range wrong {
		correct := fmt.Sprintf("%9s", "")
		if i < len(right) {
			correct = printed(right[i])
		}
		fmt.Fprintf(e.Out, "    %s%16s%s\n", correct, "", printed(g))
	}
	fmt.Fprintln(e.Out)
}

func printed(g swiss.Game) string { return fmt.Sprintf("%3d - %3s", g.White, strconv.Itoa(g.Black)) }

// lower returns the lower number of a pair, under which it is listed.
func lower(g swiss.Game) int {
	if g.Black == 0 {
		return g.White
	}
	return min(g.White, g.Black)
}

// sortBoards sorts pairs as boards are published (C.04.2), by real points as bbpPairings does.
func sortBoards(games []swiss.Game, h pairing.History) {
	score := func(number int) tournament.Points { return h.Field[number-1].Score() }
	type board struct {
		bye        bool
		high, low  tournament.Points
		bestNumber int
	}
	of := func(g swiss.Game) board {
		if g.Black == 0 {
			return board{true, score(g.White), score(g.White), g.White}
		}
		a, b := g.White, g.Black
		if score(b) > score(a) || score(b) == score(a) && b < a {
			a, b = b, a
		}
		return board{false, score(a), score(b), a}
	}
	slices.SortStableFunc(games, func(x, y swiss.Game) int {
		a, b := of(x), of(y)
		last := 0
		if a.bye != b.bye {
			last = map[bool]int{true: 1, false: -1}[a.bye]
		}
		return cmp.Or(last, cmp.Compare(b.high, a.high), cmp.Compare(b.low, a.low), cmp.Compare(a.bestNumber, b.bestNumber))
	})
}
