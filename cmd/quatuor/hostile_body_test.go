package main

import (
	"fmt"
	"net/http"
	"strings"
)

// hostileTarget is an operation that takes JSON, and where hostile values go in a body that otherwise fits.
type hostileTarget struct {
	name, method, path string
	member             string // any member
	fitting            string // a body that fits, without its braces; member is not in it
}

var hostileTargets = []hostileTarget{
	{"replay", http.MethodPost, "/replay", "moves", `"variant":"quixo/duel"`},
	{"replay options", http.MethodPost, "/replay", "options", `"variant":"quixo/duel","moves":[]`},
	{"account", http.MethodPost, "/accounts", "player_name", `"login":"x1","password":"correct horse battery"`},
	{"session", http.MethodPost, "/sessions", "password", `"login":"ada"`},
	{"refresh", http.MethodPost, "/sessions/refresh", "refresh_token", ``},
	{"move", http.MethodPost, "/games/nothing/moves", "move", `"seat":1,"turn":1`},
	{"game", http.MethodPost, "/games", "seats", `"variant":"quixo/duel","time_control":"300"`},
	{"tournament", http.MethodPost, "/tournaments", "tie_breaks", `"name":"Cup","variant":"quixo/duel","format":"swiss","time_control":"300"`},
	{"pairs", http.MethodPut, "/tournaments/nothing/forbidden-pairs", "items", ``},
	{"token", http.MethodPost, "/me/tokens", "scopes", `"name":"x"`},
}

const mib = 1 << 20

// fill repeats a text up to a size in bytes.
func fill(text string, size int) string { return strings.Repeat(text, max(0, size/len(text))) }

// counted joins texts with running numbers up to a size.
func counted(format string, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size-40; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// hostileKind makes a body for a target.
type hostileKind struct {
	name string
	make func(t hostileTarget) string
}

// hostileValue is a value of a member that fits no operation.
type hostileValue struct{ name, value string }

// hostileValues makes them when they are wanted: the tests start this program hundreds of times, and they take 64 MB.
func hostileValues() []hostileValue {
	return []hostileValue{
		{"nested lists, 18 kB", fill("[", 9000) + fill("]", 9000)},
		{"nested lists, 1 MiB", fill("[", mib/2-200) + fill("]", mib/2-200)},
		{"nested lists, never closed", fill("[", mib-400)},
		{"nested objects", fill(`{"a":`, mib/2) + "1" + fill("}", mib/12)},
		{"numbers", "[" + counted("%d", mib-400) + "]"},
		{"empty lists", "[" + fill("[],", mib-500) + "[]]"},
		{"empty objects", "[" + fill("{},", mib-500) + "{}]"},
		{"nulls", "[" + fill("null,", mib-500) + "null]"},
		{"20,000 wrong items", "[" + fill("1,", 40_000) + "1]"},
		{"short strings", "[" + fill(`"",`, mib-500) + `""]`},
		{"equal strings", "[" + fill(`"read",`, mib-500) + `"read"]`},
		{"objects with unknown members", "[" + counted(`{"a%d":1}`, mib-500) + "]"},
		{"an object with members", "{" + counted(`"m%d":"x"`, mib-500) + "}"},
		{"an object with long names", "{" + counted(`"`+strings.Repeat("n", 5000)+`%d":"x"`, mib-10_000) + "}"},
		{"an object with one name", "{" + fill(`"a":"x",`, mib-500) + `"a":"x"}`},
		{"a long string", `"` + fill("x", mib-500) + `"`},
		{"a string of escapes", `"` + fill(`\u0041`, mib-500) + `"`},
		{"a string of pairs", `"` + fill(`\ud83d\ude00`, mib-500) + `"`},
		{"half a pair", `"` + fill(`\ud83d`, mib-500) + `"`},
		{"a string that is not UTF-8", `"` + fill("\xff\xfe", mib-500) + `"`},
		{"a string that is not UTF-8 at its end", `"` + fill("é", mib-500) + "\xff\""},
		{"a string with line feeds", `"` + fill("\n", 1000) + `"`},
		{"a million digits", fill("9", mib-500)},
		{"a million digits after the point", "0." + fill("3", mib-500)},
		{"a huge exponent", "1e999999999"},
		{"a tiny exponent", "-1e-999999999"},
		{"a number with a long exponent", "1e" + fill("0", mib-500)},
		{"a list of huge numbers", "[" + fill("1e999999,", mib-500) + "1]"},
		{"NaN", "NaN"},
		{"no value", ""},
	}
}

// hostileBodies are bodies that fit no operation as a whole.
var hostileBodies = []hostileKind{
	{"12,000 unknown members", func(hostileTarget) string {
		return "{" + counted(`"u%d":1`, 121_000) + "}"
	}},
	{"unknown members, 1 MiB", func(hostileTarget) string { return "{" + counted(`"u%d":[1]`, mib) + "}" }},
	{"unknown members among known", func(t hostileTarget) string { return with(t, counted(`"u%d":{"a":{}}`, mib-2000)) }},
	{"an unknown name of 1 MiB", func(hostileTarget) string { return `{"` + fill("n", mib-100) + `":1}` }},
	{"unknown names of slashes", func(hostileTarget) string { return `{"` + fill("~/", mib-100) + `":1}` }},
	{"unknown names of escapes", func(hostileTarget) string { return "{" + counted(`"\u0041\u0042%d":1`, mib) + "}" }},
	{"a member many times", func(t hostileTarget) string {
		return "{" + fill(`"`+t.member+`":null,`, mib-200) + `"` + t.member + `":null}`
	}},
	{"white space alone", func(hostileTarget) string { return fill(" \n", mib) }},
	{"white space before nothing", func(t hostileTarget) string { return "{" + fill("\t", mib-2) }},
	{"a second value", func(t hostileTarget) string { return with(t, `"`+t.member+`":0`) + "{}" }},
	{"many values", func(hostileTarget) string { return fill("{} ", mib) }},
	{"garbage behind", func(t hostileTarget) string { return with(t, `"`+t.member+`":0`) + fill("\x00", mib-2000) }},
	{"zero bytes", func(hostileTarget) string { return fill("\x00", mib) }},
	{"a byte order mark", func(t hostileTarget) string { return "\ufeff" + with(t, "") }},
	{"UTF-16", func(hostileTarget) string { return fill("{\x00", mib) }},
	{"XML", func(hostileTarget) string { return fill("<a>", mib) }},
	{"a form", func(hostileTarget) string { return fill("a=1&", mib) }},
	{"single quotes", func(hostileTarget) string { return "{'a':1}" }},
	{"a comment", func(t hostileTarget) string { return "/*" + fill("*", 1000) + "*/" + with(t, "") }},
	{"commas", func(hostileTarget) string { return "[" + fill(",", mib-1) }},
	{"braces", func(hostileTarget) string { return fill("{", mib) }},
	{"brackets as names", func(hostileTarget) string { return "{" + fill("[", mib-1) }},
	{"a list", func(hostileTarget) string { return "[" + fill("{},", mib-10) + "{}]" }},
	{"a text", func(hostileTarget) string { return `"` + fill("x", mib-2) + `"` }},
	{"a number", func(hostileTarget) string { return fill("1", mib) }},
	{"null", func(hostileTarget) string { return "null" }},
	{"more than 1 MiB", func(t hostileTarget) string { return with(t, `"x":"`+fill("x", mib)+`"`) }},
}

// with is the body that fits, with more.
func with(t hostileTarget, more string) string {
	if t.fitting != "" && more != "" {
		more = "," + more
	}
	return "{" + t.fitting + more + "}"
}

// hostileKinds are all kinds of bodies.
func hostileKinds() []hostileKind {
	kinds, values := hostileBodies, hostileValues()
	for _, v := range values {
		kinds = append(kinds, hostileKind{v.name, func(t hostileTarget) string { return with(t, `"`+t.member+`":`+v.value) }})
	}
	for _, v := range values {
		kinds = append(kinds, hostileKind{v.name + ", in a list", func(t hostileTarget) string {
			return with(t, `"`+t.member+`":[`+v.value+`,"x"]`)
		}})
		kinds = append(kinds, hostileKind{v.name + ", in an object", func(t hostileTarget) string {
			return with(t, `"`+t.member+`":{"x":`+v.value+`}`)
		}})
	}
	return kinds
}
