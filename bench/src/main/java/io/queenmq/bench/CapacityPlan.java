package io.queenmq.bench;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * An estimate of disk, WAL, cores and connections for a load, with the formulas and the measured costs of docs/guide/capacity.md.
 *
 * @param messages pushed messages per second
 * @param payload bytes of a payload
 * @param groups groups that read each message
 * @param batch messages per push in one partition, and per pop and partition
 * @param retention time for which a message is stored
 */
record CapacityPlan(long messages, long payload, int groups, int batch, Duration retention, int servers) {
    private static final int LINE_BYTES = 150;
    private static final int LEASE_AND_ACK_BYTES = 541;
    private static final int SPOOL_BYTES = 100;
    private static final int CONNECTIONS = 22;
    private static final int OUTAGE_SECONDS = 600;

    /** The costs of one message, for a batch. CPU is in microseconds. */
    private record Costs(int batch, double storage, double log, double push, double read, double serverPush,
            double serverRead) {
        /** Returns the costs between this and the next measured batch, on a logarithmic scale. */
        Costs interpolate(Costs next, int batch) {
            double share = Math.log((double) batch / this.batch) / Math.log((double) next.batch / this.batch);
            return new Costs(batch, between(storage, next.storage, share), between(log, next.log, share),
                    between(push, next.push, share), between(read, next.read, share),
                    between(serverPush, next.serverPush, share), between(serverRead, next.serverRead, share));
        }

        private static double between(double from, double to, double share) {
            return from * Math.pow(to / from, share);
        }
    }

    private static final List<Costs> MEASURED = List.of(new Costs(1, 151, 371, 23.6, 54.4, 18.8, 67.2),
            new Costs(10, 35, 67, 5.4, 6.0, 4.3, 7.0), new Costs(100, 21, 26, 1.8, 1.9, 3.0, 3.7));

    private Costs costs() {
        for (int i = 0; i < MEASURED.size() - 1; i++) {
            if (batch <= MEASURED.get(i + 1).batch) {
                return MEASURED.get(i).interpolate(MEASURED.get(i + 1), batch);
            }
        }
        return MEASURED.getLast();
    }

    private double line() {
        return payload + LINE_BYTES;
    }

    double diskGigabytes() {
        return messages * (double) retention.toSeconds() * (line() + costs().storage) / 1e9;
    }

    double walMegabytesPerSecond() {
        return messages * (line() + costs().log + (double) groups * LEASE_AND_ACK_BYTES / batch) / 1e6;
    }

    double postgresCores() {
        return messages * (costs().push + groups * costs().read) / 1e6;
    }

    double serverCores() {
        return messages * (costs().serverPush + groups * costs().serverRead) / 1e6;
    }

    long connections() {
        return (long) servers * CONNECTIONS;
    }

    /** Returns the SPOOL_MAX_BYTES of each server for an outage of ten minutes. */
    long spoolBytes() {
        return Math.ceilDiv(messages, servers) * OUTAGE_SECONDS * (payload + LINE_BYTES + SPOOL_BYTES);
    }

    /** Returns the plan for people. */
    String text() {
        return String.format(Locale.ROOT, """
                %,d messages/s of %,d bytes, groups: %d, messages per push and pop: %d, stored for %s

                disk               %,.0f GB  messages; add WAL (max_wal_size), archives and dead letters
                WAL                %.1f MB/s
                PostgreSQL         %.2f cores; provide %.0f for peaks, checkpoints and vacuum
                servers            %.2f cores; provide %.0f, on %d servers
                connections        %,d; max_connections must allow them besides those of applications
                spool              SPOOL_MAX_BYTES=%d on each server, for an outage of 10 minutes

                Estimated from measured costs (docs/guide/capacity.md). Measure your machines with queen bench.
                """, messages, payload, groups, batch, inWords(retention), diskGigabytes(), walMegabytesPerSecond(),
                postgresCores(), cores(postgresCores()), serverCores(), cores(serverCores()), servers, connections(),
                spoolBytes());
    }

    /** Twice the mean, in whole cores. */
    private static double cores(double mean) {
        return Math.max(1, Math.ceil(2 * mean));
    }

    private static String inWords(Duration duration) {
        return duration.toSeconds() % 86_400 == 0
                ? duration.toDays() + " d"
                : duration.toSeconds() % 3_600 == 0 ? duration.toHours() + " h" : duration.toSeconds() + " s";
    }
}
