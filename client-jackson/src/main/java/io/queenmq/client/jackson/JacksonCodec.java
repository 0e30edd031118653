package io.queenmq.client.jackson;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.queenmq.client.Codec;
import io.queenmq.client.error.CodecException;
import java.io.IOException;
import java.lang.reflect.Type;

/** Converts payloads with Jackson 2. The client finds it on the class or module path. */
public final class JacksonCodec implements Codec {
    private final ObjectMapper mapper;

    /**
     * Uses a mapper that writes times as ISO 8601, supports {@code Optional}, and ignores unknown fields, so that
     * producers may add fields.
     */
    public JacksonCodec() {
        this(JsonMapper.builder().addModules(new JavaTimeModule(), new Jdk8Module())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .build());
    }

    /** Uses a mapper of the application. */
    public JacksonCodec(ObjectMapper mapper) {
        this.mapper = requireNonNull(mapper);
    }

    @Override
    public byte[] encode(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new CodecException("cannot write a " + value.getClass().getName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Returns the path of the field. Omits the byte offset, so that equal errors have equal texts and can be counted.
     */
    private static String where(JsonProcessingException e) {
        return e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
                ? " (" + mapping.getPathReference() + ")"
                : "";
    }

    @Override
    public Object decode(byte[] json, Type type) {
        try {
            return mapper.readValue(json, mapper.constructType(type));
        } catch (JsonProcessingException e) {
            throw new CodecException("cannot read a " + type.getTypeName() + ": " + e.getOriginalMessage() + where(e),
                    e);
        } catch (IOException e) {
            throw new CodecException("cannot read a " + type.getTypeName() + ": " + e.getMessage(), e);
        }
    }
}
