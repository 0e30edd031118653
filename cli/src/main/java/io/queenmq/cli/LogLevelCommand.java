package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code queen log-level}. */
@Command(name = "log-level", description = {
    "Show or change the log levels of one server. A change lasts until the server stops.",
    "With several URLs in --url, the first server that responds is changed."}, footerHeading = "%nExamples:%n", footer = {
        "  queen log-level", "  queen log-level debug --logger io.queenmq.engine.spool",
        "  queen log-level inherit --logger io.queenmq.engine.spool"})
final class LogLevelCommand implements Runnable {
    private static final List<Column<Map.Entry<String, String>>> COLUMNS = List
            .of(Column.of("logger", Map.Entry::getKey), Column.of("level", Map.Entry::getValue));

    @ParentCommand
    private QueenCommand root;

    @Parameters(arity = "0..1", paramLabel = "LEVEL", description = "New level: trace, debug, info, warn, error, or inherit for the level of the package (default: show the "
            + "levels).")
    private @Nullable String level;

    @Option(names = "--logger", paramLabel = "NAME", description = "Name of a class or package (default: ROOT, all others).")
    private String logger = "ROOT";

    @Override
    public void run() {
        if (level != null) {
            root.operator().setLogLevel(logger, level);
        }
        root.output().list(COLUMNS, List.copyOf(root.operator().logLevels().entrySet()));
    }
}
