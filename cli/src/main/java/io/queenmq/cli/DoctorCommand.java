package io.queenmq.cli;

import io.queenmq.cli.output.Column;
import io.queenmq.server.doctor.Doctor;
import io.queenmq.server.doctor.Finding;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen doctor}. */
@Command(name = "doctor", description = {
    "Check whether a server can run on this machine with its settings, and print what to do.",
    "Reads the settings like queen serve, from the environment and a file. Exit code 1 if a problem prevents its work."})
final class DoctorCommand implements Callable<Integer> {
    private static final List<Column<Finding>> COLUMNS = List.of(Column.of("check", Finding::check),
            Column.of("state", finding -> finding.state().name().toLowerCase(Locale.ROOT)),
            Column.of("detail", Finding::detail), Column.of("remedy", Finding::remedy));

    @ParentCommand
    private QueenCommand root;

    @Option(names = "--config", paramLabel = "FILE", description = "File with settings (default: QUEEN_CONFIG, or queen.properties in the working directory).")
    private @Nullable String config;

    @Override
    public Integer call() {
        Map<String, String> environment = new HashMap<>(root.shell().environment());
        if (config != null) {
            environment.put("QUEEN_CONFIG", config);
        }
        List<Finding> findings = Doctor.examine(environment);
        root.output().list(COLUMNS, findings);
        return findings.stream().anyMatch(each -> each.state() == Finding.State.PROBLEM) ? ExitCode.USER : ExitCode.OK;
    }
}
