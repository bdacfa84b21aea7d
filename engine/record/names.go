package record

import (
	"regexp"
	"strings"
)

var (
	// named are the tags that hold names of people: those of the seats, and whatever else other programs write there.
	named = regexp.MustCompile(`(?m)^([ \t]*\[?([A-Za-z0-9]+)[ \t]+")((?:[^"\\\r\n]|\\.)*)"`)
	// remark is a comment in braces.
	remark = regexp.MustCompile(`\{(?:[^}\\]|\\.)*\}`)
	// kept is the part of a comment that is not free text: its commands.
	kept = regexp.MustCompile(`\[%[^\]\r\n]*\]`)
	// fixed are the tags that programs read, and those that name the event.
	fixed = regexp.MustCompile(`^(Event|Site|Date|Round|Board|Game|Result|Variant|Options|TimeControl|Lag|Rated|` +
		`Commitment|Seed|Server\w*|Nonce\w*|Start|End|Termination|Position)$`)
	escape   = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\}`, `}`, `\[`, `[`)
	inRemark = strings.NewReplacer(`\`, `\\`, `}`, `\}`, `[`, `\[`)
)

// Rewrite replaces people's words in the text of a record: the names of players, and comments. Tags that programs read,
// moves and commands are unchanged.
func Rewrite(text string, replace func(string) string) string {
	text = named.ReplaceAllStringFunc(text, func(tag string) string {
		part := named.FindStringSubmatch(tag)
		if fixed.MatchString(part[2]) {
			return tag
		}
		value := unescape.Replace(part[3])
		if next := replace(value); next != value {
			return part[1] + escape.Replace(next) + `"`
		}
		return tag
	})
	lines := strings.SplitAfter(text, "\n")
	head := 0
	for i, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			head = i + 1
		}
	}
	moves := strings.Join(lines[head:], "")
	return strings.Join(lines[:head], "") + remark.ReplaceAllStringFunc(moves, func(comment string) string {
		inner := comment[1 : len(comment)-1]
		var b strings.Builder
		from := 0
		for _, at := range append(kept.FindAllStringIndex(inner, -1), []int{len(inner), len(inner)}) {
			b.WriteString(rewritten(inner[from:at[0]], replace))
			b.WriteString(inner[at[0]:at[1]])
			from = at[1]
		}
		return "{" + b.String() + "}"
	})
}

// rewritten replaces a part of a comment.
func rewritten(part string, replace func(string) string) string {
	words := strings.Join(strings.Fields(unescape.Replace(part)), " ")
	next := replace(words)
	if next == words {
		return part
	}
	return " " + inRemark.Replace(next) + " "
}
