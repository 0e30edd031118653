package io.queenmq.client.jackson3;

import static java.util.Objects.requireNonNull;

import io.queenmq.client.Codec;
import io.queenmq.client.error.CodecException;
import java.lang.reflect.Type;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** Converts payloads with Jackson 3. The client finds it on the class or module path. */
public final class Jackson3Codec implements Codec {
    private final ObjectMapper mapper;

    /**
     * Uses a mapper that writes the same JSON as the codec for Jackson 2: times as ISO 8601, fields in the order of the
     * class. It ignores unknown fields, so that producers may add fields.
     */
    public Jackson3Codec() {
        this(JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build());
    }

    /** Uses a mapper of the application. */
    public Jackson3Codec(ObjectMapper mapper) {
        this.mapper = requireNonNull(mapper);
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new CodecException("cannot write a " + value.getClass().getName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Returns the path of the field. Omits the byte offset, so that equal errors have equal texts and can be counted.
     */
    private static String where(JacksonException e) {
        String path = e.getPathReference();
        return path.isEmpty() ? "" : " (" + path + ")";
    }

    @Override
    public Object decode(byte[] json, Type type) {
        try {
            return mapper.readValue(json, mapper.constructType(type));
        } catch (JacksonException e) {
            throw new CodecException("cannot read a " + type.getTypeName() + ": " + e.getOriginalMessage() + where(e),
                    e);
        }
    }
}
