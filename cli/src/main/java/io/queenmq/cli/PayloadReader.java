package io.queenmq.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads payloads from a file or a pipe: one per line, or a single one that spans several lines. Lines are processed one by one,
 * so the input may be larger than the memory.
 */
final class PayloadReader implements AutoCloseable {
    private static final JsonFactory JSON = new JsonFactory();

    private final String name;
    private final boolean isText;
    private final BufferedReader lines;
    private long line;
    private boolean isFirst = true;

    /**
     * @param name name of the source, for errors
     * @param isText true if lines are texts instead of JSON
     */
    PayloadReader(InputStream in, String name, boolean isText) {
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.name = name;
        this.isText = isText;
    }

    /** Returns the next payload as JSON, or null at the end. Skips empty lines. */
    @Nullable
    String next() {
        try {
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                line++;
                if (isText) {
                    return quoted(text);
                }
                if (!text.isBlank()) {
                    return json(text);
                }
            }
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(new IOException("cannot read " + name + ": " + e.getMessage(), e));
        }
    }

    /** Returns the position of the last payload. */
    String place() {
        return name + ", line " + line;
    }

    private String json(String text) throws IOException {
        boolean isAlone = isFirst;
        isFirst = false;
        String problem = problem(text);
        if (problem == null) {
            return text;
        }
        if (isAlone) {
            // The file may contain one value that spans several lines.
            StringBuilder all = new StringBuilder(text);
            for (String more = lines.readLine(); more != null; more = lines.readLine()) {
                all.append('\n').append(more);
            }
            if (problem(all.toString()) == null) {
                return all.toString();
            }
        }
        throw CommandFailed.byUser(place() + " is not JSON: " + problem + " (use --text to push lines as texts)");
    }

    /** Returns the reason why the text is not exactly one JSON value, or null if it is. */
    static @Nullable String problem(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                return "no value";
            }
            parser.skipChildren();
            return parser.nextToken() == null ? null : "text after the value";
        } catch (JsonProcessingException e) {
            return e.getOriginalMessage().lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the text as a JSON string. */
    static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
