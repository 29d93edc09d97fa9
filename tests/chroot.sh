#!/bin/sh
# Prove that a bare Debian 12 can build and run this tree: make one with nothing but essential packages and apt, copy the
# tree into it, and let ./dev do the rest. Root, mmdebstrap, a Debian mirror and several minutes.
#
#   tests/chroot.sh [VERB ARGS...]      what ./dev shall do there, default: run scenarios/article.json
#
# The mirror is the host's (apt's configuration, /etc/hosts and resolv.conf are copied). Everything is removed at the end.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
[ "$#" -gt 0 ] || set -- run scenarios/article.json
[ "$(id -u)" -eq 0 ] || { echo "chroot.sh: must run as root" >&2; exit 1; }
command -v mmdebstrap >/dev/null || { echo "chroot.sh: needs mmdebstrap (apt-get install mmdebstrap)" >&2; exit 1; }

work=$(mktemp -d /tmp/fairlane-chroot.XXXXXX)
trap 'rm -rf --one-file-system -- "$work"' EXIT
bare=$work/bare

sources=
for file in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
    [ -s "$file" ] && sources=$file && break
done
[ -n "$sources" ] || { echo "chroot.sh: no apt sources to copy" >&2; exit 1; }
mmdebstrap --variant=minbase --include=ca-certificates bookworm "$bare" "$sources"
for file in /etc/hosts /etc/resolv.conf /etc/apt/apt.conf.d/*; do
    [ -f "$file" ] && install -D -m 644 -- "$file" "$bare$file"
done
rm -rf -- "$bare"/var/lib/apt/lists/*

# A folder with a space in its name, and another one to call from: neither may matter. Untracked files come along.
mkdir -- "$bare/srv/the tree" "$bare/srv/elsewhere"
(cd -- "$root" && git ls-files -z -co --exclude-standard | tar --null -T - --ignore-failed-read -cf -) |
    tar -C "$bare/srv/the tree" -xf -

# Run script $1 inside with the rest as arguments $2...; the mounts vanish with their namespace. Sanitizers need /proc,
# Criterion shared memory, tests of terminals /dev/pts.
inside() {
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount sh -c '
        mount -t proc proc "$1/proc"
        mkdir -p "$1/dev/shm" "$1/dev/pts"
        mount -t tmpfs tmpfs "$1/dev/shm"
        mount -t devpts devpts "$1/dev/pts"
        exec chroot "$@"' sh \
        "$bare" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh -c "$1" sh "$@"
}

for tool in cc meson ninja pkg-config; do
    # shellcheck disable=SC2016 # expanded inside
    ! inside 'command -v "$2"' "$tool" || { echo "chroot.sh: not bare: $tool is there" >&2; exit 1; }
done
status=0
# shellcheck disable=SC2016
inside 'shift; cd "/srv/the tree" && ./dev "$@"' "$@" || status=$?
case $status in
0 | 98 | 99) ;; # verdicts on SLOs are not this script's matter
*) exit "$status" ;;
esac
# The second time there is nothing to install or build: no word on standard error from dev, called from elsewhere.
# shellcheck disable=SC2016
inside 'cd /srv/elsewhere && "../the tree/dev" --help 2>&1 >/dev/null | { ! grep "^dev:"; }'
echo "chroot.sh: a bare Debian 12 did: ./dev $*"
