package rest

import (
	"context"

	"quatuor/api/auth"
	"quatuor/api/command"
	"quatuor/api/gen"
	"quatuor/tournament/adminlog"
)

// AdminLog is the audit log of administration.
type AdminLog interface {
	AdminLog(ctx context.Context, f adminlog.Filter, limit int, cursor string) ([]adminlog.Entry, string, error)
}

// ListAdminLog returns the audit log of administration, for admins.
func (a *API) ListAdminLog(ctx context.Context, r gen.ListAdminLogIn) (gen.ListAdminLogOut, error) {
	who := auth.From(ctx)
	if err := who.Demand(who.Level(), auth.ReadAdminLog); err != nil {
		return nil, err
	}
	filter := adminlog.Filter{Kind: adminlog.Kind(valueOf(r.Params.Kind)), Person: valueOf(r.Params.Person)}
	entries, next, err := a.People.AdminLog(ctx, filter, pageLength(r.Params.Limit), valueOf(r.Params.Cursor))
	return gen.ListAdminLog200JSON{
		Body: gen.AdminLog{Items: each(entries, adminLogEntry), NextCursor: optional(next)}, Headers: a.linked(next),
	}, err
}

func adminLogEntry(e adminlog.Entry) gen.AdminLogEntry {
	return gen.AdminLogEntry{
		ID: e.ID, At: command.Moment(e.At), Kind: gen.AdminLogKind(e.Kind),
		By: gen.AdminLogActor{
			Via: gen.AdminLogActorVia(e.By.Via), AccountID: optional(e.By.Account),
			Login: optional(e.By.Name), RequestID: optional(e.By.Request),
		},
		About: gen.AdminLogSubject{
			Kind: gen.AdminLogSubjectKind(e.About.Kind), ID: optional(e.About.ID), Name: optional(e.About.Name),
		},
		Before: adminLogValues(e.Before), After: adminLogValues(e.After),
	}
}

func adminLogValues(v adminlog.Values) *gen.AdminLogValues {
	if len(v) == 0 {
		return nil
	}
	return new(gen.AdminLogValues(v))
}
