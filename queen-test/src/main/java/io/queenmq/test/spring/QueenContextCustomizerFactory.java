package io.queenmq.test.spring;

import io.queenmq.test.QueenTest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.util.ClassUtils;

/** Connects the application of a test class with {@code @QueenTest} to the server of the tests. */
public final class QueenContextCustomizerFactory implements ContextCustomizerFactory {
    private static final String DETAILS = "io.queenmq.spring.QueenConnectionDetails";

    /** Called by Spring. */
    public QueenContextCustomizerFactory() {}

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
            List<ContextConfigurationAttributes> attributes) {
        QueenTest annotation = AnnotatedElementUtils.findMergedAnnotation(testClass, QueenTest.class);
        if (annotation == null || !ClassUtils.isPresent(DETAILS, testClass.getClassLoader())) {
            return null;
        }
        return new QueenContextCustomizer(annotation.dataSource());
    }
}
