package message

import "testing"

func TestElision(t *testing.T) {
	french := Load().Match("fr")
	for name, want := range map[string]string{
		"Ada": "Page d’Ada", "Bert": "Page de Bert", "Émile": "Page d’Émile", "Hélène": "Page d’Hélène", "Hans": "Page de Hans",
		"Yves": "Page d’Yves", "Yann": "Page de Yann", "Œdipe": "Page d’Œdipe", "Ōe": "Page d’Ōe", "": "Page de ", "7": "Page de 7",
	} {
		if got, err := french.Text("card.page", "Name", name); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", name, got, want, err)
		}
	}
}

func TestPlacesAreFeminineInFrench(t *testing.T) {
	french := Load().Match("fr")
	for rank, want := range map[int]string{1: "1ʳᵉ place", 2: "2ᵉ place"} {
		text, err := french.Text("start.place", "Rank", rank, "Of", 3, "Points", "1", "Count", "1", "Round", 2)
		if err != nil || text != want+" sur 3 avec 1 point, ronde 2" {
			t.Errorf("%q, %v", text, err)
		}
	}
}
