package io.queenmq.server;

import io.queenmq.schema.Schema;
import io.queenmq.schema.Shards;
import io.queenmq.server.config.ShardConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards that a server expects while it cannot connect to PostgreSQL: those of the last start, of the settings, or a single one.
 * A file exists only if they are not a single shard outside of Citus.
 */
final class ExpectedShards {
    private static final Logger log = LoggerFactory.getLogger(ExpectedShards.class);
    private static final String CITUS = " citus";

    private final Path file;
    private final ShardConfig config;

    /** @param data the directory with the data of the server */
    ExpectedShards(Path data, ShardConfig config) {
        this.file = data.resolve("shards");
        this.config = config;
    }

    Schema.Installed load() {
        Schema.Installed usual = Schema.expect(new Shards(config.count().orElse(1)), false);
        if (!Files.exists(file)) {
            return usual;
        }
        try {
            String text = Files.readString(file).strip();
            boolean isOnCitus = text.endsWith(CITUS);
            return Schema.expect(
                    new Shards(Integer.parseInt(isOnCitus ? text.substring(0, text.length() - CITUS.length()) : text)),
                    isOnCitus);
        } catch (IOException | IllegalArgumentException e) {
            log.warn("{} ignored, delete it: {}", file, e.toString());
            return usual;
        }
    }

    void save(Schema.Installed installed) {
        boolean isUsual = installed.shards().count() == 1 && !installed.isOnCitus();
        try {
            if (isUsual) {
                Files.deleteIfExists(file);
            } else {
                Files.createDirectories(file.toAbsolutePath().getParent());
                Files.writeString(file, installed.shards().count() + (installed.isOnCitus() ? CITUS : "") + "\n");
            }
        } catch (IOException e) {
            log.warn("number of shards not saved, so a start without PostgreSQL needs QUEEN_SHARDS: {}", e.toString());
        }
    }
}
