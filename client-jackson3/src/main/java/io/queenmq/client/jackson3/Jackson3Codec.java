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

/** Payloads by Jackson 3. Being on the class or module path is enough for a client to use it. */
public final class Jackson3Codec implements Codec {
    private final ObjectMapper mapper;

    /**
     * With a mapper that writes what the codec for Jackson 2 writes: times as ISO 8601, fields in the order of the class. It
     * passes over fields it does not know, so that producers may add some.
     */
    public Jackson3Codec() {
        this(JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS, DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build());
    }

    /** With a mapper of the application's own. */
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

    /** Which field it is about. Not at which byte: what goes wrong alike should read alike, so that it can be counted. */
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
