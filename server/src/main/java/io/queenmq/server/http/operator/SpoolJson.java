package io.queenmq.server.http.operator;

import io.queenmq.engine.spool.SpoolStatus;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.http.json.JsonBuffer;
import java.util.Locale;

/** Writes the state of the spool as JSON. */
final class SpoolJson {
    private SpoolJson() {}

    static void write(JsonBuffer json, SpoolStatus spool) {
        json.raw("{\"state\":").string(spool.state().name().toLowerCase(Locale.ROOT));
        json.raw(",\"pending\":").number(spool.pending());
        json.raw(",\"bytes\":").number(spool.bytes()).raw(",\"bytesMax\":").number(spool.bytesMax());
        json.raw(",\"oldestSeconds\":").number(oldestSeconds(spool));
        json.raw(",\"drainedPerSecond\":").number(Math.round(spool.drainedPerSecond()));
        json.raw(",\"refused\":").number(spool.refused()).raw(",\"damaged\":").number(spool.damaged());
        json.raw(",\"error\":").stringOrNull(spool.error()).raw("}");
    }

    private static long oldestSeconds(SpoolStatus spool) {
        return spool.oldestMicros() == 0 ? 0 : Math.max(0, Clock.SYSTEM.epochMs() - spool.oldestMicros() / 1000) / 1000;
    }
}
