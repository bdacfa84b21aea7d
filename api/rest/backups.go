package rest

import (
	"context"
	"net/http"
	"os"

	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/api/internal/attachment"
)

// ListBackups returns the backups and their state, for admins.
func (a *API) ListBackups(ctx context.Context, _ gen.ListBackupsIn) (gen.ListBackupsOut, error) {
	s, err := command.ReadBackups.Run(ctx, a.commands, command.None{})
	return backupsBody(s), err
}

// MakeBackup makes a backup in the background.
func (a *API) MakeBackup(ctx context.Context, _ gen.MakeBackupIn) (gen.MakeBackupOut, error) {
	s, err := command.MakeBackup.Run(ctx, a.commands, command.None{})
	return backupsBody(s), err
}

// GetBackup returns a backup as a file.
func (a *API) GetBackup(ctx context.Context, r gen.GetBackupIn) (gen.GetBackupOut, error) {
	f, err := command.TakeBackup.Run(ctx, a.commands, r.BackupName)
	if err != nil {
		return nil, err
	}
	return backupFile{f}, nil
}

// backupFile is the answer with a backup.
type backupFile struct{ *os.File }

// VisitGetBackupResponse writes the response.
func (f backupFile) VisitGetBackupResponse(w http.ResponseWriter) error {
	return attachment.Send(w, f.File, command.BackupType)
}

func backupsBody(s command.BackupState) gen.Backups {
	body := gen.Backups{
		Running: s.Running, Late: s.Late,
		LastAt: command.OptionalMoment(s.Last), NextAt: command.OptionalMoment(s.Next), Items: []gen.Backup{},
	}
	for _, c := range s.Copies {
		body.Items = append(body.Items, gen.Backup{Name: c.Name, At: command.Moment(c.At), Bytes: c.Size})
	}
	if f := s.Failure; f != nil {
		body.Failure = &gen.BackupFailure{At: command.Moment(f.At), Kind: gen.BackupFailureKind(f.Kind), Detail: f.Detail}
	}
	if d := s.Drill; d != nil {
		body.Drill = &gen.BackupDrill{At: command.Moment(d.At), Name: d.Copy, Good: d.Good, Text: d.Text}
	}
	return body
}
