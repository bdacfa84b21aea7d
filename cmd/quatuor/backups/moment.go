package backups

import (
	"fmt"
	"time"
)

// Moment is the time of day for backups.
type Moment struct {
	Off          bool // none are made by themselves
	Hour, Minute int
}

// UnmarshalText reads "HH:MM", or "off".
func (m *Moment) UnmarshalText(text []byte) error {
	if string(text) == "off" {
		*m = Moment{Off: true}
		return nil
	}
	at, err := time.Parse("15:04", string(text))
	if err != nil {
		return fmt.Errorf("write a time of day such as 04:00, or off, not %q", text)
	}
	*m = Moment{Hour: at.Hour(), Minute: at.Minute()}
	return nil
}

// before returns the last moment at that time of day that is not after now, in the zone of now.
func (m Moment) before(now time.Time) time.Time {
	at := m.on(now)
	if at.After(now) {
		at = m.on(now.AddDate(0, 0, -1))
	}
	return at
}

// after returns the moment's next time.
func (m Moment) after(now time.Time) time.Time {
	at := m.on(now)
	if !at.After(now) {
		at = m.on(now.AddDate(0, 0, 1))
	}
	return at
}

// on returns the moment on the day of a time. A moment that daylight saving time leaves out is moved by an hour.
func (m Moment) on(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), m.Hour, m.Minute, 0, 0, day.Location())
}
