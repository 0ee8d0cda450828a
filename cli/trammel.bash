# Completion of trammel for bash: verbs, options and integrators as the program itself tells them, scenarios and robots by their
# endings.
_trammel() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} program=${COMP_WORDS[0]}
  local words='' files=''
  # bash takes KEY=VALUE for three words
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $current == = ]] && current=''
  if ((COMP_CWORD == 1)); then
    words=$("$program" --help 2>/dev/null | sed -nE '/^Subcommands:/,$ s/^  ([a-z]+) .*/\1/p')
  elif [[ $current == -* ]]; then
    words=$("$program" "$verb" --help 2>/dev/null | grep -oE -- '--[a-z-]+')
  elif [[ $previous == --figures ]]; then
    words='svg pdf png svg,pdf svg,pdf,png'
  elif [[ $previous == simulate.integrator ]]; then
    words=$("$program" words 2>/dev/null | sed -nE 's/^integrator ([^ ]+).*/\1/p')
  elif [[ $previous == --out ]]; then
    files=$(compgen -d -- "$current")
  elif [[ $verb == info ]]; then
    files=$(compgen -f -X '!*.urdf' -- "$current"; compgen -d -- "$current")
  else
    files=$(compgen -f -X '!*.yaml' -- "$current"; compgen -d -- "$current")
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"; [[ -n $files ]] && printf '%s\n' "$files")
}
complete -o filenames -F _trammel trammel
