package io.queenmq.verify.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a history line by line. Only one line is in memory at a time. */
public final class HistoryReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private HistoryReader() {}

    /** Passes each line to the consumer, in order. */
    public static void read(Path path, Consumer<JsonNode> consumer) {
        try (BufferedReader lines = Files.newBufferedReader(path)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    consumer.accept(JSON.readTree(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the history " + path, e);
        }
    }
}
