package apitest

// GoodBodies are bodies that an operation takes.
func GoodBodies(entry, player string) map[string][]string {
	return map[string][]string{
		"updateTournament": {`{"name":"Other"}`, `{"variant":"none"}`, `{"format":"knockout"}`},
		"setArbiters":      {`{"logins":["ada"]}`, `{"logins":["nobody"]}`},
		"createEntry": {
			`{"player_id":"` + player + `"}`, `{"player_id":"nobody"}`,
			`{"name":"N","members":["` + player + `"]}`, `{"name":"N"}`,
		},
		"updateEntry": {`{"name":"Other"}`, `{"members":["` + player + `"]}`, `{"members":["nobody"]}`},
		"setByes":     {`{"items":[]}`, `{"items":[{"round":2,"bye":"HPB"}]}`, `{"items":[{"round":2,"bye":"FPB"}]}`},
		"setForbiddenPairs": {
			`{"items":[]}`, `{"items":[{"entries":["` + entry + `","other"]}]}`,
		},
		"setBonuses":  {`{"items":[]}`, `{"items":[{"entry_id":"` + entry + `","mp":-1,"reason":"late"}]}`},
		"createRound": {`{"publish":false}`},
		"editRound": {
			`{"edits":[{"kind":"reseat","board":1}]}`,
			`{"edits":[{"kind":"reseat","board":1}],"dry_run":true}`, `{"edits":[{"kind":"unpair","board":99}]}`,
		},
		"setResult":        {`{"result":"1-0"}`, `{"ranks":[1,3]}`, `{"adjourned":true,"reason":"later"}`},
		"setResults":       {`{"results":[{"board":1,"result":"1-0"}]}`},
		"publishRound":     {`{"start_in_ms":60000,"together":true}`},
		"setVenue":         {`{"venue":"hall"}`, `{"venue":"server","reason":"no board is free"}`},
		"playAgain":        {`{"reason":"it was void"}`},
		"reopenLineUps":    {`{"minutes":5}`},
		"proposeMatchDate": {`{"at":"2027-01-01T18:00:00Z"}`, `{}`},
		"setMatchDate":     {`{"at":"2027-01-01T18:00:00Z"}`, `{"last_day":"2027-01-01T18:00:00Z"}`},
		"setLineUp":        {`{"players":["` + player + `"]}`},
		"setMatchBoard": {
			`{"result":"1-0"}`,
			`{"substitute":{"entry_id":"` + entry + `","player_id":"` + player + `"}}`,
		},
		"replaceResultCodes": {`{"revoke":true}`, `{"board":1,"revoke":false}`},
		"answerCall":         {`{"status":"seen"}`},
		"undoAct":            {`{"act":1}`, `{"act":7}`},
		"setPrizes":          {`{"categories":[]}`, `{"categories":[{"name":"First","prizes":[{"amount":-1}]}]}`},
		"openCheckIn":        {`{"anew":true}`},
		"setBoardRecord":     {"[Variant \"quixo/duel\"]\n[Result \"1,2\"]\n\n1,2\n"},
	}
}
