package administration

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"
	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/attachment"
	"quatuor/api/pages/accounts"
	"quatuor/api/pages/kit"
	"quatuor/api/problem"
	"quatuor/engine/sentence"
)

// Installation reports the state of the service to its admins.
type Installation interface {
	State(ctx context.Context) State
	// StartCheck starts a check of the whole database in the background, unless a check is running.
	StartCheck()
	// Findings returns the service's findings about its own installation; nil with PostgreSQL.
	Findings(ctx context.Context) []Finding
}

// State is a snapshot of the service's state.
type State struct {
	Version  string
	Postgres bool  // backups are left to PostgreSQL's own tools
	Backup   int64 // time of the last backup, ms UTC; 0 for none
	Free     int64 // bytes on the disk of the data folder, 0 where that is not known
	Total    int64
	Data     int64 // bytes of the database, 0 where that is not known
	Check    CheckState
}

// CheckState is the outcome of the last check, or that it is under way. The zero CheckState is before the first.
type CheckState struct {
	Running bool
	At      int64 // when it ended, ms UTC
	Good    bool
	Text    string // its report
}

// Finding is the finding of a check of the installation.
type Finding struct {
	Check   string // its name among the texts
	Verdict string // "ok", "look" or "broken"
	What    sentence.Sentence
}

// doctor shows admins the findings about the service's own installation.
func (p *Pages) doctor(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ManageBackups); !ok {
		return err
	}
	return p.Show(c, "doctor", "", p.Installation.Findings(c.Request().Context()))
}

// testMail sends the visitor an e-mail, to see whether that works.
func (p *Pages) testMail(c echo.Context) error {
	if _, ok, err := p.staff(c); !ok {
		return err
	}
	_, err := command.TestMail.Run(c.Request().Context(), p.Commands, command.None{})
	if problem.RefusalOf(err).Status == http.StatusNotFound {
		err = accounts.InvalidInput("", "no_email")
	}
	return p.adminAfter(c, err, "mail_test", nil)
}

// mountBackups adds the admin's page of backups.
func (p *Pages) mountBackups(e *echo.Echo) {
	p.Get(e, "/admin/backups", p.backups)
	p.Post(e, "/admin/backups", command.OnNothing, p.makeBackup)
	p.Get(e, "/admin/backups/:name", p.takeBackup)
}

// backups shows the backups; with PostgreSQL, the alternative.
func (p *Pages) backups(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ManageBackups); !ok {
		return err
	}
	if p.Commands.Backups == nil {
		return p.Show(c, "backups", "", (*command.BackupState)(nil))
	}
	s, err := command.ReadBackups.Run(c.Request().Context(), p.Commands, command.None{})
	if err != nil {
		return err
	}
	return p.Show(c, "backups", "", &s)
}

func (p *Pages) makeBackup(c echo.Context) error {
	if _, ok, err := p.allowed(c, auth.ManageBackups); !ok {
		return err
	}
	if _, err := command.MakeBackup.Run(c.Request().Context(), p.Commands, command.None{}); err != nil {
		return err
	}
	return p.Back(c, "/admin/backups", "backup_begun")
}

func (p *Pages) takeBackup(c echo.Context) error {
	if c.Request().Method != http.MethodGet { // a HEAD takes nothing
		return kit.ErrMissing
	}
	if _, ok, err := p.allowed(c, auth.ManageBackups); !ok {
		return err
	}
	f, err := command.TakeBackup.Run(c.Request().Context(), p.Commands, c.Param("name"))
	if err != nil {
		return err
	}
	return attachment.Send(c.Response(), f, command.BackupType)
}
