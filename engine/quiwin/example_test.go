package quiwin_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"quatuor/engine"
	"quatuor/engine/quiwin"
)

// What the two seats and a spectator see of the first round.
func ExampleView() {
	rules := quiwin.Variants()[0]
	setup, err := engine.NewSetup(rules.Info(), 2, strings.Repeat("00", 32), nil)
	if err != nil {
		panic(err)
	}
	var log []engine.Event
	for _, token := range []string{"1:o23", "2:b24", "2:none"} {
		e, err := engine.ParseToken(rules.Info(), 2, token)
		if err != nil {
			panic(err)
		}
		log = append(log, e)
	}
	m, err := engine.Replay(rules, setup, log)
	if err != nil {
		panic(err)
	}
	for _, viewer := range []engine.Viewer{engine.ViewerOf(1), engine.ViewerOf(2), {}} {
		p := m.Project(viewer)
		rows, err := json.Marshal(p.View.(quiwin.View).Seats)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(rows))
		for _, e := range p.Events {
			fmt.Print(e.Token(true), " ")
		}
		fmt.Println(p.Legal)
	}
	// Output:
	// [{"seat":1,"row":["o23"],"hand_count":7,"hand":["b24","g22","g22","g22","o25","r23","r24"],"has_chosen":false},{"seat":2,"row":["b24"],"hand_count":7,"has_chosen":true}]
	// 1:o23 2:b24 2: map[1:[change none transfer]]
	// [{"seat":1,"row":["o?"],"hand_count":7,"has_chosen":false},{"seat":2,"row":["b24"],"hand_count":7,"hand":["b24","g22","o25","o25","r23","y23","y23"],"has_chosen":true,"choice":"none"}]
	// 1:o? 2:b24 2:none map[]
	// [{"seat":1,"row":["o?"],"hand_count":7,"has_chosen":false},{"seat":2,"row":["b24"],"hand_count":7,"has_chosen":true}]
	// 1:o? 2:b24 2: map[]
}
