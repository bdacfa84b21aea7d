package store

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"gorm.io/gorm"

	"quatuor/store/dbtest"
	"quatuor/tournament"
	"quatuor/tournament/account"
	"quatuor/tournament/club"
)

// TestMailOfARound: each player is sent each pairing once, whatever happens to the round and to the program.
func TestMailOfARound(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { mailsRounds(t, Config{Dir: t.TempDir()}) })
	t.Run("PostgreSQL", func(t *testing.T) { mailsRounds(t, Config{DSN: dbtest.Cluster(t, "fsync=off").Schema(t)}) })
}

// roundMail is a tournament of four, each with an address.
type roundMail struct {
	*Store
	t   *testing.T
	cup *tournament.Tournament
	now int64 // ms
}

func mailsRounds(t *testing.T, c Config) {
	x := &roundMail{Store: open(t, c), t: t, now: 1_000_000}
	x.cup = &tournament.Tournament{ID: "cup", Status: tournament.Running, Version: 1, PublicVersion: 1}
	x.cup.Name, x.cup.Format = "Cup", tournament.Swiss
	for i, id := range []string{"ada", "bob", "cid", "dan"} {
		x.must(x.People().CreateAccount(t.Context(), account.Account{ID: "a-" + id, Login: id}, &club.Player{ID: id, Name: id, Version: 1}))
		confirm := account.Mail{ID: "confirm " + id, Kind: account.MailConfirm, AccountID: "a-" + id}
		x.must(x.Mail().SetAddress(t.Context(), "a-"+id, id+"@x.example", confirm))
		x.must(x.Mail().Confirm(t.Context(), "a-"+id, id+"@x.example"))
		x.must(x.Mail().Done(t.Context(), confirm.ID))
		x.cup.Entries = append(x.cup.Entries, tournament.Entry{
			ID: id[:1], Name: id, Members: []string{id}, Status: tournament.Confirmed, Number: i + 1,
		})
	}
	x.must(x.Tournaments().Create(t.Context(), x.cup))

	x.publish(1, "ab", "cd")
	x.sends("a round is published", "ada:b", "bob:a", "cid:d", "dan:c")
	x.sends("it is looked for again")
	x.publish(1, "ab", "cd")
	x.sends("it is deleted, paired as it was, and published again")
	x.publish(1, "ba", "cd")
	x.sends("two have changed seats")
	x.publish(1, "ac", "bd")
	x.sends("it is paired anew", "ada:c", "bob:d", "cid:a", "dan:b")
	x.publish(1)
	x.sends("it is deleted")
	x.Close()
	x.Store = open(t, c)
	x.publish(1, "ac", "b")
	x.sends("two have no opponent any more")
	x.publish(1, "ac", "db")
	x.sends("they have one again")
	x.publish(1, "ab", "cd")
	x.sends("it is paired as at first", "ada:b", "bob:a", "cid:d", "dan:c")

	x.publish(2, "ac", "bd")
	for range 3 { // the program ends between its queue and the mail server, and starts again
		x.must(x.Mail().QueueRounds(t.Context(), 0, x.now))
		x.Close()
		x.Store = open(t, c)
	}
	x.sends("the program has started again", "ada:c", "bob:d", "cid:a", "dan:b")
	x.publish(3, "ab", "cd")
	var together sync.WaitGroup
	for range 4 {
		together.Go(func() {
			if err := x.Mail().QueueRounds(t.Context(), 0, x.now); err != nil {
				t.Error(err)
			}
		})
	}
	together.Wait()
	x.sends("several look for it at once", "ada:b", "bob:a", "cid:d", "dan:c")
	x.earlierVersion()
	x.claimedTwice()
}

// earlierVersion has an earlier version mail a round, with its own mark.
func (x *roundMail) earlierVersion() {
	x.t.Helper()
	x.publish(4, "ac", "bd")
	for _, id := range []string{"ada", "bob", "cid"} {
		x.must(x.Mail().write(x.t.Context(), "mark", func(tx *gorm.DB) error {
			return tx.Create(&mailMarkRow{"a-" + id, "round cup", 4, x.now}).Error
		}))
	}
	x.sends("an earlier version has mailed three of four", "dan:b")
}

// claimedTwice has the program die while it sends: the e-mail is claimed again later, as the same e-mail.
func (x *roundMail) claimedTwice() {
	x.t.Helper()
	x.publish(5, "ad", "bc")
	x.must(x.Mail().QueueRounds(x.t.Context(), 0, x.now))
	claim := func(at int64) (ids []string) {
		claimed, err := x.Mail().Claim(x.t.Context(), at, at+1000, 10)
		x.must(err)
		for _, m := range claimed {
			ids = append(ids, m.ID)
		}
		slices.Sort(ids)
		return ids
	}
	first := claim(x.now)
	if again := claim(x.now + 999); len(first) != 4 || len(again) != 0 {
		x.t.Errorf("%d e-mails are claimed, and %d of them once more while they are sent", len(first), len(again))
	}
	if later := claim(x.now + 1000); !slices.Equal(later, first) {
		x.t.Errorf("after a crash %q are sent, not %q", later, first)
	}
}

func (x *roundMail) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// publish replaces a round by another that is published now: boards of entries, a single entry with a bye. With none
// the round is deleted.
func (x *roundMail) publish(number int, boards ...string) {
	x.t.Helper()
	x.now += 60_000
	from := x.cup.Version
	if len(x.cup.Rounds) >= number {
		x.cup.Rounds = x.cup.Rounds[:number-1]
		x.cup.Version++
		x.must(x.Tournaments().Save(x.t.Context(), x.cup, from, tournament.Delta{RemovedRounds: []int{number}}))
	}
	if len(boards) == 0 {
		return
	}
	r := tournament.Round{Number: number, Status: tournament.Published, PublishedAt: x.now}
	for i, seats := range boards {
		p := tournament.Pairing{Board: i + 1}
		for _, entry := range seats {
			p.Seats = append(p.Seats, string(entry))
		}
		if len(seats) == 1 {
			p.Bye = tournament.PairingAllocated
		}
		r.Pairings = append(r.Pairings, p)
	}
	from = x.cup.Version
	x.cup.Rounds = append(x.cup.Rounds, r)
	x.cup.Version++
	x.must(x.Tournaments().Save(x.t.Context(), x.cup, from, tournament.Delta{Rounds: []tournament.Round{r}}))
}

// sends holds what is queued now, of the last round, to the players with their opponents.
func (x *roundMail) sends(when string, want ...string) {
	x.t.Helper()
	x.must(x.Mail().QueueRounds(x.t.Context(), 0, x.now))
	claimed, err := x.Mail().Claim(x.t.Context(), x.now, x.now+1, 100)
	x.must(err)
	var got []string
	for _, m := range claimed {
		opponent := ""
		for _, r := range x.cup.Rounds {
			for _, p := range r.Pairings {
				if r.Number == m.Data.Round && slices.Contains(p.Seats, m.Data.Entry) && len(p.Seats) == 2 {
					opponent = p.Seats[1-slices.Index(p.Seats, m.Data.Entry)]
				}
			}
		}
		got = append(got, fmt.Sprint(m.AccountID[2:], ":", opponent))
		x.must(x.Mail().Done(x.t.Context(), m.ID))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		x.t.Errorf("%s: sent %q, want %q", when, got, want)
	}
}
