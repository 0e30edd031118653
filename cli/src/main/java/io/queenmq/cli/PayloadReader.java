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

/**
 * Payloads from a file or another program: one on each line, or a single one over many lines. Lines are handed on as they come, so
 * there may be more of them than fit into memory.
 */
final class PayloadReader implements AutoCloseable {
    private static final JsonFactory JSON = new JsonFactory();

    private final String name;
    private final boolean isText;
    private final BufferedReader lines;
    private long line;
    private boolean isFirst = true;

    /**
     * @param name of where they come from, for errors
     * @param isText whether lines are texts and not JSON
     */
    PayloadReader(InputStream in, String name, boolean isText) {
        this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.name = name;
        this.isText = isText;
    }

    /** The next payload as JSON; null at the end. Empty lines are passed over. */
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

    /** Where the last payload stood. */
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
            // One value over many lines, as in a file that was written for people.
            StringBuilder all = new StringBuilder(text);
            for (String more = lines.readLine(); more != null; more = lines.readLine()) {
                all.append('\n').append(more);
            }
            if (problem(all.toString()) == null) {
                return all.toString();
            }
        }
        throw CommandFailed.byUser(place() + " is not JSON: " + problem + " (--text pushes lines as they are)");
    }

    /** Why this is not exactly one JSON value; null when it is. */
    static String problem(String text) {
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == null) {
                return "there is nothing";
            }
            parser.skipChildren();
            return parser.nextToken() == null ? null : "something follows the value";
        } catch (JsonProcessingException e) {
            return e.getOriginalMessage().lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text as a JSON string. */
    static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text))
                + "\"";
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
