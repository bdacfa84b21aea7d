package account

// CredentialKind is the purpose of an opaque credential.
type CredentialKind string

// The kinds of credential. Invitations may be used without an account.
const (
	RefreshToken  CredentialKind = "refresh"
	APIToken      CredentialKind = "token"
	PageSession   CredentialKind = "session"
	Invitation    CredentialKind = "invitation"
	PasswordReset CredentialKind = "reset"
	SetupCode     CredentialKind = "setup" // makes the first account, where several instances serve
)

// Credential is an opaque secret, stored as its SHA-256 only.
type Credential struct {
	ID         string
	Kind       CredentialKind
	Hash       string // SHA-256 of the secret, hex; unique
	AccountID  string
	Family     string   // all refresh tokens that descend from the same login
	Name       string   // what the owner calls an API token
	Scopes     []string // read, play, organise, admin, display, board, helper
	CreatedAt  int64
	ExpiresAt  int64 // 0 = never
	UsedAt     int64 // last use, of API tokens to a few minutes; for refresh tokens and invitations the only use
	RevokedAt  int64
	Role       Role   // of the accounts that are opened with an invitation; "" for a player's
	Uses       int    // how often an invitation can still be used
	Tournament string // confines an API token to a tournament; "" for any other
}

// Key is a signing key for access tokens.
type Key struct {
	ID        string
	Private   []byte // Ed25519 seed, 32 bytes
	CreatedAt int64
	RetiredAt int64 // signs no more, still verifies until its tokens have expired
}

// Charge is an attempt against a limit, counted by all instances together: the generic cell rate algorithm, each
// attempt moving the theoretical arrival time of its key by Interval. Times are in microseconds.
type Charge struct {
	Key       string // hash of the limited subject; charges made together are ordered by key
	Interval  int64  // emission interval
	Tolerance int64  // of a burst, no less than Interval
}

// Debt is the result of a charge.
type Debt struct {
	Counted bool
	Ahead   int64 // microseconds until the theoretical arrival time
}
