package io.queenmq.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Installs with apt-get, where there is one and we may use it; elsewhere does nothing. */
final class DebianPackages implements Installation.Packages {
    private static final Logger log = LoggerFactory.getLogger(DebianPackages.class);
    private static final int MINUTES_MAX = 10;
    /** Installs again what is registered as installed although its program is gone. */
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
            // apt-get is left to end by itself: half an installation would be worse than a late one.
            log.warn("{} is not installed after {} minutes", program.command(), MINUTES_MAX);
        }
    }
}
