# Completion of arenaproof in bash: its commands, their options and the words that these take, all from its own help texts.

_arenaproof_help() { "${COMP_WORDS[0]}" "$@" --help 2>/dev/null; }

# "--layout" -> the words of its "{faithful,dilated,both}".
_arenaproof_words_of() { # HELP OPTION
  sed -n "s/^ *$2 [^{]*{\([^}]*\)}.*/\1/p" <<<"$1" | tr ',' ' '
}

_arenaproof() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD - 1]}" help option=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_arenaproof_help | sed -n '/^Subcommands/,$s/^  \([a-z]\+\) .*/\1/p') --help --version" -- "$word")
    return
  fi
  help="$(_arenaproof_help "${COMP_WORDS[1]}")"
  # Bash makes a word of its own of "=".
  if [[ "$word" == "=" ]]; then
    option="$before" word=""
  elif [[ "$before" == "=" ]]; then
    option="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if [[ -n "$option" ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(_arenaproof_words_of "$help" "$option")" -- "$word")
    ((${#COMPREPLY[@]} > 0)) || mapfile -t COMPREPLY < <(compgen -f -- "$word")
  elif [[ "$word" == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(sed -n 's/^  \(-[^ ]*\).*/\1/p' <<<"$help" | tr ',' ' ')" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}

complete -o filenames -F _arenaproof arenaproof
