package trf

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"quatuor/tournament"
	"quatuor/tournament/pairing"
)

// dateColumn is the first column of the dates of the rounds.
const dateColumn = 92

// Write writes the report as TRF-2026, lines ending in "\n". Errors are w's.
func (r *Report) Write(w io.Writer) error {
	var b bytes.Buffer
	r.writeTexts(&b, "012", "082")
	fmt.Fprintf(&b, "062 %d\n", len(r.Players))
	r.writeTexts(&b, "092", "102")
	for _, d := range r.Deputies {
		fmt.Fprintln(&b, "112", d)
	}
	r.writeTexts(&b, "122", "122")
	r.writeRounds(&b)
	r.writePoints(&b)
	r.writeTexts(&b, "182", "222")
	r.writeRecords(&b)
	other := r.Other
	for i, p := range r.Players {
		other = writeOther(&b, other, i)
		fmt.Fprintln(&b, p.write())
	}
	writeOther(&b, other, len(r.Players))
	_, err := w.Write(b.Bytes())
	return err
}

// WritePlayers writes nothing but the 001 lines of players, as rating lists are handed over.
func WritePlayers(w io.Writer, players []Player) error {
	var b bytes.Buffer
	for _, p := range players {
		fmt.Fprintln(&b, p.write())
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeTexts writes the plain lines between two codes, without empty lines.
func (r *Report) writeTexts(b *bytes.Buffer, from, to string) {
	for _, f := range r.textFields() {
		if f.code >= from && f.code <= to && *f.text != "" {
			fmt.Fprintln(b, f.code, *f.text)
		}
	}
}

func (r *Report) writeRounds(b *bytes.Buffer) {
	if r.RoundDates != "" {
		fmt.Fprintf(b, "%-*s%s\n", dateColumn-1, "132", r.RoundDates)
	}
	if r.Rounds > 0 {
		fmt.Fprintf(b, "142 %d\n", r.Rounds)
	}
	switch r.Initial {
	case pairing.White:
		fmt.Fprintln(b, "152 W")
	case pairing.Black:
		fmt.Fprintln(b, "152 B")
	}
}

// writePoints writes the points that differ from the default.
func (r *Report) writePoints(b *bytes.Buffer) {
	standard := tournament.StandardPoints
	var codes []string
	add := func(code string, p, otherwise tournament.Points) {
		if p != otherwise {
			codes = append(codes, fmt.Sprintf("%s%4s", code, decimal(p)))
		}
	}
	add("W", r.Points.Win, standard.Win)
	add("D", r.Points.Draw, standard.Draw)
	add("L", r.Points.Loss, standard.Loss)
	add("A", r.Points.ForfeitLoss, 0)
	add("P", r.Points.Bye, r.Points.Win)
	add("X", r.Unknown, r.Points.Draw)
	if len(codes) > 0 {
		fmt.Fprintf(b, "162  %s\n", strings.Join(codes, "    "))
	}
}

func (r *Report) writeRecords(b *bytes.Buffer) {
	for _, bye := range r.Byes {
		fmt.Fprintf(b, "240 %c %03d%s\n", bye.Type, bye.Round, writeNumbers(bye.Numbers))
	}
	for _, v := range r.Virtual {
		fmt.Fprintf(b, "250      %4s %03d %03d %04d %04d\n", decimal(v.Points), v.First, v.Last, v.From, v.To)
	}
	for _, f := range r.Forbidden {
		fmt.Fprintf(b, "260 %03d %03d%s\n", f.First, f.Last, writeNumbers(f.Numbers))
	}
	for _, a := range r.Abnormal {
		points := decimal(max(a.Points, -a.Points))
		if a.Points < 0 {
			points = "-" + points
		}
		fmt.Fprintf(b, "299 %c       %5s  %03d%s\n", a.Type, points, a.Round, writeNumbers(a.Numbers))
	}
	for _, e := range r.Events {
		fmt.Fprintln(b, e.write())
	}
}

func writeNumbers(numbers []int) string {
	var b strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&b, " %04d", n)
	}
	return b.String()
}

// writeOther writes the lines that belong after this many players and returns those that come later.
func writeOther(b *bytes.Buffer, other []Other, after int) []Other {
	for len(other) > 0 && other[0].After <= after {
		fmt.Fprintln(b, other[0].Text)
		other = other[1:]
	}
	return other
}
