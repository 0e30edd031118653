package io.queenmq.verify.fault;

import io.queenmq.verify.cluster.Cluster;
import io.queenmq.verify.cluster.Programs;
import io.queenmq.verify.cluster.TcpProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** Makes PostgreSQL unreachable while the disk of the spools has almost no space. Spools are on small file systems in memory. */
final class SpoolDiskFull implements Fault {
    private static final String FOLDER = "spools";
    private static final String FILLER = "filler";
    private static final int LEFT_BYTES = 64 * 1024;
    private static final int BLOCK_BYTES = 16 * 1024;

    @Override
    public String name() {
        return "spool-disk-full";
    }

    @Override
    public String description() {
        return "PostgreSQL is unreachable, and the disk of the spools gets full";
    }

    @Override
    public Optional<String> unavailable() {
        try {
            Path folder = Files.createTempDirectory("queen-verify-");
            boolean isPermitted = mount(folder);
            if (isPermitted) {
                Programs.run("umount", folder.toString());
            }
            Files.delete(folder);
            return isPermitted
                    ? Optional.empty()
                    : Optional.of("this user may not mount a file system of the type tmpfs");
        } catch (IOException e) {
            return Optional.of("cannot create a directory: " + e.getMessage());
        }
    }

    private static boolean mount(Path folder) {
        return Programs.run("mount", "-t", "tmpfs", "-o", "size=8m", "queen-verify", folder.toString());
    }

    @Override
    public Map<String, String> prepare(Path home, int server) {
        try {
            Path folder = Files.createDirectories(home.resolve(FOLDER).resolve(Integer.toString(server)));
            mount(folder);
            return Map.of("SPOOL_DIR", folder.resolve("spool").toString());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the directory of a spool", e);
        }
    }

    @Override
    public void cleanUp(Path home) {
        // The file system is removed when the last process that uses it has ended.
        folders(home).forEach(each -> Programs.run("umount", "-l", each.toString()));
    }

    private static Iterable<Path> folders(Path home) {
        if (!Files.isDirectory(home.resolve(FOLDER))) {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(home.resolve(FOLDER))) {
            return folders.toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the directories of the spools", e);
        }
    }

    @Override
    public void inject(Cluster cluster, Random random, Duration duration) throws Exception {
        for (Path each : folders(cluster.home())) {
            fill(each.resolve(FILLER));
        }
        cluster.database().proxy().setMode(TcpProxy.Mode.CUT);
        try {
            // Servers use their spools after two seconds.
            Fault.hold(duration.plusSeconds(4));
        } finally {
            cluster.database().proxy().setMode(TcpProxy.Mode.FORWARD);
            for (Path each : folders(cluster.home())) {
                Files.deleteIfExists(each.resolve(FILLER));
            }
        }
    }

    /** Writes a file until the file system has little space left. */
    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] block = new byte[BLOCK_BYTES];
            while (Files.getFileStore(file).getUsableSpace() > LEFT_BYTES) {
                out.write(block);
            }
        }
    }
}
