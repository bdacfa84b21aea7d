package ledger

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"quatuor/rating"
)

// walk goes through the past from the first game to the last, rates each, and compares the results with the stored
// ratings, a page at a time. With a draft it corrects the differences.
type walk struct {
	past     Past
	draft    Draft  // nil to change nothing
	list     string // the list that is compared, "" for all
	progress func(done, all int64)
	book     *book
	last     map[place]Standing
	sums     map[string]Sum
	report   Report

	want        []Row // of the page; its space is reused, like the others'
	remove, add []Row
}

func (l *Ledger) walk(past Past, draft Draft, list string) *walk {
	progress := l.Progress
	if progress == nil {
		progress = func(int64, int64) {}
	}
	return &walk{
		past: past, draft: draft, list: list, progress: progress,
		book: newBook(l.by), last: map[place]Standing{}, sums: map[string]Sum{},
	}
}

func (w *walk) run(ctx context.Context) (Report, error) {
	err := w.past.Given(ctx, func(list, playerID string, r rating.Rating) error {
		w.book.ratings[place{list, playerID}] = r
		return nil
	})
	for _, step := range []func(context.Context) error{w.pages, w.standings, w.listSums} {
		if err == nil {
			err = step(ctx)
		}
	}
	return w.report, err
}

// page is some games and the stored rows up to the last of them. The space of each is used again.
type page struct {
	games     []Finished
	got       []Row
	to        int64 // the last place that the games cover
	after, up int64 // the places that the rows cover
	err       error
}

// read fills a page with the games and rows after another. The rows before the first and after the last game are read
// as well: there should be none.
func (w *walk) read(ctx context.Context, before, p *page) {
	if p.err = ctx.Err(); p.err != nil {
		return
	}
	p.after = before.up
	games, to, err := w.past.Games(ctx, before.to, p.games[:0])
	p.games, p.to = games, to
	if err != nil {
		p.err = err
		return
	}
	p.up = p.to
	if p.to >= w.past.Cursor() {
		p.up = math.MaxInt64
	}
	p.got, p.err = w.past.Rows(ctx, p.after, p.up, p.got[:0])
}

// last reports whether no page follows.
func (p *page) last() bool { return p.err != nil || p.up == math.MaxInt64 }

// pages goes through games and rows. Where nothing is written, the next page is read while a page is rated.
func (w *walk) pages(ctx context.Context) error {
	now, next := &page{up: math.MinInt64}, &page{}
	if w.draft != nil {
		for !now.last() {
			w.read(ctx, now, next)
			now, next = next, now
			if err := w.page(ctx, now); err != nil {
				return err
			}
		}
		return nil
	}
	w.read(ctx, now, next)
	for more := true; more; {
		now, next = next, now
		var reading sync.WaitGroup
		if more = !now.last(); more {
			reading.Go(func() { w.read(ctx, now, next) })
		}
		err := w.page(ctx, now)
		reading.Wait()
		if err != nil {
			return err
		}
	}
	return nil
}

// page rates a page of games and compares.
func (w *walk) page(ctx context.Context, p *page) error {
	if p.err != nil {
		return p.err
	}
	defer func() { w.progress(min(p.to, w.past.Cursor()), w.past.Cursor()) }()
	w.want = w.want[:0]
	for i := range p.games {
		f := &p.games[i]
		w.report.Games++
		rows, err := w.book.rate(*f)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			continue
		}
		w.report.Rated++
		if w.list == "" || f.List == w.list {
			w.want = append(w.want, rows...)
			w.note(f, rows)
		}
	}
	w.report.Rows += len(w.want)
	w.compare(p.got)
	if w.draft == nil || len(w.remove)+len(w.add) == 0 {
		return nil
	}
	return w.draft.SetRows(ctx, w.remove, w.add)
}

// note adds the effect of a game's rows on its players and its list.
func (w *walk) note(f *Finished, rows []Row) {
	for i := range rows {
		r := &rows[i]
		w.last[place{r.List, r.PlayerID}] = Standing{r.List, r.PlayerID, r.Rating(), r.Seq, r.At}
	}
	sum := w.sums[f.List]
	w.sums[f.List] = Sum{List: f.List, Games: sum.Games + 1, LastAt: max(sum.LastAt, f.FinishedAt)}
}

// compare compares the rows of a page, and keeps those to remove and to add for a draft.
func (w *walk) compare(got []Row) {
	if w.list != "" {
		got = slices.DeleteFunc(slices.Clone(got), func(r Row) bool { return r.List != w.list })
	}
	w.report.Stored += len(got)
	w.remove, w.add = w.remove[:0], w.add[:0]
	join(w.want, got, order, func(want, got *Row) {
		w.report.Wrong++
		w.report.First = note(w.report.First, want, got)
		if want != nil {
			w.add = append(w.add, *want)
		}
		if got != nil {
			w.remove = append(w.remove, *got)
		}
	})
}

// order compares rows by their place.
func order(a, b *Row) int { return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(a.Seat, b.Seat)) }

// join calls differ with the elements that only want or only got has, both in the same order, nil for the missing side.
func join[T comparable](want, got []T, order func(a, b *T) int, differ func(want, got *T)) {
	for len(want) > 0 || len(got) > 0 {
		var by int
		switch {
		case len(got) == 0:
			by = -1
		case len(want) == 0:
			by = 1
		default:
			by = order(&want[0], &got[0])
		}
		switch {
		case by < 0:
			differ(&want[0], nil)
			want = want[1:]
		case by > 0:
			differ(nil, &got[0])
			got = got[1:]
		default:
			if want[0] != got[0] {
				differ(&want[0], &got[0])
			}
			want, got = want[1:], got[1:]
		}
	}
}

// standings compares current ratings, a page of those that are stored at a time.
func (w *walk) standings(ctx context.Context) error {
	want := slices.SortedFunc(maps.Values(w.last), func(a, b Standing) int { return byPlayer(&a, &b) })
	var page []Standing
	for list, player, more := w.list, "", true; more; {
		var err error
		if page, err = w.past.Standings(ctx, list, player, page[:0]); err != nil {
			return err
		}
		upTo := len(want)
		if more = len(page) > 0; more {
			end := page[len(page)-1]
			list, player = end.List, end.PlayerID
			if w.list != "" {
				page = slices.DeleteFunc(page, func(s Standing) bool { return s.List != w.list })
				more = list == w.list
			}
			if more {
				upTo, _ = slices.BinarySearchFunc(want, end, func(a, b Standing) int { return byPlayer(&a, &b) })
				if upTo < len(want) && byPlayer(&want[upTo], &end) == 0 {
					upTo++
				}
			}
		}
		if err := w.standingsOf(ctx, want[:upTo], page); err != nil {
			return err
		}
		want = want[upTo:]
	}
	return nil
}

func (w *walk) standingsOf(ctx context.Context, want, got []Standing) error {
	var remove, add []Standing
	join(want, got, byPlayer, func(want, got *Standing) {
		w.report.Standing++
		w.report.FirstStandings = note(w.report.FirstStandings, want, got)
		if want != nil {
			add = append(add, *want)
		} else {
			remove = append(remove, *got)
		}
	})
	if w.draft == nil || len(remove)+len(add) == 0 {
		return nil
	}
	return w.draft.SetStandings(ctx, remove, add)
}

func byPlayer(a, b *Standing) int {
	return cmp.Or(cmp.Compare(a.List, b.List), cmp.Compare(a.PlayerID, b.PlayerID))
}

// listSums compares the sums of the lists.
func (w *walk) listSums(ctx context.Context) error {
	got, err := w.past.Sums(ctx)
	if err != nil {
		return err
	}
	if w.list != "" {
		got = slices.DeleteFunc(got, func(s Sum) bool { return s.List != w.list })
	}
	byList := func(a, b *Sum) int { return cmp.Compare(a.List, b.List) }
	want := slices.SortedFunc(maps.Values(w.sums), func(a, b Sum) int { return byList(&a, &b) })
	join(want, got, byList, func(want, got *Sum) {
		w.report.Sums++
		w.report.FirstSums = note(w.report.FirstSums, want, got)
	})
	if w.draft == nil || w.report.Sums == 0 {
		return nil
	}
	return w.draft.SetSums(ctx, want)
}
