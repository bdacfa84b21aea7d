package administration

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/internal/attachment"
	"quatuor/api/pages/kit"
)

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
