package io.queenmq.embedded;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How our PostgreSQL differs from its defaults, as command-line options so that no file has to be edited. */
final class Settings {
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            // Accepted means stored; these are PostgreSQL's own defaults, written down because we promise them.
            Map.entry("fsync", "on"),
            Map.entry("full_page_writes", "on"),
            Map.entry("synchronous_commit", "on"),
            // A queue writes far more than it keeps: room between checkpoints saves full-page images.
            Map.entry("max_wal_size", "2GB"),
            Map.entry("shared_buffers", "256MB"),
            // A server with 64 shards needs 269 of them. One that nobody opens takes 80 kB of shared memory.
            Map.entry("max_connections", "400"),
            Map.entry("timezone", "UTC"),
            Map.entry("log_timezone", "UTC"),
            // A Unix socket's path is limited to about 100 characters, and our home may be deeper than that.
            Map.entry("unix_socket_directories", ""));

    private Settings() {}

    static List<String> options(Map<String, String> overrides, Map<String, String> fixed) {
        var settings = new TreeMap<>(DEFAULTS);
        settings.putAll(overrides);
        settings.putAll(fixed);
        return settings.entrySet().stream()
                .flatMap(setting -> Stream.of("-c", setting.getKey() + "=" + setting.getValue()))
                .toList();
    }
}
