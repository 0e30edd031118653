package io.queenmq.server.http.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.regex.Pattern;

/** Reads request bodies as JSON, token by token; no tree is ever built. */
public final class JsonInput {
    /** Deeper nesting is not data but an attack on whoever reads it recursively. */
    static final int DEPTH_MAX = 1000;

    private static final JsonFactory FACTORY = factory();
    private static final Pattern SOURCE = Pattern.compile("\\[Source:[^\\]]*(line: \\d+, column: \\d+)\\]");

    private JsonInput() {}

    /** Reads a body that is one JSON object; the reading begins behind its opening brace and ends at its closing one. */
    public static <T> T object(byte[] body, Reading<T> reading) {
        return document(body, parser -> {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRequest("the body must be a JSON object");
            }
            return reading.from(parser);
        });
    }

    /** Reads a body that is one JSON value of any kind. */
    public static <T> T document(byte[] body, Reading<T> reading) {
        if (body.length == 0) {
            throw new BadRequest("the body is empty");
        }
        if (!Utf8.isValid(body)) {
            throw new BadRequest("the body is not valid UTF-8");
        }
        try (JsonParser parser = FACTORY.createParser(body)) {
            T result = reading.from(parser);
            if (parser.nextToken() != null) {
                throw new BadRequest("the body must be one JSON value, and something follows it");
            }
            return result;
        } catch (JacksonException e) {
            throw new BadRequest("the body is not valid JSON: " + inWords(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a parser of an array reads from nowhere else
        }
    }

    /** What is wrong and where; the parser's own words name its settings as well. */
    private static String inWords(JacksonException e) {
        String what = SOURCE.matcher(e.getOriginalMessage()).replaceAll("$1");
        JsonLocation where = e.getLocation();
        return where == null
                ? what
                : what + ", at line " + where.getLineNr() + ", column " + where.getColumnNr();
    }

    /** Writes what was read back as text. */
    public static JsonGenerator generator(Writer to) throws IOException {
        return FACTORY.createGenerator(to);
    }

    /** The string that is the value of the field just named. */
    public static String string(JsonParser parser, String field) throws IOException {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            throw new BadRequest(field + " must be a string");
        }
        return parser.getText();
    }

    /** The same for a field that may be null. */
    public static String stringOrNull(JsonParser parser, String field) throws IOException {
        return switch (parser.nextToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> parser.getText();
            case null, default -> throw new BadRequest(field + " must be a string");
        };
    }

    /** The truth that is the value of the field just named; null stands for the standard. */
    public static boolean flag(JsonParser parser, String field, boolean standard) throws IOException {
        return switch (parser.nextToken()) {
            case VALUE_NULL -> standard;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case null, default -> throw new BadRequest(field + " must be true or false");
        };
    }

    /** The number just read, which must be whole and in range. */
    public static long whole(JsonParser parser, String field, long min, long max) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && isLong(parser)) {
            long number = parser.getLongValue();
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new BadRequest(field + " must be a whole number from " + min + " to " + max);
    }

    /** The number just read, which must be in range and may have a fraction. */
    public static double decimal(JsonParser parser, String field, long min, long max) throws IOException {
        if (parser.currentToken().isNumeric()) {
            double number = parser.getDoubleValue();
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new BadRequest(field + " must be a number from " + min + " to " + max);
    }

    private static boolean isLong(JsonParser parser) throws IOException {
        return parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    }

    /** Passes over the value of the field just named. */
    public static void skip(JsonParser parser) throws IOException {
        parser.nextToken();
        parser.skipChildren();
    }

    private static JsonFactory factory() {
        var limits = StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).maxNumberLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE).maxNameLength(Integer.MAX_VALUE).build();
        // Without detection every body is UTF-8; a body taken for UTF-16 would be sliced at the wrong offsets.
        // Field names must stay canonical, because only that parser counts in bytes; interning them gains nothing.
        return new JsonFactoryBuilder().streamReadConstraints(limits).disable(JsonFactory.Feature.CHARSET_DETECTION)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION).build();
    }

    /** Takes what it needs from the tokens. */
    public interface Reading<T> {
        T from(JsonParser parser) throws IOException;
    }
}
