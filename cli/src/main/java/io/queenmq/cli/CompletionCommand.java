package io.queenmq.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen completion}: prints a completion script for a shell. */
@Command(name = "completion", description = {"Print a completion script for a shell.",
    "bash: source <(queen completion bash)", "zsh:  source <(queen completion zsh)"})
final class CompletionCommand implements Runnable {
    @ParentCommand
    private QueenCommand root;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private ShellName shell;

    enum ShellName {
        BASH,
        ZSH
    }

    @Override
    public void run() {
        // Both shells use one script: in zsh it first enables the completion of bash.
        String script = AutoComplete.bash("queen", CommandTree.whole(new QueenCommand(root.shell())));
        root.output().text(List.of(script));
    }
}
