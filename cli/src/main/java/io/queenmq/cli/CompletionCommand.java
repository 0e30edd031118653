package io.queenmq.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen completion}: prints a completion script for a shell. */
@Command(name = "completion", description = {
    "Print a completion script for a shell. It completes commands, options, and the names of queues and groups.",
    "bash: source <(queen completion bash)", "zsh:  source <(queen completion zsh)",
    "fish: queen completion fish | source"})
final class CompletionCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private ShellName shell;

    enum ShellName {
        BASH("""
                _queen() {
                    local IFS=$'\\n'
                    COMPREPLY=($(queen __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
                }
                complete -o default -F _queen queen
                """),
        ZSH("""
                #compdef queen
                _queen() {
                    local -a candidates
                    candidates=("${(@f)$(queen __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                    compadd -a candidates
                }
                compdef _queen queen
                """),
        FISH("""
                function __queen_complete
                    set -l words (commandline -opc)
                    set -e words[1]
                    queen __complete -- $words (commandline -ct) 2>/dev/null
                end
                complete -c queen -f -a '(__queen_complete)'
                """);

        private final String script;

        ShellName(String script) {
            this.script = script;
        }
    }

    @Override
    public void run() {
        root.output().text(List.of(shell.script.stripTrailing()));
    }
}
