// Package hints carries short hints between the instances on a PostgreSQL database: that something has a new version,
// never its content. Interested instances read the database, which stays the only truth.
//
// A [Link] has a connection of its own. It publishes changes with NOTIFY after the commit and outside of its
// transaction, at most every 5 ms or, under load, every 50 ms, and receives those of others with LISTEN. A NOTIFY in a
// writing transaction would serialize all commits.
//
// # What can be lost
//
//	what fails                                     detected by                       what follows
//	the connection of the sender                   the sender                        the hints are sent with the next connection
//	the sender, between its commit and its NOTIFY  the others: it has gone silent    Receiver.OnGap on each of them
//	the connection of a listener                   the listener                      LISTEN again, then Receiver.OnGap
//	the queue is full                              the sender                        it announces that, and the others call Receiver.OnGap
//
// Hints may come twice, late and in any order; they must not count twice.
//
// # Messages
//
// A message is text of less than 8,000 bytes, PostgreSQL's limit. Its first line is
//
//	1 KIND INSTANCE TIME
//
// with the time in ms UTC of the first of its hints, and each further line is a hint:
//
//	TOPIC VERSION PARTS
//
// The kinds: hints; hello from a new listener, which requests what the others know and the database does not; all if
// anything may have changed; bye from an instance that ends. Messages of another form are ignored.
package hints

import (
	"strconv"
	"strings"
)

// Hint is a change.
type Hint struct {
	Topic   string // of the change; without white space and control characters
	Version int64  // the latest version of it; 0 where it has none
	Parts   uint8  // a set of its changed parts, numbered by the user of this package
}

// maxTopic is the maximum length of a topic.
const maxTopic = 300

// valid reports whether a topic can be sent.
func valid(topic string) bool {
	return topic != "" && len(topic) <= maxTopic &&
		!strings.ContainsFunc(topic, func(c rune) bool { return c <= ' ' || c == 0x7f })
}

// merged merges two hints of the same topic.
func merged(one, other Hint) Hint {
	one.Version = max(one.Version, other.Version)
	one.Parts |= other.Parts
	return one
}

// kind is the purpose of a message.
type kind string

const (
	kindHints kind = "hints"
	kindHello kind = "hello"
	kindAll   kind = "all"
	kindBye   kind = "bye"
)

// format is the number of this form of messages.
const format = "1"

// maxPayload is the maximum length of a message; PostgreSQL takes less than 8,000 bytes.
const maxPayload = 7900

// message is the payload of a NOTIFY.
type message struct {
	kind  kind
	from  string // instance
	at    int64  // ms UTC
	hints []Hint
}

// encode returns the payloads of a message: as many as its hints need.
func (m message) encode() []string {
	head := strings.Join([]string{format, string(m.kind), m.from, strconv.FormatInt(m.at, 10)}, " ")
	var payloads []string
	var b strings.Builder
	b.WriteString(head)
	for _, h := range m.hints {
		line := "\n" + h.Topic + " " + strconv.FormatInt(h.Version, 10) + " " + strconv.Itoa(int(h.Parts))
		if b.Len()+len(line) > maxPayload {
			payloads = append(payloads, b.String())
			b.Reset()
			b.WriteString(head)
		}
		b.WriteString(line)
	}
	return append(payloads, b.String())
}

// sender returns the instance that a payload comes from.
func sender(payload string) string {
	head, _, _ := strings.Cut(payload, "\n")
	if fields := strings.SplitN(head, " ", 4); len(fields) == 4 {
		return fields[2]
	}
	return ""
}

// decode reads a payload; ok is false for a payload of another form.
func decode(payload string) (m message, ok bool) {
	head, rest, _ := strings.Cut(payload, "\n")
	fields := strings.Split(head, " ")
	if len(fields) != 4 || fields[0] != format || !valid(fields[2]) {
		return m, false
	}
	switch m.kind = kind(fields[1]); m.kind {
	case kindHints, kindHello, kindAll, kindBye:
	default:
		return m, false
	}
	at, err := strconv.ParseInt(fields[3], 10, 64)
	if err != nil {
		return m, false
	}
	m.from, m.at = fields[2], at
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		h, ok := decodeHint(line)
		if !ok {
			return message{}, false
		}
		m.hints = append(m.hints, h)
	}
	return m, true
}

func decodeHint(line string) (Hint, bool) {
	topic, rest, _ := strings.Cut(line, " ")
	version, parts, _ := strings.Cut(rest, " ")
	v, err := strconv.ParseInt(version, 10, 64)
	p, e := strconv.ParseUint(parts, 10, 8)
	return Hint{topic, v, uint8(p)}, err == nil && e == nil && valid(topic)
}
