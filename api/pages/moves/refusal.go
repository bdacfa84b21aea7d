package moves

import (
	"errors"
	"net/http"

	"quatuor/api/pages/message"
	"quatuor/api/problem"
	"quatuor/engine"
)

// Refusal returns the reason why an act was refused, in the reader's language if it is translated.
func Refusal(in *message.Printer, err error) (why string, known bool) {
	if err == nil {
		return "", false
	}
	if why = in.TextOr("", "play.fault."+problem.RefusalOf(err).Name); why != "" {
		return why, true
	}
	if illegal := (*engine.MoveError)(nil); errors.As(err, &illegal) {
		return in.TextOr("", "play.refused", "Why", in.Told(illegal.Sentence())), true
	}
	status, said := problem.MessageOf(err)
	if status != http.StatusConflict && status != http.StatusUnprocessableEntity {
		return "", false
	}
	return in.TextOr("", "play.refused_other", "Why", in.Told(said)), true
}
