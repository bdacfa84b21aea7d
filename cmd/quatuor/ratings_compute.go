package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"quatuor/cmd/quatuor/app"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/plackettluce"
	"quatuor/rating/sequence"
	"quatuor/rating/systems"
)

// ratingsComputeCmd is `quatuor ratings compute`: games as JSON lines in, ratings as JSON lines out. It does not use
// the database.
type ratingsComputeCmd struct {
	System string            `required:"" enum:"elo,elo-fide,glicko2,glicko2-period,elo-many,plackett-luce" help:"Rating system: ${enum}."`
	Set    map[string]string `help:"Figure of the system: k, cap, start, tau, mu, sigma, beta, kappa or floor; may be repeated." placeholder:"KEY=VALUE"`
}

// Run rates standard input on standard output.
func (c ratingsComputeCmd) Run(s streams) (err error) {
	rated, err := c.sequence()
	if err != nil {
		return err
	}
	lines, answers := bufio.NewScanner(s.In), bufio.NewWriter(s.Out)
	lines.Buffer(nil, maxRatingLine)
	defer func() { err = errors.Join(err, answers.Flush()) }()
	encoder := json.NewEncoder(answers)
	encoder.SetEscapeHTML(false)
	number := 0
	for lines.Scan() {
		number++
		if err := rateLine(rated, lines.Bytes(), encoder); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	for _, name := range rated.Names() {
		if err := encoder.Encode(lastLine(rated, name)); err != nil {
			return err
		}
	}
	return nil
}

// maxRatingLine is the longest line that is read, in bytes.
const maxRatingLine = 1 << 20

// sequence returns an empty sequence of the selected system.
func (c ratingsComputeCmd) sequence() (*sequence.Sequence, error) {
	set := map[string]float64{}
	for key, text := range c.Set {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, app.UsageErrorf("--set %s=%s: it must be a number", key, text)
		}
		set[key] = value
	}
	figures, err := systems.ReadFigures(c.System, set)
	if err != nil {
		return nil, app.UsageErrorf("--set: %v", err)
	}
	switch c.System {
	case "elo-fide":
		return sequence.ByPeriod(elo.FIDE{Settings: figures.Elo}), nil
	case "glicko2":
		return sequence.ByGame(glicko2.Games{Settings: figures.Glicko}, true), nil
	case "glicko2-period":
		return sequence.ByPeriod(glicko2.Periods{Settings: figures.Glicko}), nil
	case "plackett-luce":
		return sequence.ByGame(plackettluce.System{Settings: figures.Luce}, false), nil
	}
	return sequence.ByGame(elo.Club{Settings: figures.Elo}, c.System == "elo"), nil
}

// ratingLine is a line of input: a player's start, a game, or the end of a period.
type ratingLine struct {
	Player     *string  `json:"player"`
	Rating     *float64 `json:"rating"`
	Deviation  *float64 `json:"rd"`
	Volatility *float64 `json:"volatility"`
	Games      int      `json:"games"`
	Born       int      `json:"born"`

	ID    *string    `json:"id"`
	At    *int64     `json:"at"`
	Sides [][]string `json:"sides"`
	Ranks []int      `json:"ranks"`

	Period *string `json:"period"`
}

// changeLine is a line of output: the change of a player's rating by a game or a period.
type changeLine struct {
	ID       string   `json:"id,omitempty"`
	Period   string   `json:"period,omitempty"`
	Player   string   `json:"player"`
	Before   *float64 `json:"before,omitempty"` // left out without a rating
	After    *float64 `json:"after,omitempty"`
	Expected *float64 `json:"expected,omitempty"` // left out where the system expects no score
	K        float64  `json:"k,omitempty"`
}

// standingLine is a line of the final output: a player's rating.
type standingLine struct {
	Player     string   `json:"player"`
	Rating     *float64 `json:"rating,omitempty"`
	Deviation  float64  `json:"rd,omitempty"`
	Volatility float64  `json:"volatility,omitempty"`
	Games      int      `json:"games"`
}

// rateLine takes a line of input and writes its consequences.
func rateLine(rated *sequence.Sequence, text []byte, out *json.Encoder) error {
	line, err := readRatingLine(text)
	if err != nil {
		return err
	}
	var changes []sequence.Change
	change := changeLine{}
	switch {
	case line.Player != nil:
		start := sequence.Player{Name: *line.Player, Rating: line.Rating, Games: line.Games, Born: line.Born}
		if start.Deviation, err = above0("rd", line.Deviation); err != nil {
			return err
		}
		if start.Volatility, err = above0("volatility", line.Volatility); err != nil {
			return err
		}
		return rated.Enter(start)
	case line.Period != nil:
		change.Period = *line.Period
		changes, err = rated.Close(*line.Period)
	default:
		change.ID = *line.ID
		changes, err = rated.Play(sequence.Game{ID: *line.ID, Sides: line.Sides, Ranks: line.Ranks})
	}
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := out.Encode(change.of(c)); err != nil {
			return err
		}
	}
	return nil
}

// above0 returns a positive number of a line, or 0 if the line omits it.
func above0(name string, value *float64) (float64, error) {
	switch {
	case value == nil:
		return 0, nil
	case !(*value > 0):
		return 0, fmt.Errorf("%s cannot be %v; it is a number above 0", name, *value)
	}
	return *value, nil
}

// of returns the line of a player's change.
func (l changeLine) of(c sequence.Change) changeLine {
	l.Player, l.K = c.Player, c.K
	if !c.Before.Unrated {
		l.Before = &c.Before.Value
	}
	if !c.After.Unrated {
		l.After = &c.After.Value
	}
	if c.K != 0 || c.After.Volatility != 0 {
		l.Expected = &c.Expected
	}
	return l
}

func lastLine(rated *sequence.Sequence, name string) standingLine {
	r := rated.Rating(name)
	l := standingLine{Player: name, Deviation: r.Deviation, Volatility: r.Volatility, Games: r.Games}
	if !r.Unrated {
		l.Rating = &r.Value
	}
	return l
}

// readRatingLine reads a line, which has exactly one of the three kinds.
func readRatingLine(text []byte) (line ratingLine, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&line); err != nil {
		return line, fmt.Errorf("it is not a player, a game or a period: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return line, errors.New("there is something after the object; write one object a line")
	}
	player, game, period := line.Player != nil, line.ID != nil, line.Period != nil
	switch start := line.Rating != nil || line.Deviation != nil || line.Volatility != nil || line.Games != 0 ||
		line.Born != 0; {
	case player && !game && !period && line.Sides == nil && line.Ranks == nil && line.At == nil:
	case game && !player && !period && !start:
	case period && !player && !game && !start && line.Sides == nil && line.Ranks == nil:
	default:
		return line, errors.New(`a line is a player {"player", …}, a game {"id", "sides", "ranks", …} or the end of a period {"period"}`)
	}
	return line, nil
}
