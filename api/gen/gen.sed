# What go generate changes in gen.go.

# Each request has a receiver of its own, which knows when the request arrived: operations get only a context.
/ssi +StrictServerInterface/s/StrictServerInterface/func(echo.Context) StrictServerInterface/
s/sh[.]ssi[.]/sh.ssi(ctx)./

# Short names of what an operation takes and answers.
s/RequestObject\>/In/g
s/ResponseObject\>/Out/g
s/JSONResponse\>/JSON/g
s/ResponseHeaders\>/Headers/g
