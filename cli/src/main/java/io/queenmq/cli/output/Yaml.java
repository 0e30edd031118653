package io.queenmq.cli.output;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

/** YAML, in a class of its own, because its library is loaded for those who ask for it only. */
final class Yaml {
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .disable(YAMLGenerator.Feature.SPLIT_LINES).build();

    private Yaml() {}

    /** @param json one JSON value, which may hold others as they were written */
    static String text(String json) {
        try {
            return YAML.writeValueAsString(ExactJson.read(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be shown as YAML: " + e.getOriginalMessage(), e);
        }
    }
}
