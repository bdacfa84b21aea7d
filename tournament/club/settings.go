package club

// Settings are a club's decisions about its installation, stored beside its data. An empty text is no decision.
type Settings struct {
	Name         string // shown on all pages
	Welcome      string // a sentence or two on the first page, instead of what the program is
	Imprint      string // the person responsible for the data, on the page about privacy
	Language     string // default language, for readers of languages that are not on offer; a tag: "de"
	TimeZone     string // of the times shown, for example "Europe/Berlin"
	Registration string // restriction on opening accounts
	Reach        Reach
	Resets       bool  // organisers, too, may reset the passwords of plain players; else admins only
	Version      int64 // 0 before anything was decided
}

// Reach is from where an installation can be reached where the operator has named no address to listen on.
type Reach string

// The values of Reach; the empty value is ReachLocal.
const (
	ReachLocal   Reach = "local"   // from the machine that it runs on
	ReachNetwork Reach = "network" // from the machine's network
)
