package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"quatuor/api/command"
	"quatuor/tournament"
)

// versionTag is the ETag of something that counts its versions.
func versionTag(version int64) string { return `"v` + strconv.FormatInt(version, 10) + `"` }

// tournamentTag is the ETag of a tournament as the viewer sees it: staff have one that changes with every change, the
// public one that changes with what is public.
func tournamentTag(ctx context.Context, t *tournament.Tournament) string {
	if runs(ctx, t) {
		return versionTag(t.Version)
	}
	return publicTag(t)
}

// publicTag is the ETag of a tournament as the public sees it.
func publicTag(t *tournament.Tournament) string {
	return `"p` + strconv.FormatInt(t.PublicVersion, 10) + `"`
}

// contentTag is the ETag of something that does not: a digest of what it is made of.
func contentTag(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("rest: " + err.Error()) // plain structs always encode
	}
	sum := sha256.Sum256(text)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}

// checkTag compares an If-Match header with the tags that are good now: any of them, or "*", will do. Weak tags never
// match (RFC 9110, 13.1.1).
func checkTag(header *string, now ...string) error {
	if header == nil {
		return command.ErrTagMissing
	}
	for _, tag := range strings.Split(*header, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || slices.Contains(now, tag) {
			return nil
		}
	}
	return command.ErrTagStale
}
