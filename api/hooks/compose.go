package hooks

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"quatuor/api/pages/message"
	"quatuor/tournament"
	"quatuor/tournament/hook"
	"quatuor/tournament/slip"
)

// maxRows is the number of rows of the standings in a payload.
const maxRows = 10

// envelope holds the members that Standard Webhooks demands of a body.
type envelope struct {
	Type      tournament.NewsKind `json:"type"`
	Timestamp string              `json:"timestamp"`
	Data      *payload            `json:"data"`
}

// payload describes the tournament to a receiver; each kind has its own members.
type payload struct {
	Tournament *aboutTournament `json:"tournament,omitempty"`
	Round      int              `json:"round,omitempty"`
	Boards     []aboutBoard     `json:"boards,omitempty"`
	Board      *aboutBoard      `json:"board,omitempty"`
	Entry      *aboutEntry      `json:"entry,omitempty"`
	Rows       []aboutRow       `json:"standings,omitempty"`
	Call       *aboutCall       `json:"call,omitempty"`
	Webhook    string           `json:"webhook,omitempty"` // its name, in a test
}

type aboutTournament struct {
	ID     string            `json:"id"`
	Name   string            `json:"name"`
	Status tournament.Status `json:"status"`
	URL    string            `json:"url,omitempty"`
}

type aboutBoard struct {
	Board   int         `json:"board"`
	Entries []aboutName `json:"entries"`
	Bye     string      `json:"bye,omitempty"`
	Result  string      `json:"result,omitempty"`
	GameID  string      `json:"game_id,omitempty"`
}

type aboutName struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type aboutEntry struct {
	aboutName
	Club   string                 `json:"club,omitempty"`
	Rating float64                `json:"rating,omitempty"`
	Status tournament.EntryStatus `json:"status"`
}

type aboutRow struct {
	Rank   int       `json:"rank,omitempty"`
	Entry  aboutName `json:"entry"`
	Points string    `json:"points"`
}

type aboutCall struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
}

// compose returns the body of a delivery as of now, and its media type; nil if its receiver may no longer know the
// news.
func (s *Service) compose(ctx context.Context, h hook.Hook, d hook.Delivery) (body []byte, kind string, err error) {
	var data *payload
	language := ""
	if d.Kind == hook.Test {
		data = &payload{Webhook: h.Name}
	} else if data, language, err = s.read(ctx, h, d); err != nil || data == nil {
		return nil, "", err
	}
	if h.Format == hook.Standard {
		at := time.UnixMilli(d.At).UTC().Format("2006-01-02T15:04:05.000Z07:00")
		body, err = json.Marshal(envelope{d.Kind, at, data})
		return body, "application/json", err
	}
	text, err := s.text(ctx, d.Kind, data, language)
	if err != nil {
		return nil, "", err
	}
	body, err = json.Marshal(chat(h.Format, text))
	return body, "application/json", err
}

// chat returns a text in the form that a chat takes, so that names in it are nothing but text.
func chat(format hook.Format, text string) any {
	switch format {
	case hook.Slack:
		return map[string]any{"text": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text), "mrkdwn": false}
	case hook.Discord:
		escape := strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "~", `\~`, "|", `\|`, "[", `\[`, "<", `\<`)
		return map[string]any{"content": escape.Replace(text), "allowed_mentions": map[string]any{"parse": []string{}}}
	}
	return map[string]any{"text": text}
}

// read returns a delivery's news as a spectator may see it now, and the owner's language; nil for nothing.
func (s *Service) read(ctx context.Context, h hook.Hook, d hook.Delivery) (*payload, string, error) {
	unfiltered, owner, err := s.authorized(ctx, h, d.Tournament)
	if err != nil || unfiltered == nil || unfiltered.Status == tournament.Draft {
		return nil, "", err
	}
	t, news := unfiltered.Public(), d.News
	p := &payload{Tournament: &aboutTournament{ID: t.ID, Name: t.Name, Status: t.Status}, Round: news.Round}
	if s.Address != "" {
		p.Tournament.URL = s.Address + "/tournaments/" + t.ID
	}
	var there bool
	switch news.Kind {
	case tournament.NewsRound:
		there = p.round(t)
	case tournament.NewsLineUp:
		there = p.board(t, news.Board) && p.entry(t, news.Entry)
	case tournament.NewsResult, tournament.NewsGame, tournament.NewsRevealed, tournament.NewsMatch,
		tournament.NewsDated:
		there = p.board(t, news.Board)
	case tournament.NewsEntry:
		there = p.entry(t, news.Entry)
	case tournament.NewsStandings, tournament.NewsFinished:
		there, err = s.standings(p, t)
	case tournament.NewsCall:
		there, err = s.call(ctx, p, unfiltered, news.Call)
	default:
	}
	if err != nil || !there {
		return nil, "", err
	}
	return p, owner.Language, nil
}

func (p *payload) round(t *tournament.Tournament) bool {
	if p.Round < 1 || p.Round > len(t.Rounds) {
		return false
	}
	for _, pairing := range t.Rounds[p.Round-1].Pairings {
		p.Boards = append(p.Boards, boardOf(t, pairing))
	}
	return true
}

func (p *payload) board(t *tournament.Tournament, board int) bool {
	if p.Round < 1 || p.Round > len(t.Rounds) {
		return false
	}
	pairing, err := t.Pairing(p.Round, board)
	if err != nil {
		return false
	}
	one := boardOf(t, pairing)
	p.Board = &one
	return true
}

func boardOf(t *tournament.Tournament, pairing tournament.Pairing) aboutBoard {
	b := aboutBoard{
		Board: pairing.Board, Entries: make([]aboutName, len(pairing.Seats)), Bye: string(pairing.Bye),
		Result: pairing.Result.Text(), GameID: pairing.GameID,
	}
	for i, id := range pairing.Seats {
		e, _ := t.Entry(id)
		b.Entries[i] = aboutName{id, e.Name}
	}
	return b
}

func (p *payload) entry(t *tournament.Tournament, id string) bool {
	e, known := t.Entry(id)
	if !known {
		return false
	}
	p.Entry = &aboutEntry{aboutName{e.ID, e.Name}, e.Club, e.Rating, e.Status}
	return true
}

func (s *Service) standings(p *payload, t *tournament.Tournament) (bool, error) {
	if t.PublishedRounds() == 0 {
		return p.Tournament.Status == tournament.Finished, nil
	}
	table, err := s.Tournaments.Standings(t, 0)
	if err != nil {
		return false, err
	}
	p.Round = table.Round
	for _, row := range table.Rows[:min(maxRows, len(table.Rows))] {
		p.Rows = append(p.Rows, aboutRow{row.Rank, aboutName{row.Entry.ID, row.Entry.Name}, row.Points.String()})
	}
	return true, nil
}

// call names an open call for the arbiter, without the player's words.
func (s *Service) call(ctx context.Context, p *payload, t *tournament.Tournament, id string) (bool, error) {
	calls, err := s.Tournaments.Calls(ctx, t, false)
	if err != nil {
		return false, err
	}
	for _, c := range calls {
		board := c.Board
		if t.Teams != nil {
			board, _ = slip.Split(board)
		}
		if c.ID == id && p.board(t.Public(), board) {
			p.Call = &aboutCall{c.ID, string(c.Kind)}
			return true, nil
		}
	}
	return false, nil
}

// text returns news as a single line in a language, or in that of the club.
func (s *Service) text(ctx context.Context, kind tournament.NewsKind, p *payload, language string) (string, error) {
	in := s.texts.Match(language, s.Club(ctx).Language)
	args := []any{"Round", p.Round, "Name", p.Webhook, "Tournament", "", "Board", 0, "Players", "", "Result", "", "Leader", ""}
	set := func(name string, value any) { args[slices.Index(args, any(name))+1] = value }
	if p.Tournament != nil {
		set("Tournament", p.Tournament.Name)
	}
	if b := p.Board; b != nil {
		names := make([]string, len(b.Entries))
		for i, e := range b.Entries {
			names[i] = e.Name
		}
		set("Board", b.Board)
		set("Players", message.Opponents(names...))
		set("Result", b.Result)
	}
	if p.Entry != nil {
		set("Players", p.Entry.Name)
	}
	if len(p.Rows) > 0 {
		set("Leader", p.Rows[0].Entry.Name)
	}
	name := strings.ReplaceAll(string(kind), ".", "_")
	if kind == tournament.NewsResult && p.Board != nil && p.Board.Result == "" {
		name = "result_removed"
	}
	text, err := in.Text("hooks.say."+name, args...)
	if p.Tournament != nil && p.Tournament.URL != "" {
		text += " " + p.Tournament.URL
	}
	return text, err
}

// secretPrefix begins secrets as people see them (Standard Webhooks).
const secretPrefix = "whsec_"

// newSecret returns a secret of 32 bytes.
func newSecret() []byte {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails: the runtime aborts the program instead
	return secret
}

// SecretText returns a secret as its owner is shown it, once.
func SecretText(secret []byte) string {
	return secretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// overlap is the time that the previous secret signs, too.
const overlap = 24 * time.Hour

// signatures returns the header webhook-signature: a signature for each secret that is good at a time.
func signatures(h hook.Hook, id string, at time.Time, body []byte) string {
	text := sign(h.Secret, id, at, body)
	if len(h.OldSecret) > 0 && at.UnixMilli() < h.OldUntil {
		text += " " + sign(h.OldSecret, id, at, body)
	}
	return text
}

func sign(secret []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
