# The steps of .ci/run that build what is published, and start each of it that can be started on Linux: packages where they
# are installed, the programs of other platforms under emulation. macOS has none.

dist=${QUATUOR_DIST:-$scratch/dist} # a release that is built already, such as the one that is to be published
built=v1.0.0-ci                     # its version
before=v0.0.0-0                     # that of the packages that it replaces

# step_compilers installs what make release needs.
step_compilers() {
  command -v x86_64-linux-gnu-gcc >/dev/null || apt_install gcc libc6-dev
  command -v aarch64-linux-gnu-gcc >/dev/null || apt_install gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  command -v x86_64-w64-mingw32-gcc >/dev/null || apt_install gcc-mingw-w64-x86-64
  command -v buildah >/dev/null || apt_install buildah
  [ -e /etc/ssl/certs/ca-certificates.crt ] || apt_install ca-certificates
}

# published builds a release, once for all steps.
published() {
  step_compilers
  [ -e "$dist/SHA256SUMS" ] || make --no-print-directory release DIST="$dist" VERSION="$built"
  dist=$(realpath "$dist")
  built=$("$dist/quatuor-linux-amd64" version | sed -n 's/^quatuor //p')
}

# step_release builds all that is published, and some of it again elsewhere, from nothing: it must be the same bytes.
step_release() {
  local again="$scratch/again" tree="$scratch/elsewhere/quatuor" name
  published
  (cd "$dist" && sha256sum --quiet -c SHA256SUMS)
  mkdir -p "$tree" "$again"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$tree"
  export SOURCE_DATE_EPOCH COMMIT
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) COMMIT=$(git rev-parse HEAD)
  GOCACHE="$scratch/cache" make -C "$tree" "$again/quatuor-linux-amd64" DIST="$again" VERSION="$built"
  cp "$dist/LICENSES.txt" "$again"
  make -C "$tree" "$again"/quatuor-linux-amd64.{deb,rpm} DIST="$again" VERSION="$built" PROGRAMS="$again/quatuor-linux-amd64"
  for name in quatuor-linux-amd64 quatuor-linux-amd64.deb quatuor-linux-amd64.rpm; do cmp "$dist/$name" "$again/$name"; done
  rm -rf "$scratch/cache"
  ls -l "$dist"
}

# play makes an account with the given command, serves with it, plays games over HTTP for two seconds, copies the database
# to BACKUP while it serves, and stops it. The data is the command's affair.
play() { # BACKUP COMMAND…
  local backup=$1 log="$scratch/serve.log" url='' server moves
  shift
  printf 'a good password' | "$@" admin create --login "ci$RANDOM" --password-stdin
  : >"$log"
  "$@" serve --listen 127.0.0.1:0 --registration open --rate-limit 0 >"$log" 2>&1 &
  server=$!
  for _ in $(seq 600); do
    url=$(sed -n 's/.* listening on //p' "$log" | tr -d '\r')
    [ -z "$url" ] && kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  [ -n "$url" ] || { cat "$log" >&2; echo "$* serve did not start" >&2; return 1; }
  # in an emulator, or on a busy machine, it takes a moment to look for games that were running
  node -e 'const { argv } = process; const ready = async () => (await fetch(`${argv[1]}/readyz`)).ok;
    (async () => { for (let n = 0; n < 600 && !(await ready()); n++) await new Promise((next) => setTimeout(next, 100)); })();' "$url"
  moves=$("$dist/quatuor-linux-amd64" bench --server "$url" --connections 2 --duration 2s --json | grep '"what":"moves"') && "$@" backup "$backup"
  kill "$(innermost "$server")"
  wait "$server" || "${may_be_killed:-false}" || { cat "$log" >&2; echo "$* serve did not end cleanly" >&2; return 1; }
  grep -Eq '"requests":[1-9].*"errors":0,' <<<"$moves" || { cat "$log" >&2; echo "no games were played: $moves" >&2; return 1; }
  echo "played: ${moves:0:120}"
}

# innermost returns the process that was started last below a process: the program below those that prepare its place. A
# child belongs to the thread that made it, which may be any of a program in Go.
innermost() { # PID
  local child=''
  read -r child _ < <(cat "/proc/$1/task/"*/children) || true
  if [ -n "$child" ]; then innermost "$child"; else echo "$1"; fi
}

# says fails unless a command prints a line.
says() { # LINE COMMAND…
  local line=$1 said
  shift
  said=$("$@" | tr -d '\r') || { echo "$*: $said" >&2; return 1; }
  grep -qxF -- "$line" <<<"$said" || { echo "$* does not print '$line': $said" >&2; return 1; }
}

# stage prints what a stranger has done, and how long that took since the stage before.
stage() { # WHAT
  local now
  now=$(date +%s%N)
  [ -z "${stage_began:-}" ] || printf 'after %5d ms: %s\n' $(((now - stage_began) / 1000000)) "$1"
  stage_began=$now
}

# step_deb is what a stranger does: installs the version before in a new Debian, plays, installs this version over it,
# plays on, restores the backup on another machine, removes and purges the package.
step_deb() {
  local root="$scratch/debian" old="$scratch/before" quatuor elsewhere
  published
  command -v debootstrap >/dev/null || apt_install debootstrap
  debootstrap --variant=minbase --include=man-db,bash-completion,fish,zsh bookworm "$root" >"$scratch/debootstrap.log" 2>&1 || { tail "$scratch/debootstrap.log" >&2; return 1; }
  mkdir -p "$old"
  make --no-print-directory "$old/quatuor-linux-amd64.deb" DIST="$old" VERSION="$before" PROGRAMS="$old/quatuor-linux-amd64"
  cp "$old/quatuor-linux-amd64.deb" "$root/before.deb"
  cp "$dist/quatuor-linux-amd64.deb" "$root/built.deb"

  stage ''
  chroot "$root" dpkg -i /before.deb
  stage "the version before is installed ($(stat -c %s "$old/quatuor-linux-amd64.deb") bytes)"
  says "quatuor $before" chroot "$root" quatuor version
  [ "$(stat -c '%a %U' "$root/etc/quatuor/quatuor.env")" = '600 root' ]
  install -d -m 700 -o "$(chroot "$root" id -u quatuor)" -g "$(chroot "$root" id -g quatuor)" "$root/var/lib/quatuor" # as systemd does
  quatuor=(env QUATUOR_DATA=/var/lib/quatuor chroot --userspec=quatuor:quatuor "$root" quatuor)
  play /var/lib/quatuor/before.backup "${quatuor[@]}"
  stage "an account made, games played for 2 s, a backup made, the service ended"

  echo QUATUOR_SITE=Club >>"$root/etc/quatuor/quatuor.env"
  chroot "$root" dpkg -i /built.deb
  stage "upgraded to the version that was built"
  says "quatuor $built" chroot "$root" quatuor version
  grep -q Club "$root/etc/quatuor/quatuor.env" # what the operator has changed stays
  play /var/lib/quatuor/built.backup "${quatuor[@]}"
  "${quatuor[@]}" check
  stage "played on after the upgrade, a backup made, all of it checked"
  elsewhere=(env QUATUOR_DATA="$scratch/another" "$dist/quatuor-linux-amd64")
  "${elsewhere[@]}" restore "$root/var/lib/quatuor/built.backup"
  stage "the backup restored on another machine"
  play "$scratch/another.backup" "${elsewhere[@]}"
  stage "played on there"
  chroot "$root" man --warnings quatuor 2>&1 >/dev/null | (! grep .)
  says --registration chroot "$root" bash -c '. /usr/share/bash-completion/completions/quatuor; COMP_WORDS=(quatuor serve --reg) COMP_CWORD=2; _quatuor; echo "${COMPREPLY[@]}"'
  chroot "$root" zsh -n /usr/share/zsh/vendor-completions/_quatuor
  chroot "$root" fish -c 'complete -C "quatuor selfp"' | grep '^selfplay'

  chroot "$root" dpkg --remove quatuor
  [[ ! -e "$root/usr/bin/quatuor" && -e "$root/etc/quatuor/quatuor.env" && -e "$root/var/lib/quatuor/built.backup" ]]
  chroot "$root" dpkg --purge quatuor
  [[ ! -e "$root/etc/quatuor" && -e "$root/var/lib/quatuor/built.backup" ]]
  dpkg-deb --info "$dist/quatuor-linux-arm64.deb" | grep 'Architecture: arm64'
}

# step_rpm installs the version before with rpm in a root of its own, this version over it, plays, and erases it.
step_rpm() {
  local root="$scratch/fedora" old="$scratch/before" rpm
  published
  command -v rpm >/dev/null || apt_install rpm
  command -v debootstrap >/dev/null || apt_install debootstrap
  mkdir -p "$old"
  make --no-print-directory "$old/quatuor-linux-amd64.rpm" DIST="$old" VERSION="$before" PROGRAMS="$old/quatuor-linux-amd64"
  # Debian's files under a database of RPM packages of its own: the scripts need a shell and useradd, whoever ships them.
  debootstrap --variant=minbase bookworm "$root" >"$scratch/debootstrap.log" 2>&1 || { tail "$scratch/debootstrap.log" >&2; return 1; }
  rpm=(rpm --root "$root" --nodeps)
  rpm --root "$root" --initdb
  "${rpm[@]}" -i "$old/quatuor-linux-amd64.rpm"
  says "quatuor $before" chroot "$root" quatuor version
  "${rpm[@]}" -U "$dist/quatuor-linux-amd64.rpm"
  says "quatuor $built" chroot "$root" quatuor version
  install -d -m 700 -o "$(chroot "$root" id -u quatuor)" "$root/var/lib/quatuor"
  play /var/lib/quatuor/backup env QUATUOR_DATA=/var/lib/quatuor chroot --userspec=quatuor:quatuor "$root" quatuor
  "${rpm[@]}" -V quatuor
  "${rpm[@]}" -e quatuor
  [[ ! -e "$root/usr/bin/quatuor" && -e "$root/var/lib/quatuor/backup" ]]
  says aarch64 rpm -qp --qf '%{ARCH}\n' "$dist/quatuor-linux-arm64.rpm"
}

# step_arm64 runs the program for 64-bit ARM in user-mode emulation: an evening, and games over HTTP.
step_arm64() {
  local quatuor
  published
  quatuor=(env QUATUOR_DATA="$scratch/arm64" qemu-aarch64-static "$dist/quatuor-linux-arm64")
  command -v qemu-aarch64-static >/dev/null || apt_install qemu-user-static
  says "quatuor $built" "${quatuor[@]}" version
  qemu-aarch64-static "$dist/quatuor-linux-arm64" demo --exit >"$scratch/demo.log" 2>&1 || { tail "$scratch/demo.log" >&2; return 1; }
  play "$scratch/arm64.backup" "${quatuor[@]}"
}

# step_windows starts the program for Windows under Wine: it plays, and makes a backup. Restoring
# one removes files in a way that Wine 8 does not know.
step_windows() {
  local dir="$scratch/windows" system32 quatuor
  published
  command -v wine >/dev/null || apt_install wine wine64
  mkdir -p "$dir"
  export WINEPREFIX="$dir/prefix" WINEDEBUG=-all
  timeout 300 wine wineboot --init >"$scratch/wine.log" 2>&1 || { cat "$scratch/wine.log" >&2; return 1; }
  system32="$WINEPREFIX/drive_c/windows/system32"
  if [ ! -e "$system32/bcryptprimitives.dll" ]; then # before Wine 9.0
    x86_64-w64-mingw32-gcc -shared -O2 -o "$system32/bcryptprimitives.dll" .ci/wine/bcryptprimitives.c -ladvapi32
  fi
  quatuor=(env QUATUOR_DATA="$dir/data" timeout 300 wine "$dist/quatuor-windows-amd64.exe")
  says "quatuor $built" "${quatuor[@]}" version
  may_be_killed=true play "$dir/backup" "${quatuor[@]}" # Wine passes no signal on
  "${quatuor[@]}" check
  wineserver --kill # it writes to its prefix, which is about to be removed
  wineserver --wait
}

# step_image starts the image: its program on its files, as its user. Nothing else of a container is needed for that.
step_image() {
  local containers=(buildah --root "$scratch/containers" --runroot "$scratch/containers/run" --storage-driver vfs) name
  published
  name=$("${containers[@]}" from "oci-archive:$dist/quatuor-image.tar")
  says "quatuor $built" "${containers[@]}" run --isolation chroot "$name" -- /quatuor version
  play /data/backup "${containers[@]}" run --isolation chroot "$name" -- /quatuor
  "${containers[@]}" run --isolation chroot "$name" -- /quatuor check
  "${containers[@]}" rm "$name"
}
