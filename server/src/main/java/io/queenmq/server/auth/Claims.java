package io.queenmq.server.auth;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The claims of a token, by name. */
record Claims(Map<String, Object> fields) {
    /** The parser of the JWT library accepts text after the object. */
    private static final ObjectReader STRICT = JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build()
            .readerFor(new TypeReference<Map<String, Object>>() {});

    /** Returns null if the bytes are not one JSON object with unique names. */
    static @Nullable Claims parse(byte[] json) {
        try {
            Map<String, Object> fields = STRICT.readValue(json);
            return fields == null ? null : new Claims(fields);
        } catch (IOException _) {
            return null;
        }
    }

    @Nullable
    Object get(String claim) {
        return fields.get(claim);
    }

    /** Returns the claim as a set: of one text, of the texts of a list, or empty. */
    Set<String> texts(String claim) {
        return switch (fields.get(claim)) {
            case String text -> Set.of(text);
            case List<?> list -> list.stream().filter(String.class::isInstance).map(String.class::cast)
                    .collect(Collectors.toUnmodifiableSet());
            case null, default -> Set.of();
        };
    }

    /** Returns a time in seconds since 1970, the default if the token does not have it, and NaN if it is not a number. */
    double seconds(String claim, double defaultValue) {
        return switch (fields.get(claim)) {
            case null -> defaultValue;
            case Number seconds -> seconds.doubleValue();
            default -> Double.NaN;
        };
    }
}
