package club

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"quatuor/engine/sentence"
	"quatuor/tournament/wording"
)

// Errors of a deletion.
var (
	ErrErasePlaying = errors.New("the player is in a game that is not over; it has to be played to its end, resigned or " +
		"declined first")
	ErrEraseEntered = errors.New("the player sits at a board of a running tournament, or is in a team there; enter the " +
		"result, or withdraw the team, first")
	// These two address the person that is to be deleted.
	ErrEraseYouPlay = errors.New("you are in a game that is not over; play it to its end, resign, or decline the " +
		"invitation first")
	ErrEraseYouEntered = errors.New("you sit at a board of a running tournament, or are in a team there; play, or have " +
		"the result entered, or withdraw the team, first")
)

// ToOwner returns the error of a deletion in the words for the person that is to be deleted.
func ToOwner(err error) error {
	switch {
	case errors.Is(err, ErrErasePlaying):
		return ErrEraseYouPlay
	case errors.Is(err, ErrEraseEntered):
		return ErrEraseYouEntered
	}
	return err
}

// Erasure is the deletion of a person: of the player with its account, or of an account without player.
type Erasure struct {
	Player, Account string // ids; one of them may be ""
	At              int64  // ms UTC
}

// Erased is the result of a deletion.
type Erased struct {
	Number          int64  // of the person
	Player, Account string // ids, "" for none
	Tournaments     []string
}

// FirstGone is the number of the first person to be deleted in an installation.
const FirstGone = 1001

// GoneName returns the substitute for the name of a deleted person. Pages show it in the reader's language.
func GoneName(number int64) string { return gonePrefix + strconv.FormatInt(number, 10) }

const gonePrefix = "player "

// LeftLadder is the reason for aborting a game that a deleted player had still to begin.
var LeftLadder = sentence.Fixed("a player has left the ladder")

// ErrReserved refuses the name of a person or a team that pages could not distinguish from a deleted person's.
var ErrReserved = sentence.Errorf("names such as “player 1001” stand for deleted persons; write another name")

// reserved matches what pages show for deleted persons in any language, with any width of its characters.
var reserved = regexp.MustCompile(`(?i)\b(?:player|joueur|spieler)\s+([1-9][0-9]{3,})\b`)

// CleanName returns the name of a person or a team in normal form, of at most maxLength characters. The error names the
// fault; it is ErrReserved as [CheckName] finds it.
func CleanName(name string, maxLength int) (string, error) {
	cleaned, err := wording.Line.Clean(name, maxLength)
	if err == nil {
		err = CheckName(cleaned)
	}
	return cleaned, err
}

// CheckName returns ErrReserved for the name of a person or a team that contains what pages show for deleted persons.
func CheckName(name string) error {
	for _, found := range reserved.FindAllStringSubmatch(wording.Compatible(name), -1) {
		number, err := strconv.ParseInt(found[1], 10, 64)
		if err != nil || number >= FirstGone {
			return ErrReserved
		}
	}
	return nil
}

// GoneNumber returns the number in a name that GoneName has made; false for other names.
func GoneNumber(name string) (int64, bool) {
	text, is := strings.CutPrefix(name, gonePrefix)
	number, err := strconv.ParseInt(text, 10, 64)
	return number, is && err == nil && number >= FirstGone && GoneName(number) == name
}
