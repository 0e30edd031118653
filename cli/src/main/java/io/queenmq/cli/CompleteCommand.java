package io.queenmq.cli;

import io.queenmq.cli.settings.Target;
import io.queenmq.cli.settings.TlsOptions;
import io.queenmq.client.Queen;
import io.queenmq.client.operator.GroupSummary;
import io.queenmq.client.operator.Operator;
import io.queenmq.client.operator.QueueSummary;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code queen __complete}: prints the candidates for the last of the given words, one per line. The completion scripts of all shells
 * call it. Names of queues and groups are requested from the server; without a server there are none.
 */
@Command(name = CompleteCommand.NAME, hidden = true, description = "Print candidates for the last word.")
final class CompleteCommand implements Runnable {
    static final String NAME = "__complete";
    private static final int NAMES_MAX = 1_000;

    @ParentCommand
    private QueenCommand root;

    @Parameters(arity = "0..*", paramLabel = "WORD", description = "Words of the command line after queen.")
    private List<String> words = List.of();

    @Override
    public void run() {
        String current = words.isEmpty() ? "" : words.getLast();
        Words before = new Words(CommandTree.whole(new QueenCommand(root.shell())).getCommandSpec());
        words.stream().limit(Math.max(0, words.size() - 1)).forEach(before::add);
        root.output().text(
                candidates(before, current).filter(each -> each.startsWith(current)).distinct().sorted().toList());
    }

    private Stream<String> candidates(Words before, String current) {
        if (before.open != null) {
            return values(before.open, before);
        }
        if (current.startsWith("-")) {
            return before.command.options().stream().filter(option -> !option.hidden()).map(OptionSpec::longestName);
        }
        if (!before.command.subcommands().isEmpty() && before.positionals == 0) {
            return before.command.subcommands().entrySet().stream()
                    .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden()).map(Map.Entry::getKey);
        }
        return before.command.positionalParameters().stream()
                .filter(parameter -> parameter.index().contains(before.positionals)).findFirst()
                .map(parameter -> values(parameter, before)).orElse(Stream.empty());
    }

    private Stream<String> values(ArgSpec argument, Words before) {
        if (argument.type().isEnum()) {
            return Arrays.stream(argument.type().getEnumConstants())
                    .map(each -> ((Enum<?>) each).name().toLowerCase(Locale.ROOT));
        }
        return switch (argument.paramLabel()) {
            case "QUEUE" ->
                names(before, operator -> operator.queues().list(NAMES_MAX, 0).stream().map(QueueSummary::name));
            case "GROUP" -> names(before, operator -> operator.groups().list().stream().map(GroupSummary::name));
            default -> Stream.empty();
        };
    }

    /** Lists names on a server. */
    private interface Lister {
        Stream<String> list(Operator operator);
    }

    private Stream<String> names(Words before, Lister lister) {
        try {
            Target target = Target.find(before.values.get("--url"), before.values.get("--token"), TlsOptions.NONE,
                    before.values.get("--context"), root.shell().environment());
            try (Queen queen = Queen.builder().urls(target.urls()).token(target::token)
                    .sslContext(target.tls().context()).retryFor(Duration.ZERO).build()) {
                return lister.list(queen.operator()).toList().stream();
            }
        } catch (RuntimeException e) {
            // A shell has no place for an error while it completes a word.
            return Stream.empty();
        }
    }

    /** The words before the one to complete. */
    private static final class Words {
        private final Map<String, String> values = new TreeMap<>();
        private CommandSpec command;
        private @Nullable OptionSpec open;
        private int positionals;

        Words(CommandSpec command) {
            this.command = command;
        }

        void add(String word) {
            if (open != null) {
                values.put(open.longestName(), word);
                open = null;
            } else if (word.startsWith("-")) {
                int equals = word.indexOf('=');
                OptionSpec option = command.findOption(equals < 0 ? word : word.substring(0, equals));
                if (option != null && equals > 0) {
                    values.put(option.longestName(), word.substring(equals + 1));
                } else if (option != null && option.arity().max() > 0) {
                    open = option;
                }
            } else {
                CommandLine next = command.subcommands().get(word);
                if (next == null) {
                    positionals++;
                } else {
                    command = next.getCommandSpec();
                }
            }
        }
    }
}
