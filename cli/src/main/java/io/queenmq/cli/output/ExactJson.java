package io.queenmq.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Parses JSON without changing the digits of numbers, because payloads must be shown exactly. */
public final class ExactJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();

    private ExactJson() {}

    /** @throws JsonProcessingException if the text is not JSON */
    public static JsonNode read(String text) throws JsonProcessingException {
        return JSON.readTree(text);
    }
}
