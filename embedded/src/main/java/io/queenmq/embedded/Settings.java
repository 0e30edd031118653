package io.queenmq.embedded;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Settings that differ from the defaults of PostgreSQL, passed on the command line. */
final class Settings {
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            // An accepted message must be stored. These are defaults of PostgreSQL, set explicitly because Queen depends on them.
            Map.entry("fsync", "on"), Map.entry("full_page_writes", "on"), Map.entry("synchronous_commit", "on"),
            // A queue writes more than it keeps. Fewer checkpoints save full-page images.
            Map.entry("max_wal_size", "2GB"), Map.entry("shared_buffers", "256MB"),
            // A server with 64 shards needs 269 connections. An unused one needs 80 kB of shared memory.
            Map.entry("max_connections", "400"), Map.entry("timezone", "UTC"), Map.entry("log_timezone", "UTC"),
            // The path of a Unix socket is limited to about 100 characters, and the home may be longer.
            Map.entry("unix_socket_directories", ""));

    private Settings() {}

    static List<String> options(Map<String, String> overrides, Map<String, String> fixed) {
        var settings = new TreeMap<>(DEFAULTS);
        settings.putAll(overrides);
        settings.putAll(fixed);
        return settings.entrySet().stream()
                .flatMap(setting -> Stream.of("-c", setting.getKey() + "=" + setting.getValue())).toList();
    }
}
