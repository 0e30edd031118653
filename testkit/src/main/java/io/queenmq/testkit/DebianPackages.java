package io.queenmq.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Installs Debian packages with apt-get. Does nothing without apt-get or if the user is not root. */
final class DebianPackages implements Installation.Packages {
    private static final Logger log = LoggerFactory.getLogger(DebianPackages.class);
    private static final int MINUTES_MAX = 10;
    /** Reinstalls, because a package may be registered as installed although its program is missing. */
    private static final String INSTALL = "apt-get update && apt-get install -y --reinstall -o DPkg::Lock::Timeout=300 ";

    @Override
    public boolean has(Program program) {
        return program.find().isPresent();
    }

    @Override
    public void install(Program program, Path output) throws IOException, InterruptedException {
        if (Program.find("apt-get").isEmpty() || !System.getProperty("user.name").equals("root")) {
            return;
        }
        log.info("installing {}, which tests need; see {}", program.command(), output);
        var command = new ProcessBuilder("sh", "-c", INSTALL + program.debianPackage()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        command.environment().put("DEBIAN_FRONTEND", "noninteractive");
        var installation = command.start();
        installation.getOutputStream().close();
        if (!installation.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
            // apt-get is not stopped, because an interrupted installation would break later ones.
            log.warn("{} is not installed after {} minutes", program.command(), MINUTES_MAX);
        }
    }
}
