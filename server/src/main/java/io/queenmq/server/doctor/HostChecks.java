package io.queenmq.server.doctor;

import io.queenmq.engine.time.Clock;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.config.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The checks of this machine: disk, ports, descriptors and certificates. */
final class HostChecks {
    private static final int DAYS_MIN = 14;
    private static final int DESCRIPTORS_MIN = 4_096;
    private static final Path LIMITS = Path.of("/proc/self/limits");

    private final ServerConfig config;

    HostChecks(ServerConfig config) {
        this.config = config;
    }

    List<Finding> run() {
        List<Finding> findings = new ArrayList<>();
        findings.add(disk());
        findings.add(port(config.http().exposure().address(), config.http().port()));
        findings.add(descriptors());
        findings.add(certificate());
        return findings;
    }

    private Finding disk() {
        Path folder = config.storage().spool().isEnabled()
                ? config.storage().spool().folder()
                : config.storage().data();
        try {
            Path existing = folder.toAbsolutePath();
            while (!Files.exists(existing)) {
                existing = Objects.requireNonNull(existing.getParent());
            }
            Files.delete(Files.createTempFile(existing, "doctor", ".probe"));
            long free = Files.getFileStore(existing).getUsableSpace();
            String detail = folder + " is writable, " + megabytes(free) + " free";
            if (!config.storage().spool().isEnabled() || free >= config.storage().spool().bytesMax()) {
                return Finding.ok("disk", detail);
            }
            return Finding.warning("disk",
                    detail + ", but the spool may use " + megabytes(config.storage().spool().bytesMax()),
                    "enlarge the disk, or lower SPOOL_MAX_BYTES");
        } catch (IOException e) {
            return Finding.problem("disk", folder + " is not writable: " + e,
                    "correct SPOOL_DIR or QUEEN_DATA, or the owner of the directory");
        }
    }

    private static String megabytes(long bytes) {
        return bytes / 1_048_576 + " MiB";
    }

    private static Finding port(String address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
            return Finding.ok("port", address + ":" + port + " is free");
        } catch (IOException e) {
            return Finding.warning("port", address + ":" + port + " cannot be opened: " + e.getMessage(),
                    "ignore this if a server is running; otherwise correct HOST or PORT, or stop the other program");
        }
    }

    private static Finding descriptors() {
        try {
            String limit = Files.readAllLines(LIMITS).stream().filter(line -> line.startsWith("Max open files"))
                    .map(line -> line.substring("Max open files".length()).strip().split("\\s+")[0]).findFirst()
                    .orElse("unlimited");
            if (limit.equals("unlimited") || Long.parseLong(limit) >= DESCRIPTORS_MIN) {
                return Finding.ok("descriptors", limit + " open files are allowed");
            }
            return Finding.warning("descriptors", limit + " open files are allowed, one is needed per connection",
                    "raise the limit, for example with LimitNOFILE=65536 in the unit, or `ulimit -n 65536`");
        } catch (IOException | NumberFormatException e) {
            return Finding.ok("descriptors", "the limit is unknown on this system");
        }
    }

    private Finding certificate() {
        TlsConfig tls = config.http().tls();
        if (tls == null) {
            return Finding.ok("TLS", "off; clients connect with HTTP");
        }
        try (InputStream file = Files.newInputStream(tls.certificate())) {
            X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(file);
            Instant now = Instant.ofEpochMilli(Clock.SYSTEM.epochMs());
            Instant end = certificate.getNotAfter().toInstant();
            long days = Duration.between(now, end).toDays();
            if (days >= DAYS_MIN) {
                return Finding.ok("TLS", "the certificate is valid until " + end);
            }
            String remedy = "renew the certificate of TLS_CERT; the server reloads it without a restart";
            return now.isBefore(end)
                    ? Finding.warning("TLS", "the certificate expires at " + end, remedy)
                    : Finding.problem("TLS", "the certificate expired at " + end, remedy);
        } catch (IOException | CertificateException e) {
            return Finding.problem("TLS", tls.certificate() + " cannot be read: " + e.getMessage(),
                    "correct TLS_CERT and TLS_KEY");
        }
    }
}
