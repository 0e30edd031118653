package io.queenmq.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/** Formats YAML. A class of its own, so that the library is loaded only if YAML is requested. */
final class Yaml {
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS).disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();

    private Yaml() {}

    /** @param json one JSON value */
    static String text(String json) {
        try {
            return YAML.writeValueAsString(ExactJson.read(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot convert to YAML: " + e.getOriginalMessage(), e);
        }
    }
}
