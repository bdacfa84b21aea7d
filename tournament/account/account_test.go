package account_test

import (
	"encoding/json"
	"slices"
	"testing"

	"quatuor/tournament/account"
)

// TestMailChoices lists what owners can turn off: never what they, an admin or the installation asked for.
func TestMailChoices(t *testing.T) {
	choices := account.MailChoices()
	for _, kind := range []account.MailKind{
		account.MailReset, account.MailInvited, account.MailRound, account.MailTurn, account.MailDate, account.MailMatch,
	} {
		if !slices.Contains(choices, kind) {
			t.Errorf("mail about %q cannot be turned off", kind)
		}
	}
	for _, kind := range []account.MailKind{
		account.MailConfirm, account.MailTest, account.MailForgotten, account.MailHook,
	} {
		if slices.Contains(choices, kind) {
			t.Errorf("mail about %q can be turned off", kind)
		}
	}
	choices[0] = "changed"
	if account.MailChoices()[0] == "changed" {
		t.Error("a caller has changed the choices of all others")
	}
}

// TestStoredMail reads the facts of mail as they are stored: each kind stores its own alone, under names that stay.
func TestStoredMail(t *testing.T) {
	for _, tt := range []struct {
		name string
		data account.MailData
		want string
	}{
		{"nothing", account.MailData{}, `{}`},
		{"a forgotten password", account.MailData{Typed: "ann"}, `{"Typed":"ann"}`},
		{
			"a round",
			account.MailData{Tournament: "t", Entry: "e", Round: 2, Opponents: []string{"x", "y"}},
			`{"Tournament":"t","Entry":"e","Round":2,"Opponents":["x","y"]}`,
		},
		{
			"a turn",
			account.MailData{Game: "g", Variant: "quixo/duel", Turn: 7, Others: []string{"bob"}, Deadline: 9},
			`{"Game":"g","Variant":"quixo/duel","Turn":7,"Others":["bob"],"Deadline":9}`,
		},
		{"a webhook", account.MailData{Hook: "scores"}, `{"Hook":"scores"}`},
	} {
		if got, err := json.Marshal(tt.data); err != nil || string(got) != tt.want {
			t.Errorf("%s is stored as %s (%v), want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestReplyStates names each state in error messages, no two alike.
func TestReplyStates(t *testing.T) {
	names := map[string]account.ReplyState{}
	for state := account.ReplyFresh; state <= account.ReplyErased; state++ {
		name := state.String()
		if other, taken := names[name]; taken || name == "unknown" {
			t.Errorf("state %d is called %q, and so is state %d", state, name, other)
		}
		names[name] = state
	}
	if name := (account.ReplyErased + 1).String(); name != "unknown" {
		t.Errorf("a state that does not exist is called %q", name)
	}
}
