package command

import (
	"context"
	"time"

	"github.com/google/uuid"

	"quatuor/api/auth"
)

// Kept describes a kind of thing that counts its versions: it is created, and changed and deleted as it was last read.
type Kept[T any] struct {
	Name string
	New  auth.Action // the right to create a value; "" if other acts do
	// Load returns the stored value. It judges the rights itself if Allow is nil.
	Load func(ClubCall, On) (T, error)
	// Allow refuses identities that may not change or delete it.
	Allow   func(ClubCall, T) error
	Version func(T) int64
	// Init puts the id, the author and the time into a new value.
	Init func(*T, Origin)
	// Save checks and stores it over its version, and returns the stored value; before is nil for a new value.
	Save func(c ClubCall, before *T, now T) (T, error)
	// Remove deletes it in its version.
	Remove func(ClubCall, T) error
}

// Origin is the id of something new, the account that creates it, and the time.
type Origin struct {
	ID, By string
	At     time.Time
}

// into sets the fields of something new.
func (o Origin) into(id, organiser *string, createdAt *int64) {
	*id, *organiser = o.ID, o.By
	*createdAt = o.At.UnixMilli()
}

// Create stores something new with an id of the caller's choice, "" for any; a second value of the same id is the first.
func (k Kept[T]) Create(ctx context.Context, s *Service, id string, value T) (T, error) {
	c := s.clubCall(ctx)
	if err := c.Demand(k.New); err != nil {
		return value, err
	}
	if id == "" {
		id = uuid.Must(uuid.NewV7()).String()
	}
	k.Init(&value, Origin{id, c.Who.AccountID, s.Now()})
	return k.Save(c, nil, value)
}

// Read returns what the identity in the context may change.
func (k Kept[T]) Read(ctx context.Context, s *Service, id string) (T, error) {
	return k.owned(s.clubCall(ctx), On{ID: id})
}

// Update changes it if the caller has read its present version, and returns it as it is then. It returns ErrTagMissing
// or ErrTagStale otherwise, after errors of package auth.
func (k Kept[T]) Update(ctx context.Context, s *Service, on On, change func(*T) error) (T, error) {
	c := s.clubCall(ctx)
	before, err := k.seen(c, on)
	if err != nil {
		return before, err
	}
	now := before
	if err := change(&now); err != nil {
		return before, err
	}
	return k.Save(c, &before, now)
}

// Delete deletes it if the caller has read its present version.
func (k Kept[T]) Delete(ctx context.Context, s *Service, on On) error {
	c := s.clubCall(ctx)
	value, err := k.seen(c, on)
	if err != nil {
		return err
	}
	return k.Remove(c, value)
}

func (k Kept[T]) owned(c ClubCall, on On) (T, error) {
	value, err := k.Load(c, on)
	if err != nil || k.Allow == nil {
		return value, err
	}
	return value, k.Allow(c, value)
}

// seen is owned for a caller that has read the present version.
func (k Kept[T]) seen(c ClubCall, on On) (T, error) {
	value, err := k.owned(c, on)
	if err != nil {
		return value, err
	}
	return value, CheckTag(on.Seen, VersionTag(k.Version(value)))
}
