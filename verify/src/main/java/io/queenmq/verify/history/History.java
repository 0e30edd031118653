package io.queenmq.verify.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the history of a run to a file. Thread-safe. The end time of a line is taken when the line is appended. So the lines
 * are ordered by their end times: if a request ended before another one began, its line is first.
 */
public final class History implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BufferedWriter file;
    private final long originNs = System.nanoTime();
    private long lines;

    public History(Path path) {
        try {
            this.file = Files.newBufferedWriter(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history " + path, e);
        }
    }

    /** Returns a new object for a line. */
    public static ObjectNode line() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Returns the microseconds since the history began. */
    public long nowMicros() {
        return (System.nanoTime() - originNs) / 1_000;
    }

    /**
     * Appends a line: {@code n}, {@code process}, {@code op}, {@code start}, {@code end}, and the fields of {@code rest}.
     *
     * @param startMicros the time at which the request began
     */
    public synchronized void append(String process, String op, long startMicros, ObjectNode rest) {
        ObjectNode line = line();
        line.put("n", ++lines).put("process", process).put("op", op).put("start", startMicros).put("end", nowMicros());
        line.setAll(rest);
        try {
            file.write(JSON.writeValueAsString(line));
            file.write('\n');
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history", e);
        }
    }

    /** Appends a line without duration, such as the begin of a fault. */
    public void mark(String process, String op, ObjectNode rest) {
        append(process, op, nowMicros(), rest);
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the history", e);
        }
    }
}
