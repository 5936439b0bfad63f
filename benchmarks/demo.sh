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

step "1. Make a table of $ROWS fictitious patients"
run sample patients --rows "$ROWS" --seed 1 --out patients.csv

step "2. Look at every column and draft a policy"
run inspect patients.csv --draft policy.toml --yes-to-suggestions

step "3. Publish: search the best release, write it, verify the written file"
run anonymize patients.csv --policy policy.toml --out release.csv --crosswalk crosswalk.csv --owner owner.json

step "4. Verify again, as everybody can who has the release and the policy"
run verify release.csv --policy policy.toml

step "5. Attack both with the register of the towns: how many patients does somebody find?"
run sample register --rows "$ROWS" --seed 1 --out register.csv
printf 'The original table:\n'
run attack patients.csv --policy policy.toml --register register.csv --seed 1
printf 'The release. The owner checks each guess; if one in five can be right, the exit code is 1:\n'
run attack release.csv --policy policy.toml --register register.csv \
  --original patients.csv --crosswalk crosswalk.csv --seed 1 --require "upper<0.2"

step "6. The same two patients before and after, found with the owner's crosswalk"
"$BIN/python" "$HERE/demo_records.py" .

step "In short"
"$BIN/python" "$HERE/demo_summary.py" .
