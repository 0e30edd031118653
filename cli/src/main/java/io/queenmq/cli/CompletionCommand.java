package io.queenmq.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen completion}: what a shell has to know to complete commands and options. */
@Command(name = "completion", description = {"Print a script that completes commands and options.",
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
        // One script for both: for zsh it begins by switching on the completion of bash.
        String script = AutoComplete.bash("queen", CommandTree.whole(new QueenCommand(root.shell())));
        root.output().text(List.of(script));
    }
}
