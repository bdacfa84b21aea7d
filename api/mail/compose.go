package mail

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"quatuor/api/pages/message"
	"quatuor/api/settings"
	"quatuor/engine/botid"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/team"
)

// resetLife is the validity of the link for a new password, from when it was sent.
const resetLife = time.Hour

// draft is an e-mail in the receiver's language before it has its form.
type draft struct {
	*message.Printer
	club       settings.Current
	subject    string
	paragraphs []string
	link, do   string // address, and the text of the link to it
	kind       account.MailKind
}

// compose returns a queued e-mail with its present contents; nil if there is nothing to send any more.
func (s *Service) compose(ctx context.Context, m account.Mail) (*letter, error) {
	owner, err := s.People.Account(ctx, m.AccountID)
	if errors.Is(err, account.ErrNotFound) || err == nil && owner.DisabledAt != 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	to, err := s.Store.Address(ctx, m.AccountID)
	if err != nil {
		return nil, err
	}
	if m.Kind == account.MailConfirm {
		to.Address = to.Pending
	}
	if to.Address == "" || slices.Contains(to.Off, m.Kind) {
		return nil, nil
	}
	club := s.Club(ctx)
	d := &draft{Printer: s.texts.Match(owner.Language, club.Language), club: club, kind: m.Kind}
	if err := s.fill(ctx, d, m, owner, to); err != nil || d.subject == "" {
		return nil, err
	}
	return s.finish(ctx, d, m, to)
}

// fill writes the text of an e-mail; it leaves the subject empty if the news is out of date.
func (s *Service) fill(ctx context.Context, d *draft, m account.Mail, owner account.Account, to account.MailAddress) error {
	switch m.Kind {
	case account.MailConfirm, account.MailReset:
		return s.fillLink(ctx, d, m, owner, to)
	case account.MailRound:
		return s.fillRound(ctx, d, m)
	case account.MailDate, account.MailMatch:
		return s.fillMatch(ctx, d, m)
	case account.MailInvited:
		return s.fillInvited(ctx, d, m)
	case account.MailTurn:
		return s.fillTurn(ctx, d, m)
	case account.MailHook:
		d.link = s.link("/me/webhooks", "", "")
		return d.setText("Hook", m.Data.Hook)
	case account.MailTest:
		d.link = s.link("/admin", "", "")
		return d.setText("Login", owner.Login)
	}
	return nil
}

// setText sets the subject, the paragraph and the words of the link of the draft's kind.
func (d *draft) setText(args ...any) (err error) {
	args = append(args, "Club", cmp.Or(d.club.Name, settings.DefaultName))
	name := "mail." + string(d.kind)
	var text string
	if text, err = d.Text(name+".text", args...); err != nil {
		return err
	}
	d.paragraphs = append([]string{text}, d.paragraphs...)
	if d.do, err = d.Text(name + ".do"); err != nil {
		return err
	}
	d.subject, err = d.Text(name+".subject", args...)
	return err
}

// fillLink writes an e-mail with a link that works once, or for a while.
func (s *Service) fillLink(
	ctx context.Context, d *draft, m account.Mail, owner account.Account, to account.MailAddress,
) error {
	secret, err := s.secret(ctx)
	if err != nil {
		return err
	}
	if m.Kind == account.MailConfirm {
		until := time.UnixMilli(m.CreatedAt).Add(confirmLife)
		d.link = s.link("/mail/confirm", "token", confirmToken(secret, owner.ID, to.Pending, until))
		return d.setText("Login", owner.Login)
	}
	code, hash := resetSecret(secret, m)
	now := s.Now()
	err = s.Store.OfferReset(ctx, account.Credential{
		ID: uuid.Must(uuid.NewV7()).String(), Kind: account.PasswordReset, Hash: hash, AccountID: owner.ID, Name: owner.ID,
		CreatedAt: now.UnixMilli(), ExpiresAt: now.Add(resetLife).UnixMilli(),
	})
	if errors.Is(err, account.ErrStale) { // closed, or used: it was sent before
		return nil
	}
	if err != nil {
		return err
	}
	d.link = s.link("/reset", "code", code)
	return d.setText("Login", owner.Login)
}

// pairingOf returns the open pairing that an e-mail is about, with the names of the opponents; ok is false if there is
// none any more.
func (s *Service) pairingOf(ctx context.Context, data account.MailData) (
	t *tournament.Tournament, p tournament.Pairing, others string, ok bool, err error,
) {
	t, err = s.Tournaments.Tournament(ctx, data.Tournament)
	if errors.Is(err, tournament.ErrNotFound) {
		return nil, p, "", false, nil
	}
	if err != nil {
		return nil, p, "", false, err
	}
	if data.Round > t.PublishedRounds() || data.Round > len(t.Rounds) {
		return t, p, "", false, nil
	}
	pairings := t.Rounds[data.Round-1].Pairings
	i := slices.IndexFunc(pairings, func(p tournament.Pairing) bool { return slices.Contains(p.Seats, data.Entry) })
	if i < 0 || pairings[i].Bye != "" || pairings[i].Result != nil {
		return t, p, "", false, nil
	}
	var ids, names []string
	for _, id := range pairings[i].Seats {
		if e, known := t.Entry(id); known && id != data.Entry {
			ids, names = append(ids, id), append(names, e.Name)
		}
	}
	slices.Sort(ids)
	if len(data.Opponents) > 0 && !slices.Equal(ids, data.Opponents) {
		return t, p, "", false, nil // the round was paired again, and another e-mail has the new board
	}
	return t, pairings[i], strings.Join(names, ", "), true, nil
}

// fillRound writes where an entry plays in a published round, as the public may see it.
func (s *Service) fillRound(ctx context.Context, d *draft, m account.Mail) error {
	t, p, others, ok, err := s.pairingOf(ctx, m.Data)
	if err != nil || !ok {
		return err
	}
	d.link = s.link("/tournaments/"+t.ID, "", "")
	return d.setText("Round", m.Data.Round, "Tournament", t.Name, "Board", p.Board, "Others", others)
}

// fillMatch writes which date is proposed for a match, or when its line-ups are due, if that is still so.
func (s *Service) fillMatch(ctx context.Context, d *draft, m account.Mail) error {
	t, p, others, ok, err := s.pairingOf(ctx, m.Data)
	if err != nil || !ok || !t.Sealed(p) {
		return err
	}
	at, side := m.Data.Deadline, slices.Index(p.Seats, m.Data.Entry)
	if m.Kind == account.MailDate && (p.Date == nil || p.Date.Proposed[1-side] != at) ||
		m.Kind == account.MailMatch && team.LineUpsDue(t, m.Data.Round, p) != at {
		return nil
	}
	d.link = s.link("/tournaments/"+t.ID+"/team", "team", m.Data.Entry)
	return d.setText("Round", m.Data.Round, "Tournament", t.Name, "Others", others, "At", d.dateTime(at))
}

// dateTime returns a time, ms UTC, in the club's zone.
func (d *draft) dateTime(ms int64) string {
	at := time.UnixMilli(ms)
	if d.club.Zone != nil {
		at = at.In(d.club.Zone)
	}
	return d.DateTime(at)
}

// fillInvited writes the invitation of a player to a game, if the game still waits for the player.
func (s *Service) fillInvited(ctx context.Context, d *draft, m account.Mail) error {
	waits, err := s.Store.Invites(ctx, m.Data.Game, m.AccountID)
	if err != nil || !waits {
		return err
	}
	return s.fillGame(ctx, d, m)
}

// fillGame names the game and its other players, then the given values, and links to the game.
func (s *Service) fillGame(ctx context.Context, d *draft, m account.Mail, values ...any) error {
	others, err := s.names(ctx, m.Data.Others)
	if err != nil {
		return err
	}
	d.link = s.link("/games/"+m.Data.Game, "", "")
	return d.setText(append([]any{"Game", d.Variant(m.Data.Variant), "Others", others}, values...)...)
}

// names returns the names of players and bots, with commas between them.
func (s *Service) names(ctx context.Context, ids []string) (string, error) {
	players, err := s.People.Players(ctx, ids)
	var names []string
	for _, id := range ids {
		if level := botid.Level(id); level > 0 {
			names = append(names, botid.Name(level))
		} else if p, known := players[id]; known {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, ", "), err
}

// fillTurn writes that it is the player's turn, if it still is, without the position.
func (s *Service) fillTurn(ctx context.Context, d *draft, m account.Mail) error {
	still, err := s.Store.IsTurn(ctx, m.Data.Game, m.Data.Turn)
	if err != nil || !still {
		return err
	}
	return s.fillGame(ctx, d, m, "Until", d.dateTime(m.Data.Deadline))
}

// hasOffLink reports whether e-mails of a kind carry a link that turns the kind off without a login. A link for a new
// password does not: any stranger may request it, and a mail program or a forwarded copy that follows the link would
// lock the owner out. The owner can still turn it off after a login.
func hasOffLink(kind account.MailKind) bool {
	return kind != account.MailReset && slices.Contains(account.MailChoices(), kind)
}

// finish renders a draft, with the reason why it was sent and, for most kinds, a link to turn its kind off.
func (s *Service) finish(ctx context.Context, d *draft, m account.Mail, to account.MailAddress) (*letter, error) {
	l := &letter{to: to.Address, subject: d.subject, language: d.Language()}
	why, err := d.Text("mail." + string(m.Kind) + ".why")
	if err != nil {
		return nil, err
	}
	off := ""
	if hasOffLink(m.Kind) {
		secret, err := s.secret(ctx)
		if err != nil {
			return nil, err
		}
		l.off = s.link("/mail/off", "token", offToken(secret, m.AccountID, m.Kind))
		if off, err = d.Text("mail.off"); err != nil {
			return nil, err
		}
	}
	text := append(slices.Clone(d.paragraphs), d.do+"\n"+d.link, "-- \n"+why)
	if l.off != "" {
		text = append(text, off+"\n"+l.off)
	}
	l.text = strings.Join(text, "\n\n") + "\n"
	var page bytes.Buffer
	err = letterPage.Execute(&page, map[string]any{
		"Language": l.language, "Subject": d.subject, "Paragraphs": d.paragraphs, "Link": d.link, "Do": d.do, "Why": why,
		"Off": l.off, "OffText": off,
	})
	l.html = page.String()
	return l, err
}

// letterPage is an e-mail as HTML. Mail programs know little of it: no style sheets, no pictures.
var letterPage = template.Must(template.New("letter").Parse(`<!DOCTYPE html>
<html lang="{{.Language}}"><head><meta charset="utf-8"><title>{{.Subject}}</title></head><body>
{{range .Paragraphs}}<p>{{.}}</p>
{{end}}<p><a href="{{.Link}}">{{.Do}}</a></p>
<hr>
<p><small>{{.Why}}{{with .Off}} <a href="{{.}}">{{$.OffText}}</a>{{end}}</small></p>
</body></html>
`))
