package io.queenmq.server.auth;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A token taken apart: nothing in it is believed yet.
 *
 * @param keyId null when it names none
 * @param signed the bytes the signature is about
 * @param claims a text, a number as Double, a set of texts, or true for anything else
 */
record Token(String algorithm, String keyId, byte[] signed, byte[] signature, Map<String, Object> claims) {
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonFactory.Feature.CHARSET_DETECTION).disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    /** Null when it is no token at all. */
    static Token parse(String text) {
        int first = text.indexOf('.');
        int second = text.indexOf('.', first + 1);
        // Padding would make one token out of many texts.
        if (first < 1 || second < 0 || text.indexOf('.', second + 1) >= 0 || text.indexOf('=') >= 0) {
            return null;
        }
        try {
            Map<String, Object> header = fields(decode(text.substring(0, first)));
            // Extensions that must be understood are not.
            if (!(header.get("alg") instanceof String algorithm) || header.containsKey("crit")) {
                return null;
            }
            Object keyId = header.get("kid");
            if (keyId != null && !(keyId instanceof String)) {
                return null;
            }
            return new Token(algorithm, (String) keyId, text.substring(0, second).getBytes(StandardCharsets.US_ASCII),
                    decode(text.substring(second + 1)), fields(decode(text.substring(first + 1, second))));
        } catch (IOException | IllegalArgumentException _) {
            return null;
        }
    }

    private static byte[] decode(String part) {
        return Base64.getUrlDecoder().decode(part);
    }

    private static Map<String, Object> fields(byte[] json) throws IOException {
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("no object");
            }
            Map<String, Object> fields = new HashMap<>();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                fields.put(name, value(parser));
            }
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("something follows");
            }
            return fields;
        } catch (JacksonException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.nextToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case START_ARRAY -> texts(parser);
            case VALUE_NULL -> null;
            case null, default -> {
                parser.skipChildren();
                yield Boolean.TRUE; // it is there, and nothing that is looked at
            }
        };
    }

    private static Set<String> texts(JsonParser parser) throws IOException {
        Set<String> texts = new HashSet<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                texts.add(parser.getText());
            }
            parser.skipChildren();
        }
        return texts;
    }

    /** The claim as a set: of one text, of a list of them, or empty. */
    @SuppressWarnings("unchecked") // claims hold no other sets
    Set<String> textsOf(String claim) {
        return switch (claims.get(claim)) {
            case String text -> Set.of(text);
            case Set<?> texts -> (Set<String>) texts;
            case null, default -> Set.of();
        };
    }

    /** A moment in seconds since 1970; the default when the token does not tell; NaN when it tells nonsense. */
    double seconds(String claim, double standard) {
        return switch (claims.get(claim)) {
            case null -> standard;
            case Double seconds -> seconds;
            default -> Double.NaN;
        };
    }
}
