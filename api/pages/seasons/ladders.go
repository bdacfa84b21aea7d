package seasons

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/pages/forms"
	"quatuor/api/pages/kit"
	"quatuor/tournament/club"
	"quatuor/tournament/ladder"
	"quatuor/tournament/season"
)

// mountLadders adds the pages of ladders that change something.
func (p *Pages) mountLadders(e *echo.Echo) {
	ladderSheet.mount(p, e, "/ladders")
	p.Post(e, "/ladders/:id/edit", command.OnNothing, p.renameLadder)
	for route, read := range map[string]ladderForm{
		"join": func(c echo.Context) (ladderAct, ladder.Act, error) {
			return command.JoinLadder, ladder.Act{Player: c.FormValue("player")}, nil
		},
		"leave": func(c echo.Context) (ladderAct, ladder.Act, error) {
			return command.LeaveLadder, ladder.Act{Player: c.FormValue("player")}, nil
		},
		"challenge": func(c echo.Context) (ladderAct, ladder.Act, error) {
			return command.ChallengeOnLadder, ladder.Act{Other: c.FormValue("player")}, nil
		},
		"answer": answer, "result": result, "holiday": p.holiday,
	} {
		p.Post(e, "/ladders/:id/"+route, command.OnNothing, p.onLadder(read))
	}
}

// ladderAct is an act on a ladder.
type ladderAct = command.ClubAct[command.LadderAct, *season.Ladder]

// ladderForm reads the form of an act on a ladder.
type ladderForm func(echo.Context) (ladderAct, ladder.Act, error)

// onLadder returns the handler of a form: it leads back to the page, or shows the refusal there.
func (p *Pages) onLadder(read ladderForm) echo.HandlerFunc {
	return func(c echo.Context) error {
		do, act, err := read(c)
		if err == nil {
			_, err = do.Run(c.Request().Context(), p.Commands, command.LadderAct{Ladder: c.Param("id"), Act: act})
		}
		return p.ladderSaved(c, err)
	}
}

func (p *Pages) renameLadder(c echo.Context) error {
	_, err := command.Ladders.Update(c.Request().Context(), p.Commands, onForm(c), func(l *ladder.Settings) error {
		l.Name = c.FormValue("name")
		return nil
	})
	return p.ladderSaved(c, err)
}

// ladderSaved leads back to the page of a ladder, or shows the refusal there.
func (p *Pages) ladderSaved(c echo.Context, err error) error {
	if err != nil {
		return p.ladderRefused(c, err)
	}
	return p.Back(c, "/ladders/"+url.PathEscape(c.Param("id")), "saved")
}

// ladderRefused shows on the page of a ladder why an act was refused.
func (p *Pages) ladderRefused(c echo.Context, refusal error) error {
	status, alert, err := p.alertOf(c, refusal)
	if err != nil {
		return err
	}
	return p.showLadder(c, status, alert)
}

// answer reads an answer to a challenge.
func answer(c echo.Context) (ladderAct, ladder.Act, error) {
	act, known := map[string]ladderAct{
		"accept": command.AcceptChallenge, "decline": command.DeclineChallenge, "play": command.PlayChallenge,
	}[c.FormValue("do")]
	if !known {
		return act, ladder.Act{}, kit.ErrUnreadable
	}
	return act, ladder.Act{Challenge: c.FormValue("challenge")}, nil
}

// result reads the result of a challenge.
func result(c echo.Context) (ladderAct, ladder.Act, error) {
	score, known := command.LadderScore(c.FormValue("score"))
	if !known {
		return ladderAct{}, ladder.Act{}, kit.ErrUnreadable
	}
	return command.ScoreChallenge, ladder.Act{Challenge: c.FormValue("challenge"), Score: score}, nil
}

// holiday reads a holiday of some days; 0 ends it.
func (p *Pages) holiday(c echo.Context) (ladderAct, ladder.Act, error) {
	days, err := strconv.Atoi(strings.TrimSpace(c.FormValue("days")))
	if err != nil || days < 0 || days > 1000 {
		return ladderAct{}, ladder.Act{}, kit.ErrUnreadable
	}
	act := ladder.Act{Player: c.FormValue("player")}
	if days > 0 {
		act.Until = p.Now().UnixMilli() + int64(days)*ladder.Day*1000
	}
	return command.SetHoliday, act, nil
}

// ladderBody is the data of the page of a ladder.
type ladderBody struct {
	*season.Ladder
	Rows    []ladderRow
	Me      string        // the visitor's player, if it is on the ladder
	Mine    *ladderOpen   // its challenge
	Joins   bool          // the visitor can join
	Runs    bool          // the visitor enters results, and lets others join
	Others  []ladderOpen  // the challenges of others
	Entries []ladderEntry // how challenges ended, the latest first
	More    bool          // there are earlier entries
	Players []club.Player // that can join
	Typed   string        // the name as it was typed
	Seen    string        // what the forms for the name and for deleting build on
	Alert   *forms.Alert
}

// ladderRow is a player's line.
type ladderRow struct {
	Who    kit.Person
	Place  int
	Me     bool
	May    bool       // the visitor may challenge the player
	With   kit.Person // the opponent in an open challenge; no id without a challenge
	Locked int64
	Away   int64
}

// ladderOpen is a challenge without an end.
type ladderOpen struct {
	ladder.Open
	Challenger, Defender kit.Person
	Due                  int64  // ms UTC
	Defends              bool   // the visitor was challenged
	Game                 string // on the server
	Again                bool   // the game was broken off
	Hall                 bool
	Scores               bool // the visitor enters or reports the result
}

// ladderEntry is the end of a challenge.
type ladderEntry struct {
	ladder.Entry
	Challenger, Defender kit.Person
	When                 int64
	Game                 string
	Played               bool
}

// entriesShown is the number of ends of challenges that the page shows at first.
const entriesShown = 30

func (p *Pages) ladder(c echo.Context) error { return p.showLadder(c, http.StatusOK, nil) }

func (p *Pages) showLadder(c echo.Context, status int, alert *forms.Alert) error {
	l, err := p.Commands.Reader.Ladder(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	who := auth.Session(c)
	b := ladderBody{
		Ladder: l, Runs: command.Runs(who, l.Organiser), Typed: cmp.Or(c.FormValue("name"), l.Name), Seen: command.VersionTag(l.Version),
		Alert: alert,
	}
	person := func(id string) kit.Person { return kit.Person{ID: id, Name: l.Names[id]} }
	on := map[string]bool{}
	for i, player := range l.Order() {
		on[player] = true
		row := ladderRow{Who: person(player), Place: i + 1, Me: player == who.PlayerID, Away: l.Away[player]}
		row.May = who.PlayerID != "" && !row.Me && l.May(who.PlayerID, player) == nil
		if open := l.Challenge(player); open != nil {
			row.With = person(open.From)
			if open.From == player {
				row.With = person(open.To)
			}
		}
		if until := l.Locked(player) * 1000; until > l.Now {
			row.Locked = until
		}
		if row.Me {
			b.Me = player
		}
		b.Rows = append(b.Rows, row)
	}
	b.Joins = who.PlayerID != "" && b.Me == ""
	for _, open := range l.Open() {
		o := ladderOpen{
			Open: open, Challenger: person(open.From), Defender: person(open.To), Due: open.Deadline * 1000,
			Defends: open.To == b.Me && b.Me != "", Game: l.Games[open.ID], Hall: l.Hall,
		}
		kit.Again(c, o.Due)
		mine := b.Me != "" && (open.From == b.Me || open.To == b.Me)
		o.Again, o.Scores = l.Ended[o.Game] || l.Unopened(open.ID), open.Accepted && (b.Runs || mine && l.Hall)
		if mine {
			b.Mine = &o
		} else {
			b.Others = append(b.Others, o)
		}
	}
	b.addLog(c.QueryParam("all") != "", c.QueryParam("player"), person)
	if b.Runs {
		err = p.addPlayers(c, &b, on)
	}
	if err != nil {
		return err
	}
	return p.Answer(c, status, "ladder", kit.Frame{Section: "tournaments", Body: b})
}

// addLog adds the ends of challenges; with a player only those of the player.
func (b *ladderBody) addLog(all bool, player string, person func(string) kit.Person) {
	log := b.Log()
	for i := len(log) - 1; i >= 0; i-- {
		if b.More = !all && len(b.Entries) == entriesShown; b.More {
			return
		}
		e := ladderEntry{Entry: log[i], When: log[i].At * 1000, Game: b.Games[log[i].ID]}
		if e.Refused != "" {
			continue
		}
		pair := b.Pairs[e.ID]
		if player != "" && pair[0] != player && pair[1] != player {
			continue
		}
		e.Challenger, e.Defender = person(pair[0]), person(pair[1])
		e.Played = e.End == ladder.Won || e.End == ladder.Drawn || e.End == ladder.Lost
		b.Entries = append(b.Entries, e)
	}
}

// maxJoining is the maximum of players in the choice of new members.
const maxJoining = 200

// addPlayers adds the players that are not on the ladder.
func (p *Pages) addPlayers(c echo.Context, b *ladderBody, on map[string]bool) error {
	list, _, err := p.Players.ListPlayers(c.Request().Context(), club.PlayerFilter{}, maxJoining, "")
	for _, player := range list {
		if !on[player.ID] && player.Gone == 0 {
			b.Players = append(b.Players, player)
		}
	}
	return err
}

// ladderSheet is the form of a new ladder.
var ladderSheet = sheet[ladder.Settings, gen.NewLadder]{
	kept: command.Ladders, page: "ladder-form", list: "/tournaments", refuse: (*Pages).ladderRefused,
	fields: []field[gen.NewLadder]{
		text("name", "", func(l *gen.NewLadder, name *string) { l.Name = *name }),
		text("variant", "", func(l *gen.NewLadder, id *string) { l.Variant = *id }),
		text("control", "600+5", func(l *gen.NewLadder, control *string) { l.TimeControl = *control }),
		text("venue", "hall", func(l *gen.NewLadder, venue *gen.Venue) { l.Venue = venue }),
		tick("rated", "yes", func(l *gen.NewLadder, rated *bool) { l.Rated = rated }),
		number("reach", "3", func(l *gen.NewLadder, places *int) { l.Reach = places }),
		number("accept", "3", func(l *gen.NewLadder, days *int) { l.Accept = days }),
		number("play", "7", func(l *gen.NewLadder, days *int) { l.Play = days }),
		number("again", "14", func(l *gen.NewLadder, days *int) { l.Again = days }),
	},
	rest: func(*Pages, echo.Context, form, *gen.NewLadder) error { return nil },
	offer: func(p *Pages, _ echo.Context, f *form) error {
		p.offerDuels(f)
		return nil
	},
	fresh: func(*Pages) ladder.Settings { return ladder.Settings{} },
	apply: func(_ *Pages, l *ladder.Settings, sent gen.NewLadder) error {
		*l = command.LadderSettings(sent)
		return nil
	},
	path: func(l ladder.Settings) string { return "/ladders/" + l.ID },
}
