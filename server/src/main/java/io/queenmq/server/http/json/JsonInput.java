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
import org.jspecify.annotations.Nullable;

/** Parses request bodies as JSON, token by token, without building a tree. */
public final class JsonInput {
    /** Deeper nesting is rejected: it could overflow the stack of a recursive parser. */
    static final int DEPTH_MAX = 1000;

    private static final JsonFactory FACTORY = factory();
    private static final Pattern SOURCE = Pattern.compile("\\[Source:[^\\]]*(line: \\d+, column: \\d+)\\]");

    private JsonInput() {}

    /** Parses a body that must be one JSON object. The reading begins after its opening brace and ends at its closing brace. */
    public static <T extends @Nullable Object> T object(byte[] body, Reading<T> reading) {
        return document(body, parser -> {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new BadRequest("the body must be a JSON object");
            }
            return reading.from(parser);
        });
    }

    /** Parses a body that must be one JSON value of any type. */
    public static <T extends @Nullable Object> T document(byte[] body, Reading<T> reading) {
        if (body.length == 0) {
            throw new BadRequest("the body is empty");
        }
        if (!Utf8.isValid(body)) {
            throw new BadRequest("the body is not valid UTF-8");
        }
        try (JsonParser parser = FACTORY.createParser(body)) {
            T result = reading.from(parser);
            if (parser.nextToken() != null) {
                throw new BadRequest("the body must be one JSON value, but more text follows it");
            }
            return result;
        } catch (JacksonException e) {
            throw new BadRequest("the body is not valid JSON: " + inWords(e));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // impossible: the parser reads from an array
        }
    }

    /** Returns the error and its position. The message of the parser also names settings of the parser, which are removed. */
    private static String inWords(JacksonException e) {
        String what = SOURCE.matcher(e.getOriginalMessage()).replaceAll("$1");
        JsonLocation where = e.getLocation();
        return where == null ? what : what + ", at line " + where.getLineNr() + ", column " + where.getColumnNr();
    }

    /** Returns a generator that writes JSON text. */
    public static JsonGenerator generator(Writer to) throws IOException {
        return FACTORY.createGenerator(to);
    }

    /** Returns the string value of the current field. */
    public static String string(JsonParser parser, String field) throws IOException {
        if (parser.nextToken() != JsonToken.VALUE_STRING) {
            throw new BadRequest(field + " must be a string");
        }
        return parser.getText();
    }

    /** Returns the string value of the current field, or null for JSON null. */
    public static @Nullable String stringOrNull(JsonParser parser, String field) throws IOException {
        return switch (parser.nextToken()) {
            case VALUE_NULL -> null;
            case VALUE_STRING -> parser.getText();
            case null, default -> throw new BadRequest(field + " must be a string");
        };
    }

    /** Returns the boolean value of the current field; JSON null means the default. */
    public static boolean flag(JsonParser parser, String field, boolean defaultValue) throws IOException {
        return switch (parser.nextToken()) {
            case VALUE_NULL -> defaultValue;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case null, default -> throw new BadRequest(field + " must be true or false");
        };
    }

    /** Returns the current number, which must be whole and in range. */
    public static long whole(JsonParser parser, String field, long min, long max) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT && isLong(parser)) {
            long number = parser.getLongValue();
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new BadRequest(field + " must be a whole number from " + min + " to " + max);
    }

    /** Returns the current number, which must be in range. */
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

    /** Skips the value of the current field. */
    public static void skip(JsonParser parser) throws IOException {
        parser.nextToken();
        parser.skipChildren();
    }

    private static JsonFactory factory() {
        var limits = StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).maxNumberLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE).maxNameLength(Integer.MAX_VALUE).build();
        // Charset detection must be off: a body parsed as UTF-16 would be sliced at wrong offsets.
        // Field names must stay canonical: only that parser counts offsets in bytes. Interning them has no benefit.
        return new JsonFactoryBuilder().streamReadConstraints(limits).disable(JsonFactory.Feature.CHARSET_DETECTION)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES).disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .build();
    }

    /** Reads a value from the tokens of a parser. */
    public interface Reading<T extends @Nullable Object> {
        T from(JsonParser parser) throws IOException;
    }
}
