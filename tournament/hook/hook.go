// Package hook has the terms of webhooks: addresses that receive news of tournaments, and the deliveries on their way.
package hook

import (
	"errors"
	"slices"

	"quatuor/tournament"
)

// Errors of this package and of stores of webhooks.
var (
	ErrCount    = errors.New("an account may have 20 webhooks; delete one first")
	ErrNotFound = errors.New("there is no such webhook or delivery")
	// ErrAddress refuses the address of a webhook.
	ErrAddress = errors.New("a webhook is sent to a public address that begins with https://")
	// ErrInvalid refuses a webhook that cannot be.
	ErrInvalid = errors.New("a webhook needs a name, and at least one kind of news")
)

// Max bounds the webhooks of an account.
const Max = 20

// Format is the form of the news sent to a webhook.
type Format string

// The formats: Standard Webhooks, and the texts that chats take.
const (
	Standard Format = "standard"
	Matrix   Format = "matrix"
	Discord  Format = "discord"
	Slack    Format = "slack"
)

// Formats returns all formats.
func Formats() []Format { return []Format{Standard, Matrix, Discord, Slack} }

// Test is the kind of a delivery that tries a webhook out.
const Test tournament.NewsKind = "webhook.test"

// Hook is a webhook: an address that news of tournaments is sent to.
type Hook struct {
	ID         string
	AccountID  string // of its owner, the organiser of the tournaments
	Tournament string // confines it to a tournament; "" for all that the owner runs
	Name       string
	URL        string
	Kinds      []tournament.NewsKind
	Format     Format
	Secret     []byte // signs deliveries
	OldSecret  []byte // signs deliveries, too, until OldUntil
	OldUntil   int64  // ms UTC
	CreatedAt  int64

	DisabledAt   int64 // 0 while it works
	DisabledWhy  string
	FailingSince int64 // the first failure since the last success; 0 for none
	Failures     int   // since the last success
	NextAt       int64 // time of the next attempt; 0 if nothing waits for it

	Place int64 // of the last news that was looked at
}

// Event is news in the log of all.
type Event struct {
	Place      int64
	Tournament string
	News       tournament.News
	At         int64 // ms UTC
}

// Wants reports whether news is of a kind and a tournament that the webhook is for.
func (h *Hook) Wants(e Event) bool {
	return (h.Tournament == "" || h.Tournament == e.Tournament) && e.At >= h.CreatedAt && slices.Contains(h.Kinds, e.News.Kind)
}

// State is the state of a delivery.
type State string

// The states of a delivery.
const (
	Waiting State = "waiting"
	Sent    State = "sent"
	Failed  State = "failed"  // given up
	Dropped State = "dropped" // its receiver may no longer know it
)

// Delivery is news on its way to a webhook.
type Delivery struct {
	ID     string // the webhook-id follows from it
	HookID string
	Event  int64 // the place of the news; below 0 for a test
	Kind   tournament.NewsKind
	// Tournament is its id, "" for a test.
	Tournament string
	News       tournament.News
	At         int64 // when it happened, ms UTC
	State      State
	Since      int64 // time of the first attempt

	Attempts int
	TriedAt  int64 // last; 0 before
	Status   int   // of the last answer; 0 for none
	Error    string
	TookMs   int64
}
