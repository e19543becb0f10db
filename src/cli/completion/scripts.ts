/**
 * The completion script of each shell. On the Tab key it calls `kyma-modules __complete`, which prints a line
 * `word<TAB>description` for each candidate, and a last line `:then`. If that fails, the script offers nothing and
 * prints nothing.
 *
 * The words are passed to the program unchanged, and are never evaluated.
 */
export const SCRIPTS: Readonly<Record<"bash" | "zsh" | "fish", string>> = {
  bash: `# bash completion of kyma-modules; bash 3.2 and newer, without the package bash-completion
_kyma_modules() {
  # bash breaks words at = : @ as well: a part that follows without a blank belongs to the word before it.
  local rest=\${COMP_LINE:0:COMP_POINT} words=() part trimmed i
  for ((i = 0; i <= COMP_CWORD; i++)); do
    part=\${COMP_WORDS[i]}
    trimmed=\${rest#"\${rest%%[![:space:]]*}"}
    if ((i == COMP_CWORD)); then part=$trimmed; fi
    if ((i == 0)) || [[ $trimmed != "$rest" ]]; then
      words+=("$part")
    else
      words[\${#words[@]} - 1]+=$part
    fi
    rest=\${trimmed#"$part"}
  done
  local program=\${words[0]} current=\${words[\${#words[@]} - 1]} cut= line then= IFS=$'\\n'
  [[ $program == */* ]] || program=kyma-modules
  # What bash takes for the word begins behind the last of them, or with it where it is a @.
  local breaks=\${COMP_WORDBREAKS//[^=:@]/}
  [[ -z $breaks ]] || cut=\${current%"\${current##*[$breaks]}"}
  cut=\${cut%@}
  COMPREPLY=()
  while read -r line; do
    case $line in
    :*) then=\${line#:} ;;
    *)
      line=\${line%%$'\\t'*}
      COMPREPLY+=("\${line#"$cut"}")
      ;;
    esac
  done < <("$program" __complete -- "\${words[@]:1}" 2>/dev/null </dev/null)
  case $then in
  nospace) compopt -o nospace 2>/dev/null ;;
  files) compopt -o filenames 2>/dev/null && COMPREPLY=($(compgen -f -- "\${current#"$cut"}")) ;;
  folders) compopt -o filenames 2>/dev/null && COMPREPLY=($(compgen -d -- "\${current#"$cut"}")) ;;
  esac
}
complete -F _kyma_modules kyma-modules`,
  zsh: `#compdef kyma-modules
# zsh completion of kyma-modules; needs compinit
_kyma_modules() {
  local program=kyma-modules line word then
  local -a lines candidates
  [[ $words[1] != */* ]] || program=\${(Q)words[1]}
  lines=("\${(@f)$("$program" __complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  then=\${lines[-1]#:}
  for line in "\${(@)lines[1,-2]}"; do
    word=\${line%%$'\\t'*}
    candidates+=("\${\${word//\\\\/\\\\\\\\}//:/\\\\:}:\${line#*$'\\t'}")
  done
  case $then in
    files) _files ;;
    folders) _files -/ ;;
    nospace) _describe -t words kyma-modules candidates -S '' ;;
    *) _describe -t words kyma-modules candidates ;;
  esac
}
if [[ $funcstack[1] == _kyma-modules ]]; then
  _kyma_modules "$@"
else
  compdef _kyma_modules kyma-modules
fi`,
  fish: `# fish completion of kyma-modules
function __kyma_modules
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l program kyma-modules
  string match -q '*/*' -- $words[1]; and set program $words[1]
  set -l lines ($program __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
  switch "$lines[-1]"
    case :files
      __fish_complete_path "$current"
    case :folders
      __fish_complete_directories "$current"
    case '*'
      test (count $lines) -gt 1; and printf '%s\\n' $lines[1..-2]
  end
end
complete -c kyma-modules -f -a '(__kyma_modules)'`,
};
