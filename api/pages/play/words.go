package play

import (
	"quatuor/api/pages/kit"
	"quatuor/api/pages/message"
)

// seatNames joins the names of the seated players.
func seatNames(in *message.Printer, seats []SeatBody) (string, error) {
	names := make([]string, len(seats))
	for i, seat := range seats {
		if names[i] = seat.Who.Name; seat.Who.ID == "" {
			names[i] = in.Seat(seat.Variant, seat.Seat, seat.Of)
		}
	}
	return kit.Enumerate(in, names)
}
