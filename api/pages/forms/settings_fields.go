package forms

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"quatuor/api/pages/kit"
	"quatuor/engine/catalog"
	"quatuor/tournament"
	"quatuor/tournament/standings"
	"quatuor/tournament/team"
)

// settingField maps a field of the settings forms to a member of the contract's TournamentPatch.
type settingField struct {
	name string // in the form
	path string // of the member, with slashes
	as   codec
	has  func(tournament.Format) bool // which formats have the setting; nil for all
	late bool                         // it can change after the start
}

// codec translates between a member of the contract, as encoding/json decodes it, and the text in a form.
type codec struct {
	show func(value any) string // nil is a member that is left out
	read func(in *settingReader, f settingField, text string, was any) any
	tick bool // a box, which is not sent if it is not ticked
}

// settingFields returns the fields of the forms, but for the options of games. The game and the format come first: the
// others depend on them. Times are written in a zone.
func settingFields(zone *time.Location) []settingField {
	return []settingField{
		{name: "variant", path: "variant", as: plain},
		{name: "format", path: "format", as: plain},
		{name: "name", path: "name", as: plain, late: true},
		{name: "venue", path: "venue", as: plain, late: true},
		{name: "control", path: "time_control", as: plain},
		{name: "other_control", path: "time_control", as: instead},
		{name: "rated", path: "rated", as: tick(false, true)},
		{name: "rounds", path: "rounds", as: count},
		{name: "max_entries", path: "max_entries", as: count},
		{name: "starts", path: "starts_at", as: moment(zone), late: true},
		{name: "tie_breaks", path: "tie_breaks", as: tieBreaks, late: true},
		{name: "auto", path: "auto_rounds", as: tick(false, true), late: true},

		{name: "win", path: "points/win", as: points},
		{name: "draw", path: "points/draw", as: points},
		{name: "loss", path: "points/loss", as: points},
		{name: "bye", path: "points/bye", as: points},
		{name: "forfeit_win", path: "points/forfeit_win", as: points},
		{name: "forfeit_loss", path: "points/forfeit_loss", as: points},
		{name: "places", path: "points/places", as: places, has: tournament.Format.PlacePoints},

		{name: "half_byes", path: "pairing/half_point_byes", as: wholeNumber, has: tournament.Format.PointByes, late: true},
		{name: "full_byes", path: "pairing/full_point_byes", as: tick(false, true), has: tournament.Format.PointByes, late: true},
		{name: "missed", path: "pairing/missed_rounds", as: tick("ZPB", "HPB"), has: tournament.Format.PointByes, late: true},
		{name: "reasons", path: "pairing/reasons", as: tick("public", "staff"), late: true},
		{name: "adjourned", path: "pairing/adjourned", as: tick("wait", "draw"), has: tournament.Format.Adjourns, late: true},
		{name: "acceleration", path: "pairing/acceleration", as: tick("none", "baku"), has: tournament.Format.Accelerates},
		{name: "varma", path: "pairing/varma", as: tick(false, true), has: tournament.Format.RoundRobin},
		{name: "initial_colour", path: "pairing/initial_colour", as: choice("by_lot"), has: tournament.Format.DrawsColour},

		{name: "short", path: "pairing/tables/short_tables", as: tick(false, true), has: tournament.Format.MayHaveTables, late: true},
		{name: "size3", path: "pairing/tables/sizes", as: member(3), has: tournament.Format.MayHaveTables},
		{name: "size4", path: "pairing/tables/sizes", as: member(4), has: tournament.Format.MayHaveTables},
		{name: "size5", path: "pairing/tables/sizes", as: member(5), has: tournament.Format.MayHaveTables},
		{name: "preferred", path: "pairing/tables/preferred", as: count, has: tournament.Format.MayHaveTables},
		{name: "rotate", path: "pairing/tables/partners", as: tick("off", "rotate"), has: tournament.Format.DrawsTables},
		{name: "scores_first", path: "pairing/tables/meetings", as: tick("first", "second"), has: tournament.Format.DrawsTables},
		{name: "clubs_apart", path: "pairing/tables/clubs", as: tick(false, true), has: tournament.Format.DrawsTables},
		{name: "unseeded", path: "pairing/tables/seeding", as: tick("balanced", "off"), has: tournament.Format.DrawsTables},

		{name: "third", path: "pairing/third_place", as: tick(false, true), has: tournament.Format.Eliminates},
		{name: "replays", path: "pairing/replays", as: wholeNumber, has: tournament.Format.Decides},
		{name: "tie_break_games", path: "pairing/tie_break_games", as: wholeNumber, has: tournament.Format.Decides},
		{name: "tie_break_control", path: "pairing/tie_break_time_control", as: plain, has: tournament.Format.Decides},
		{name: "other_tie_break_control", path: "pairing/tie_break_time_control", as: instead, has: tournament.Format.Decides},
		{name: "decision", path: "pairing/decision", as: plain, has: tournament.Format.Decides},

		{name: "top", path: "pairing/keizer/top", as: count, has: tournament.Format.ByEvenings},
		{name: "own", path: "pairing/keizer/own", as: points, has: tournament.Format.ByEvenings},
		{name: "absences", path: "pairing/keizer/absences", as: wholeNumber, has: tournament.Format.ByEvenings},
		{name: "gap", path: "pairing/keizer/gap", as: wholeNumber, has: tournament.Format.ByEvenings},
		{name: "meetings", path: "pairing/keizer/meetings", as: wholeNumber, has: tournament.Format.ByEvenings},
		{name: "close", path: "pairing/keizer/close", as: wholeNumber, has: tournament.Format.ByEvenings, late: true},
		{name: "silence", path: "pairing/keizer/silence", as: plain, has: tournament.Format.ByEvenings, late: true},

		{name: "length", path: "pairing/arena/length", as: wholeNumber, has: tournament.Format.Continuous, late: true},
		{name: "tick", path: "pairing/arena/tick", as: wholeNumber, has: tournament.Format.Continuous, late: true},
		{name: "patience", path: "pairing/arena/patience", as: wholeNumber, has: tournament.Format.Continuous, late: true},
		{name: "grace", path: "pairing/arena/grace", as: count, has: tournament.Format.Continuous},
		{name: "berserk", path: "pairing/arena/berserk", as: tick(false, true), has: tournament.Format.Continuous, late: true},
		{name: "berserk_moves", path: "pairing/arena/berserk_moves", as: wholeNumber, has: tournament.Format.Continuous},
		{name: "hall_boards", path: "pairing/arena/boards", as: count, has: tournament.Format.Continuous, late: true},

		{name: "boards", path: "teams/boards", as: boards, has: tournament.Format.Teams},
		{name: "line_up_order", path: "teams/order", as: option, has: tournament.Format.FilesLineUps},
		{name: "line_ups_due", path: "teams/deadline_minutes", as: wholeNumber, has: tournament.Format.FilesLineUps},
		{name: "manned", path: "teams/minimum", as: wholeNumber, has: tournament.Format.Teams},
		{name: "squad_most", path: "teams/squad/most", as: wholeNumber, has: tournament.Format.Teams},
		{name: "squad_least", path: "teams/squad/least", as: wholeNumber, has: tournament.Format.Teams},
		{name: "match_days", path: "teams/days", as: wholeNumber, has: tournament.Format.Teams},
		{name: "squads_close", path: "teams/squads_close", as: wholeNumber, has: tournament.Format.Teams},
		{name: "team_colours", path: "teams/colours", as: option, has: tournament.Format.Teams},
		{name: "gaps", path: "teams/gaps", as: option, has: tournament.Format.FilesLineUps},
		{name: "rating_margin", path: "teams/rating_margin", as: wholeNumber, has: tournament.Format.FilesLineUps},
		{name: "match_points", path: "teams/match_points", as: several("win", "draw", "loss"), has: tournament.Format.Teams},
		{name: "game_points", path: "teams/game_points", as: several("win", "draw", "loss", "absence"), has: tournament.Format.Teams},
		{name: "pab", path: "teams/pab", as: several("mp", "gp"), has: ofTeams(tournament.Format.PointByes)},
		{name: "primary", path: "teams/primary", as: option, has: tournament.Format.FilesLineUps},
		{name: "secondary", path: "teams/secondary", as: option, has: tournament.Format.Teams},
		{name: "preference", path: "teams/preference", as: option, has: ofTeams(tournament.Format.PointByes)},
		{name: "knockout_breaks", path: "teams/knockout_breaks", as: codes, has: ofTeams(tournament.Format.Eliminates)},
		{name: "legs", path: "teams/legs", as: wholeNumber, has: ofTeams(tournament.Format.Eliminates)},
		{name: "tiebreak_clock", path: "teams/tiebreak_clock", as: plain, has: ofTeams(tournament.Format.Eliminates)},

		{name: "no_show", path: "play/no_show_ms", as: minutes, late: true},
		{name: "no_shows", path: "play/no_shows", as: count, late: true},
		{name: "delay_moves", path: "play/delay_moves", as: count, late: true},
		{name: "delay", path: "play/delay_ms", as: minutes, late: true},
		{name: "takebacks", path: "play/takebacks", as: tick(false, true), late: true},
		{name: "bots", path: "play/bots", as: tick(false, true), late: true},
	}
}

// gameFields are the fields for every game, and for the options of the chosen game.
func gameFields(games []gameChoice, variant string) []settingField {
	fields := []settingField{
		{name: "repetition", path: "options/repetition", as: option},
		{name: "max_plies", path: "options/max_plies", as: option},
		{name: "draws", path: "options/draws", as: tick(nil, "forbidden")},
	}
	for _, game := range games {
		for _, o := range game.Options {
			if game.ID == variant {
				fields = append(fields, settingField{name: "opt:" + game.ID + ":" + o.Key, path: "options/" + o.Key, as: plain})
			}
		}
	}
	return fields
}

func ofTeams(trait func(tournament.Format) bool) func(tournament.Format) bool {
	return func(f tournament.Format) bool { return f.Teams() && trait(f) }
}

func showText(value any) string {
	text, _ := value.(string)
	return text
}

// showNumber writes a number; nothing for none.
func showNumber(value any) string {
	if n, ok := value.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return ""
}

// plain is an unchanged text.
var plain = codec{show: showText, read: func(_ *settingReader, _ settingField, text string, _ any) any { return text }}

// instead is a time control that counts in place of a choice; empty, the choice counts.
var instead = codec{
	show: func(any) string { return "" },
	read: func(_ *settingReader, _ settingField, text string, _ any) any { return ReadControl(text) },
}

// option is a text that may be left out.
var option = codec{show: showText, read: func(_ *settingReader, _ settingField, text string, _ any) any {
	if text == "" {
		return nil
	}
	return text
}}

// choice is a choice among several words; an empty field chooses the word empty.
func choice(empty string) codec {
	return codec{
		show: func(value any) string { return strings.TrimPrefix(showText(value), empty) },
		read: func(_ *settingReader, _ settingField, text string, _ any) any {
			if text == "" {
				return empty
			}
			return text
		},
	}
}

// tick is a box with two values.
func tick(off, on any) codec {
	return codec{
		tick: true,
		show: func(value any) string {
			if value == on {
				return "1"
			}
			return ""
		},
		read: func(_ *settingReader, _ settingField, text string, _ any) any {
			if text != "" {
				return on
			}
			return off
		},
	}
}

// member is a box for a number in a list.
func member(n float64) codec {
	return codec{
		tick: true,
		show: func(value any) string {
			if list, _ := value.([]any); slices.Contains(list, any(n)) {
				return "1"
			}
			return ""
		},
		read: func(_ *settingReader, _ settingField, text string, was any) any {
			list, _ := was.([]any)
			list = slices.DeleteFunc(slices.Clone(list), func(one any) bool { return one == any(n) })
			if text != "" {
				list = append(list, n)
			}
			return list
		},
	}
}

// count is a whole number; an empty field is 0.
var count = codec{
	show: func(value any) string {
		if value == 0.0 {
			return ""
		}
		return showNumber(value)
	},
	read: func(in *settingReader, f settingField, text string, _ any) any { return in.within(f, text) },
}

// wholeNumber is a whole number that shows 0; an empty field leaves the setting alone.
var wholeNumber = codec{show: showNumber, read: func(in *settingReader, f settingField, text string, was any) any {
	if text == "" {
		return was
	}
	return in.within(f, text)
}}

// minutes is a time in milliseconds, written in minutes; an empty field is 0.
var minutes = codec{
	show: func(value any) string {
		if ms, _ := value.(float64); ms > 0 {
			return showNumber(ms / 60_000)
		}
		return ""
	},
	read: func(in *settingReader, f settingField, text string, _ any) any {
		_, most := in.bounds(f)
		value, err := Number(text, f.name)
		if err != nil || value < 0 || value > most/60_000 {
			in.Refuse(f.name, "%q is not possible; write a number of minutes from 0 to %g", text, most/60_000)
		}
		return math.Round(value * 60_000)
	},
}

// points are written with a decimal.
var points = codec{show: showNumber, read: func(in *settingReader, f settingField, text string, _ any) any {
	return in.points(f.name, text)
}}

// places are lists of points for the places at tables, each as long as the table is large, with semicolons between
// them.
var places = codec{
	show: func(value any) string {
		lists, _ := value.([]any)
		var texts []string
		for _, list := range lists {
			var words []string
			for _, one := range list.([]any) {
				words = append(words, showNumber(one))
			}
			texts = append(texts, strings.Join(words, " "))
		}
		return strings.Join(texts, "; ")
	},
	read: func(in *settingReader, f settingField, text string, _ any) any {
		lists := []any{}
		for part := range strings.SplitSeq(text, ";") {
			words := strings.FieldsFunc(part, func(c rune) bool { return c == ' ' || c == '/' })
			if len(words) == 0 {
				continue
			}
			list := make([]any, len(words))
			for i, word := range words {
				list[i] = in.points(f.name, word)
			}
			long := func(other any) bool { return len(other.([]any)) == len(list) }
			if len(list) < 3 || len(list) > 5 || slices.ContainsFunc(lists, long) {
				in.Refuse(f.name, "write a list of three, four or five numbers for each size of table, such as 5 3 2 1; 4 2 1")
			}
			lists = append(lists, list)
		}
		return lists
	},
}

// several are numbers of points with blanks between them, a number for each member.
func several(members ...string) codec {
	return codec{
		show: func(value any) string {
			of, _ := value.(map[string]any)
			words := make([]string, 0, len(members))
			for _, member := range members {
				if _, has := of[member]; has {
					words = append(words, showNumber(of[member]))
				}
			}
			return strings.Join(words, " ")
		},
		read: func(in *settingReader, f settingField, text string, was any) any {
			words := strings.Fields(text)
			if len(words) == 0 {
				return was
			}
			if len(words) != len(members) {
				in.Refuse(f.name, "write %d numbers with blanks between them", len(members))
			}
			value := map[string]any{}
			for i, word := range words[:min(len(words), len(members))] {
				value[members[i]] = in.points(f.name, word)
			}
			return value
		},
	}
}

// usualBoards is the number of boards of a match if none are written.
const usualBoards = 4

// boards are the boards of a match of teams: their number or, with commas between them, the game, the time control and
// “unrated” of each, where they differ from the tournament's.
var boards = codec{
	show: func(value any) string {
		list, _ := value.([]any)
		texts, plain := make([]string, len(list)), true
		for i, one := range list {
			board, _ := one.(map[string]any)
			words := []string{boardGame(showText(board["game"])), showText(board["time_control"])}
			if board["rated"] == false {
				words = append(words, "unrated")
			}
			texts[i] = strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), " ")
			plain = plain && texts[i] == ""
		}
		if plain && len(list) > 0 {
			return strconv.Itoa(len(list))
		}
		return strings.Join(texts, ", ")
	},
	read: func(in *settingReader, f settingField, text string, _ any) any {
		list := []any{}
		for _, board := range readBoards(text, func(format string, args ...any) { in.Refuse(f.name, format, args...) }) {
			list = append(list, board)
		}
		return list
	},
}

// readBoards returns boards in the contract's form, and reports those that it cannot read.
func readBoards(text string, refuse func(format string, args ...any)) (list []map[string]any) {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(cmp.Or(text, strconv.Itoa(usualBoards))); err == nil {
		if n < team.MinBoards || n > team.MaxBoards {
			refuse("%d boards are not possible; choose %d to %d", n, team.MinBoards, team.MaxBoards)
		}
		for range min(max(n, team.MinBoards), team.MaxBoards) {
			list = append(list, map[string]any{})
		}
		return list
	}
	for part := range strings.SplitSeq(text, ",") {
		board := map[string]any{}
		for _, word := range strings.Fields(part) {
			switch {
			case word == "unrated":
				board["rated"] = false
			case strings.Contains(word, "/"):
				board["game"] = word
			case gameNamed(word) != "":
				board["game"] = gameNamed(word)
			case word != "none" && !unicode.IsDigit([]rune(word)[0]):
				refuse("%q is neither a game nor a time control", word)
			default:
				board["time_control"] = word
			}
		}
		list = append(list, board)
	}
	return list
}

// duel ends the ids of the games of two, which people call by the name of the game alone.
const duel = "/duel"

// gameNamed returns the id of the duel that people call so, as "Qui'win" in whatever letters; "" for none.
func gameNamed(name string) string {
	id := strings.NewReplacer("'", "", "’", "").Replace(strings.ToLower(name)) + duel
	if _, err := catalog.Find(id); err != nil {
		return ""
	}
	return id
}

// boardGame returns a variant as gameNamed reads it.
func boardGame(id string) string {
	if rules, err := catalog.Find(id); err == nil && strings.HasSuffix(id, duel) {
		return rules.Info().Game
	}
	return id
}

// tieBreaks are codes with commas, semicolons or spaces between them. Before the start none are the usual codes.
var tieBreaks = codec{
	show: showCodes,
	read: func(in *settingReader, _ settingField, text string, _ any) any {
		codes := TieBreakCodes(text)
		if len(codes) == 0 && !in.fixed {
			codes = standings.Default(in.format())
		}
		return anyList(codes)
	},
}

// codes are written like tie-breaks; none are the usual codes.
var codes = codec{show: showCodes, read: func(_ *settingReader, _ settingField, text string, _ any) any {
	return anyList(TieBreakCodes(strings.ToUpper(text)))
}}

func showCodes(value any) string {
	list, _ := value.([]any)
	codes := make([]string, len(list))
	for i, code := range list {
		codes[i] = showText(code)
	}
	return strings.Join(codes, ", ")
}

func anyList(texts []string) []any {
	list := make([]any, len(texts))
	for i, text := range texts {
		list[i] = text
	}
	return list
}

// TieBreakCodes returns the codes that a text lists, separated by commas, semicolons or spaces.
func TieBreakCodes(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == ';' })
}

// moment is a time, which the form writes in a zone.
func moment(zone *time.Location) codec {
	return codec{
		show: func(value any) string {
			at, err := time.Parse(time.RFC3339, showText(value))
			if err != nil {
				return ""
			}
			return at.In(zone).Format(kit.LocalTime)
		},
		read: func(in *settingReader, f settingField, text string, _ any) any {
			if text == "" {
				return ""
			}
			at, err := time.ParseInLocation(kit.LocalTime, text, zone)
			if err != nil {
				in.Refuse(f.name, "%q is not a time; write it like 2026-03-01T18:30", text)
			}
			return at.UTC().Format(time.RFC3339)
		},
	}
}
