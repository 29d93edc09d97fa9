#!/bin/sh
# Run a scenario on two threads, and a study of it on three: meant for a build under ThreadSanitizer, which ends the program at a data race.
#   threads.sh FAIRLANE SCENARIO
set -eu
out=$(mktemp -d)
trap 'rm -rf -- "$out"' EXIT
status=0
"$1" run "$2" --jobs 2 --out "$out/result" || status=$?
# The same scenario in a study, whose units go to a database.
cat >"$out/study.json" <<END
{ "version": 1, "name": "threads", "scenario": "$2", "repeat": 3, "vary": { "workers": [2, 4, 6] } }
END
[ "$status" -ne 0 ] && [ "$status" -lt 98 ] || "$1" sweep "$out/study.json" --jobs 3 --out "$out/study" || status=$?
case $status in
0 | 98 | 99) exit 0 ;; # verdicts on SLOs are not this test's matter
*) exit "$status" ;;
esac
