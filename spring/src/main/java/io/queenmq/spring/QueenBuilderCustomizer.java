package io.queenmq.spring;

import io.queenmq.client.QueenBuilder;

/** A bean of this type changes the settings of the client after the properties are applied, in the order of the beans. */
@FunctionalInterface
public interface QueenBuilderCustomizer {
    void customize(QueenBuilder builder);
}
