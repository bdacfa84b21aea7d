# One file: the static program. Beside it only the certificates that a database's identity is checked against.
#
#   docker build -t quatuor --build-arg VERSION=$(git describe --tags --always) --build-arg COMMIT=$(git rev-parse HEAD) .
#   docker run -p 8080:8080 -v quatuor:/data quatuor

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY Makefile ./
COPY api api
COPY cmd cmd
COPY engine engine
COPY rating rating
COPY store store
COPY tournament tournament
ARG VERSION
ARG COMMIT
RUN make static OUT=/out/quatuor VERSION="$VERSION" COMMIT="$COMMIT" && mkdir /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build --chown=65532:65532 /out/data /data
COPY --from=build /out/quatuor /quatuor
ENV QUATUOR_DATA=/data QUATUOR_LISTEN=:8080
USER 65532:65532
VOLUME /data
WORKDIR /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=4s --start-period=90s CMD ["/quatuor", "ready"]
ENTRYPOINT ["/quatuor"]
CMD ["serve"]
