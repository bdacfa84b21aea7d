# What go generate changes in gen.go.

# Each request has a receiver of its own, which knows when the request arrived: operations get only a context.
/ssi +StrictServerInterface/s/StrictServerInterface/func(echo.Context) StrictServerInterface/
s/sh[.]ssi[.]/sh.ssi(ctx)./

# An answer is its body or a response of several operations, and not a type around it.
s/^type (\w+[0-9]JSONResponse) struct\{ (\w+) \}$/type \1 = \2/
/^type \w+[0-9]JSONResponse struct \{$/{
N
/\n\t\w+$/N
s/^type (\w+) struct \{\n\t(\w+)\n\}$/type \1 = \2/
}
/ Game$/!s/^type (\w+[0-9]JSONResponse) ([A-Z]\w+)$/type \1 = \2/

/^type \w+204Response struct \{$/{
N
s/^type (\w+) struct \{\n\}$/type \1 = Executed/
}

# A game answers all operations that return one, and a file those that return one.
s/Visit((Abort|Accept|Adjudicate|Berserk|Create|Decline|Draw|Forfeit|Get)Game)Response/VisitGame/
s/Visit((Pause|Rematch|Resign|Resume|Start)Game|ChangeClock|GetRematch|LeaveSeat)Response/VisitGame/
s/Visit(OfferTakeback|PlayMove|SendNonce|SitDown|TakeBackMoves)Response/VisitGame/
s/Visit(Export(LeagueSeason|Ladder|Players|Ranking|RatingHistory|Season|Series|Tournaments?))Response/VisitFile/
s/VisitGet(Board|Game)RecordResponse/VisitFile/

# Headers are of two kinds.
/^type \w+ResponseHeaders struct \{$/{
N
N
s/^type (\w+) struct \{\n\tETag string\n\}$/type \1 = Tagged/
s/^type (\w+) struct \{\n\tLink \*string\n\}$/type \1 = Linked/
}

# Short names of what an operation takes and answers.
s/RequestObject\>/In/g
s/ResponseObject\>/Out/g
s/JSONResponse\>/JSON/g
s/ResponseHeaders\>/Headers/g
