package apitest

import (
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine/chance"
)

// BoardOne returns the game on the first board of a round, and the players at its seats.
func BoardOne(t *testing.T, round *Answer, players ...Person) (string, []Person) {
	t.Helper()
	id := round.Text("pairings", 0, "game_id")
	g := players[0].Get("/games/"+id).Want(t, http.StatusOK)
	seated := make([]Person, len(g.List("seats")))
	for i := range seated {
		for _, p := range players {
			if p.Player == g.Text("seats", i, "player", "id") {
				seated[i] = p
			}
		}
	}
	return id, seated
}

// Because returns the body of an act with its reason, and more fields as names and values in turn.
func Because(reason string, more ...any) map[string]any {
	body := map[string]any{"reason": reason}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return body
}

// Duel starts a casual game between two people.
func Duel(t testing.TB, one, two Person, variant, control string) *Answer {
	t.Helper()
	return one.Post("/games", map[string]any{
		"variant": variant, "time_control": control, "rated": true, "start": "now",
		"seats": []any{map[string]any{"player_id": one.Player}, map[string]any{"player_id": two.Player}},
	}).Want(t, http.StatusCreated)
}

// Move returns the body of a move.
func Move(seat int, turn float64, token string) map[string]any {
	return map[string]any{"seat": seat, "turn": turn, "move": token}
}

// Play makes a seat's move for the turn of the same number.
func Play(t *testing.T, game string, p Person, seat int, token string) {
	t.Helper()
	p.Post("/games/"+game+"/moves", Move(seat, float64(seat), token)).Want(t, http.StatusOK)
}

// PlayToTheEnd makes random legal moves until the game is over.
func PlayToTheEnd(t *testing.T, id string, players ...Person) {
	t.Helper()
	chance := rand.New(rand.NewPCG(3, uint64(len(id))))
	for {
		for i, p := range players {
			g := p.Get("/games/"+id).Want(t, http.StatusOK)
			if g.Text("status") != "running" {
				return
			}
			legal := g.List("legal", strconv.Itoa(i+1))
			if len(legal) == 0 {
				continue
			}
			token := legal[chance.IntN(len(legal))].(string)
			p.Post("/games/"+id+"/moves", Move(i+1, g.Number("turn"), token)).Want(t, http.StatusOK)
		}
	}
}

// Reserved opens an account with a player that must accept each game.
func (s *Service) Reserved(login string) Person {
	s.T.Helper()
	p := s.Register(login)
	p.Send(http.MethodPatch, "/me", map[string]any{"open_to_challenges": false}).Want(s.T, http.StatusOK)
	return p
}

// GameOf is the body of a request for a game between some players.
func GameOf(variant string, players ...string) map[string]any {
	seats := make([]any, len(players))
	for i, id := range players {
		seats[i] = map[string]any{"player_id": id}
	}
	return map[string]any{"variant": variant, "time_control": "300+3", "rated": true, "start": "now", "seats": seats}
}

// With sets a field of a body, and returns the body.
func With(body map[string]any, key string, value any) map[string]any {
	body[key] = value
	return body
}

// Kinds returns the kinds of the events of a game, joined by spaces.
func (a *Answer) Kinds() string {
	var kinds []string
	for i := range a.List("events") {
		kinds = append(kinds, a.Text("events", i, "kind"))
	}
	return strings.Join(kinds, " ")
}

// PooledGame opens a game of Qui'win with a seed from all seats.
func PooledGame(t *testing.T, one, two Person) *Answer {
	t.Helper()
	return one.Post("/games", map[string]any{
		"variant": "quiwin/duel", "time_control": "300", "nonces": true,
		"seats": []any{map[string]any{"player_id": one.Player}, map[string]any{"player_id": two.Player}},
	}).Want(t, http.StatusCreated)
}

// Commitment returns the body for a seat's commitment to a nonce.
func Commitment(seat int, n chance.Nonce) map[string]any {
	return map[string]any{"seat": seat, "commitment": n.Commitment()}
}

// Nonce returns the body for revealing a seat's nonce.
func Nonce(seat int, n chance.Nonce) map[string]any {
	return map[string]any{"seat": seat, "nonce": hex.EncodeToString(n[:])}
}

// RatedGame plays a rated game and returns its id and the list that it counts in.
func RatedGame(t *testing.T, s *Service, ada, bob Person) (id, list string) {
	t.Helper()
	id = Duel(t, ada, bob, "quixo/duel", "300+3").Text("id")
	PlayToTheEnd(t, id, ada, bob)
	list = s.Anonymous().Get("/games/"+id+"/rating-changes").Want(t, http.StatusOK).Text("items", 0, "list")
	if list == "" {
		t.Fatal("the game was not rated")
	}
	return id, list
}

// LegalMoves returns a legal move of the person in a game.
func (p Person) LegalMoves(id string) string {
	game := p.Get("/games/"+id).Want(p.Service.T, http.StatusOK)
	for _, moves := range game.At("legal").(map[string]any) {
		return moves.([]any)[0].(string)
	}
	return ""
}

// FriendlyGame starts a game between two people, with more fields of its request as JSON, and returns its id.
func FriendlyGame(t *testing.T, one, two Person, more string) string {
	t.Helper()
	return one.Post("/games",
		`{"variant":"quixo/duel","time_control":"300+3","start":"now","seats":[{"player_id":"`+one.Player+
			`"},{"player_id":"`+two.Player+`"}]`+more+`}`).Want(t, http.StatusCreated).Text("id")
}
