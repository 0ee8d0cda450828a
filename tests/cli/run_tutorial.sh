#!/usr/bin/env bash
# run_tutorial.sh TRAMMEL_BINARY MARKDOWN_FILE: does what a tutorial tells its reader to do, in an empty folder, and fails
# where something else happens.
#
# A ```yaml block becomes the file that the nearest line above it names ("Save this as NAME.yaml", or "Save it as"). Every line
# of a ```sh block is a command that begins with "trammel "; it must end with exit code 0, or with N where the line ends
# with "# exit N". Blocks count in the order in which they stand.
set -euo pipefail

die() {
  printf 'run_tutorial: %s\n' "$*" >&2
  exit 1
}

[[ $# -eq 2 ]] || die "usage: run_tutorial.sh TRAMMEL_BINARY MARKDOWN_FILE"
binary=$(realpath "$1")
markdown=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir bin
ln -s "$binary" bin/trammel
PATH=$work/bin:$PATH

run_command() {
  local expected=0 code=0
  [[ $1 =~ \#\ exit\ ([0-9]+)$ ]] && expected=${BASH_REMATCH[1]}
  [[ $1 == "trammel "* ]] || die "found the command '$1'; allowed: one that begins with 'trammel '"
  printf '%s\n' "$1"
  timeout 120 bash -c "$1" >bin/output 2>&1 || code=$?
  [[ $code -eq $expected ]] && return
  cat bin/output
  die "'$1' ended with exit code $code, not $expected"
}

block='' file='' files=0 commands=0
while IFS= read -r line || [[ -n $line ]]; do
  if [[ -z $block ]]; then
    [[ $line =~ Save\ (this|it)\ as\ \`?([A-Za-z0-9._-]+\.yaml) ]] && file=${BASH_REMATCH[2]}
    if [[ $line == '```yaml' ]]; then
      [[ -n $file ]] || die "found a yaml block before any line 'Save this as NAME.yaml'"
      block=yaml files=$((files + 1))
      : >"$file"
    elif [[ $line == '```sh' ]]; then
      block='sh'
    elif [[ $line == '```'* ]]; then
      block=other
    fi
  elif [[ $line == '```' ]]; then
    block=''
  elif [[ $block == yaml ]]; then
    printf '%s\n' "$line" >>"$file"
  elif [[ $block == sh && -n $line ]]; then
    run_command "$line"
    commands=$((commands + 1))
  fi
done <"$markdown"
printf 'run_tutorial: %d files written, %d commands run as told\n' "$files" "$commands"
