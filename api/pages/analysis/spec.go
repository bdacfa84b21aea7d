package analysis

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
	"quatuor/api/pages/play"
	"quatuor/engine"
	"quatuor/tournament/wording"
)

// analysisSpec is a line of analysis, as an address encodes it.
type analysisSpec struct {
	rules    engine.Rules
	setup    engine.Setup
	seats    string
	options  map[string]string
	seed     string
	position string
	moves    []string
	ply      int
	flip     int
	game     string
}

// tooLong returns the error message for an address as a whole.
func tooLong(in *message.Printer, err error) string {
	if errors.Is(err, errLong) {
		return in.TextOr("", "analysis.too_long", "Moves", MaxAnalysed, "Characters", MaxLine)
	}
	return in.TextOr("", "analysis.unreadable", "Why", err.Error())
}

// dealAfter returns the seed of another deal: no game's, since those are drawn by chance and kept secret.
func dealAfter(seed string) string {
	sum := sha256.Sum256([]byte(seed))
	return hex.EncodeToString(sum[:])
}

func firstSetup(rules engine.Rules, seed string) (engine.Setup, error) {
	info := rules.Info()
	if !info.Secret {
		seed = ""
	}
	return engine.NewSetup(info, info.Seats[0], seed, nil)
}

// read parses an address. Parameters that are too long are refused before any is parsed.
func (s *analysisSpec) read(c echo.Context) (err error) {
	if len(c.QueryParam("moves")) > MaxLine {
		return errLong
	}
	if err := wording.Word(c.QueryParam("moves")); c.QueryParam("moves") != "" && err != nil {
		return err
	}
	s.moves = strings.FieldsFunc(c.QueryParam("moves"), func(r rune) bool { return r == '_' || r == ' ' })
	if len(s.moves) > MaxAnalysed {
		return errLong
	}
	info := s.rules.Info()
	s.options = map[string]string{}
	s.seats = c.QueryParam("seats")
	s.seed = c.QueryParam("seed")
	s.position = c.QueryParam("position")
	for _, option := range slices.Concat(engine.CommonOptions(), info.Options) {
		if value := c.QueryParam(option.Key); value != "" {
			s.options[option.Key] = value
		}
	}
	seats := info.Seats[0]
	if s.seats != "" {
		if seats, err = strconv.Atoi(s.seats); err != nil {
			return engine.Refuse(engine.ErrSetup, "%q is no number of seats", engine.Clip(s.seats))
		}
	}
	if s.setup, err = engine.NewSetup(info, seats, s.seed, s.options); err != nil {
		return err
	}
	s.flip = play.FlipOf(c, seats)
	s.ply = -1
	if n, err := strconv.Atoi(c.QueryParam("ply")); err == nil && n >= 0 {
		s.ply = n
	}
	if id := c.QueryParam("game"); kit.Word.MatchString(strings.ReplaceAll(id, "-", "")) {
		s.game = id
	}
	return nil
}

// play returns the game before the first move of the line and after each. After a move that is refused it ends, with
// the reason.
func (s *analysisSpec) play() (line []*engine.Match, err error) {
	var m *engine.Match
	if s.position != "" {
		m, err = engine.MatchFrom(s.rules, s.setup, s.position)
	}
	refused := err
	if m == nil {
		if m, err = engine.NewMatch(s.rules, s.setup); err != nil {
			return nil, err
		}
	}
	line = append(line, m)
	for i, token := range s.moves {
		if refused == nil {
			m, refused = m.AfterToken(token)
		}
		if refused != nil {
			s.moves = s.moves[:i]
			break
		}
		line = append(line, m)
	}
	return line, refused
}

// try returns the address of the line with a further move after those shown.
func (s *analysisSpec) try(line []*engine.Match, shown int, token string) (string, error) {
	next, err := line[shown].AfterToken(token)
	if err != nil {
		return "", err
	}
	events := next.Events()
	moves := append(slices.Clone(s.moves[:shown]), events[len(events)-1].Token(prefixed(s.setup, s.rules)))
	if shown < len(s.moves) && s.moves[shown] == moves[shown] {
		return s.address(s.moves, shown+1), nil // it is the line's own
	}
	if len(moves) > MaxAnalysed || len(strings.Join(moves, "_")) > MaxLine {
		return "", errLong
	}
	return s.address(moves, -1), nil
}

// prefixed reports whether moves name their seat.
func prefixed(setup engine.Setup, rules engine.Rules) bool {
	return rules.Info().SeatPrefix || setup.Seats > 2
}

// fields are the parameters of the line without the position shown.
func (s *analysisSpec) fields(moves []string) []field {
	list := []field{{"variant", s.rules.Info().ID}}
	add := func(name, value string) {
		if value != "" {
			list = append(list, field{name, value})
		}
	}
	add("seats", s.seats)
	for _, option := range slices.Concat(engine.CommonOptions(), s.rules.Info().Options) {
		add(option.Key, s.options[option.Key])
	}
	add("seed", s.seed)
	add("position", s.position)
	add("moves", strings.Join(moves, "_"))
	add("game", s.game)
	if s.flip > 0 {
		add("flip", strconv.Itoa(s.flip))
	}
	return list
}

// address is the address of a line; with a ply below 0, of its end.
func (s *analysisSpec) address(moves []string, ply int) string {
	var b strings.Builder
	b.WriteString(kit.AnalysisPath)
	for i, f := range s.fields(moves) {
		b.WriteByte("?&"[min(i, 1)])
		b.WriteString(f.Name + "=" + strings.ReplaceAll(url.QueryEscape(f.Value), "%2F", "/"))
	}
	if ply >= 0 && ply < len(moves) {
		b.WriteString("&ply=" + strconv.Itoa(ply))
	}
	return b.String()
}
