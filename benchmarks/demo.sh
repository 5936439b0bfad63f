#!/bin/sh
# The main job, end to end, on made-up patients: make, inspect, anonymize, verify, attack.
# BIN is the folder of the commands, DIR the folder for the files.
set -eu

BIN=${BIN:-.venv/bin}
DIR=${DIR:-demo}
ROWS=${ROWS:-20000}

case $BIN in
  /*) ;;
  *) BIN=$(pwd)/$BIN ;;
esac
HERE=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$DIR"
cd "$DIR"
rm -f patients.csv policy.toml policy.*.csv release.csv release.csv.manifest.json crosswalk.csv owner.json register.csv

indistinct() {
  "$BIN/python" -m indistinct "$@"
}

step() {
  printf '\n== %s\n' "$1"
}

run() {
  printf '$ indistinct %s\n' "$*"
  indistinct "$@"
}

step "0. Compile the inner loops (some seconds the first time, then they are kept)"
started=$(date +%s)
if ! {
  indistinct sample patients --rows 500 --out warm.csv &&
    indistinct inspect warm.csv --draft warm.toml --yes-to-suggestions &&
    indistinct anonymize warm.csv --policy warm.toml --max-suppression 1 --out warm-release.csv &&
    indistinct sample register --rows 500 --out warm-register.csv &&
    indistinct attack warm.csv --policy warm.toml --register warm-register.csv
} >warm.log 2>&1; then
  cat warm.log >&2
  exit 1
fi
rm -f warm.log warm.csv warm.toml warm.*.csv warm-release.csv warm-release.csv.manifest.json warm-register.csv
printf '%s s\n' "$(($(date +%s) - started))"

step "1. Make a table of $ROWS patients. They are fictitious."
run sample patients --rows "$ROWS" --seed 1 --out patients.csv

step "2. Look at every column and draft a policy"
run inspect patients.csv --draft policy.toml --yes-to-suggestions

step "3. Publish: search the best release, write it, verify the written file"
run anonymize patients.csv --policy policy.toml --out release.csv --crosswalk crosswalk.csv --owner owner.json

step "4. Verify again, as anybody can who has the release and the policy"
run verify release.csv --policy policy.toml

step "5. Attack both: whom does somebody find who knows the towns' register?"
run sample register --rows "$ROWS" --seed 1 --out register.csv
printf 'the table as it is:\n'
run attack patients.csv --policy policy.toml --register register.csv --seed 1
printf 'the release, every guess checked by its owner; exit code 1 if one in five or more were right:\n'
run attack release.csv --policy policy.toml --register register.csv \
  --original patients.csv --crosswalk crosswalk.csv --seed 1 --require "upper<0.2"

step "6. A few records before and after"
printf 'before (patients.csv)\n'
head -n 3 patients.csv
printf 'after (release.csv)\n'
head -n 3 release.csv

step "In short"
"$BIN/python" "$HERE/demo_summary.py" .
