package io.queenmq.server.keys;

import io.queenmq.engine.reply.Reply;
import io.queenmq.server.auth.ApiKey;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the first API key of an administrator from a file. The file is written before the database, so that after a crash
 * between the two the next start installs the key. A key that was revoked is never installed again.
 */
public final class BootstrapKey {
    private static final Logger log = LoggerFactory.getLogger(BootstrapKey.class);
    private static final String NAME = "bootstrap";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final int BYTES_MAX = 1_000;

    private BootstrapKey() {}

    /**
     * Blocks until the key is installed.
     *
     * @throws IllegalStateException if the file cannot be used or the database does not respond; the message names the file
     */
    public static void install(Path file, OperatorQueries operatorQueries) {
        boolean isNew = false;
        ApiKey.Text key;
        try {
            if (Files.exists(file)) {
                key = read(file);
            } else {
                key = ApiKey.Text.create(new SecureRandom());
                write(file, key);
                isNew = true;
            }
        } catch (IOException e) {
            throw new IllegalStateException("API_KEYS_BOOTSTRAP_FILE " + file + " cannot be used: " + e, e);
        }
        String result = call(key, file, operatorQueries);
        switch (result) {
            case "installed" -> log.info("installed the API key of {} with the role admin", file);
            case "revoked" ->
                log.warn("the API key of {} was revoked and is not installed again; delete the file to get a "
                        + "new key at the next start", file);
            default -> {
                if (isNew) {
                    delete(file);
                    log.info("an API key with the role admin exists; {} is not needed", file);
                }
            }
        }
    }

    private static ApiKey.Text read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IOException("it is too large for a key");
        }
        ApiKey.Text key = ApiKey.Text.parse(Files.readString(file).strip());
        if (key == null) {
            throw new IOException("it does not contain an API key (qk_…)");
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (permissions.contains(PosixFilePermission.GROUP_READ)
                || permissions.contains(PosixFilePermission.OTHERS_READ)) {
            log.warn("other users can read the API key in {}; set its mode to 0600", file);
        }
        return key;
    }

    private static void write(Path file, ApiKey.Text key) throws IOException {
        var onlyOwner = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
        try (SeekableByteChannel channel = Files.newByteChannel(file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), onlyOwner)) {
            channel.write(StandardCharsets.US_ASCII.encode(key.whole() + "\n"));
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.warn("{} contains a key that is not in force and cannot be deleted: {}", file, e.toString());
        }
    }

    private static String call(ApiKey.Text key, Path file, OperatorQueries operatorQueries) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        operatorQueries.call(new OperatorCall("install_key", List.of(key.id(), NAME, Buffer.buffer(key.hash())),
                Reply.of(outcome -> {
                    if (outcome instanceof OperatorOutcome.Document(var result)) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(new IllegalStateException(outcome.toString()));
                    }
                }, failure -> answer.completeExceptionally(new IllegalStateException(failure.message())))));
        try {
            return answer.get(ANSWER_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception e) {
            throw new IllegalStateException("the API key of " + file + " cannot be installed: " + e.getMessage(), e);
        }
    }
}
