package io.queenmq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code queen licenses}: prints documents that the build puts into the jar. */
@Command(name = "licenses", description = "Show the libraries in queen.jar and their licenses.")
final class LicensesCommand implements Runnable {
    static final String NOTICES = "/META-INF/THIRD-PARTY-NOTICES.txt";
    static final String SBOM = "/META-INF/sbom/queen.cdx.json";

    @ParentCommand
    private QueenCommand root;

    @Option(names = "--sbom", description = "Print the software bill of materials (CycloneDX, JSON) instead.")
    private boolean isSbom;

    @Override
    public void run() {
        String document = isSbom ? SBOM : NOTICES;
        try (InputStream in = LicensesCommand.class.getResourceAsStream(document)) {
            if (in == null) {
                throw CommandFailed
                        .byUser(document.substring(1) + " is only part of the packaged queen.jar; use ./queen");
            }
            root.shell().out().print(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            root.shell().out().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
