import { localCommand } from './command.ts';
import { COMPLETE } from './completion.ts';
import { oneOf } from './inputs.ts';

/**
 * Each asks the command itself what may come next: with the word that is being typed after a `=`,
 * so that it is never an empty argument, which some shells drop, and then the words before it.
 * Files are offered where the command knows nothing better.
 */
const SCRIPTS = {
  bash: `# Completion of gatehouse in bash.
_gatehouse() {
  local line letter quote= word= begun= at
  local typed=\${COMP_LINE:0:COMP_POINT}
  local -a words
  COMPREPLY=()
  # By blanks alone: bash ends a word at : and = as well, and then completes what is behind it.
  for (( at = 0; at < \${#typed}; at++ )); do
    letter=\${typed:at:1}
    if [[ $quote && $letter != "$quote" ]]; then word+=$letter
    elif [[ $quote ]]; then quote=
    elif [[ $letter == [\\"\\'] ]]; then quote=$letter begun=1
    elif [[ $letter == \\\\ ]]; then word+=\${typed:++at:1} begun=1
    elif [[ $letter != [[:blank:]] ]]; then word+=$letter begun=1
    elif [[ $begun ]]; then words+=("$word"); word= begun=
    fi
  done
  local kept= breaks=\${COMP_WORDBREAKS//[^:=]/}
  [[ $breaks && ! $quote ]] && kept=\${word%"\${word##*[$breaks]}"}
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    COMPREPLY+=("\${line#"$kept"}")
  done < <("\${words[0]}" ${COMPLETE} "=$word" "\${words[@]:1}" 2>/dev/null </dev/null)
}
complete -o default -F _gatehouse gatehouse
`,
  zsh: `#compdef gatehouse
# Completion of gatehouse in zsh.
_gatehouse() {
  local line
  local -a found
  while IFS= read -r line; do
    found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done < <("\${words[1]}" ${COMPLETE} "=\${words[CURRENT]}" \\
    "\${(@)words[2,CURRENT-1]}" 2>/dev/null </dev/null)
  if (( \${#found} )); then _describe gatehouse found; else _files; fi
}
if [ "\${funcstack[1]}" = _gatehouse ]; then
  _gatehouse "$@"
else
  compdef _gatehouse gatehouse
fi
`,
  fish: `# Completion of gatehouse in fish.
function __gatehouse_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found (command $words[1] ${COMPLETE} "=$current" $words[2..] 2>/dev/null </dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c gatehouse -f -k -a '(__gatehouse_complete)'
`,
  powershell: `# Completion of gatehouse in PowerShell.
Register-ArgumentCompleter -Native -CommandName gatehouse -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | ForEach-Object { "$_" })
  $before = @($words | Select-Object -Skip 1)
  if ($word -ne '' -and $before.Count -gt 0) {
    $before = @($before | Select-Object -SkipLast 1)
  }
  & $words[0] ${COMPLETE} "=$word" @before 2>$null | ForEach-Object {
    $value, $says = $_ -split "\`t", 2
    if (-not $says) { $says = $value }
    [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $says)
  }
}
`,
};

export const addCompletionCommand = localCommand('completion', {
  summary: 'print what a shell needs to complete commands',
  description: 'Prints a script that has a shell complete commands, flags, names of profiles and'
    + ' ids, which it asks the service for.',
  inputs: {
    shell: oneOf('<shell>', 'which shell', ['bash', 'zsh', 'fish', 'powershell']),
  },
  notes: `To have it always:
  bash        echo 'source <(gatehouse completion bash)' >> ~/.bashrc
  zsh         echo 'source <(gatehouse completion zsh)' >> ~/.zshrc   (after compinit)
  fish        gatehouse completion fish > ~/.config/fish/completions/gatehouse.fish
  powershell  gatehouse completion powershell >> $PROFILE`,
  example: 'source <(gatehouse completion bash)',
  run: async ({ terminal }, { shell }) => terminal.out(SCRIPTS[shell]),
});
