#!/bin/sh
# Prints the licence of quatuor, and those of Go and of every module that is linked into the given programs.
set -eu

section() { # NAME FILE…
  printf '\n\n=== %s\n\n' "$1"
  shift
  cat "$@"
}

cat LICENSE
section "Go, $(go env GOVERSION)" "$(go env GOROOT)/LICENSE"
section "Swagger UI" api/docs/swagger-ui.LICENSE.txt api/docs/swagger-ui-bundle.js.LICENSE.txt
go version -m "$@" | awk '$1 == "dep" { print $2 "@" $3 }' | sort -u | while read -r module; do
  folder=$(go mod download -json "$module" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  files=$(find "$folder" -maxdepth 1 -type f \( -iname 'licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) | LC_ALL=C sort)
  [ -n "$files" ] || { echo "no licence was found in $module" >&2; exit 1; }
  # shellcheck disable=SC2086 # one word a file: the module cache has no spaces in its names
  section "$module" $files
done
