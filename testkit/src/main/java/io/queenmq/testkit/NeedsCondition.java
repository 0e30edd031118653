package io.queenmq.testkit;

import java.util.Arrays;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides whether the tests of a class with {@link Needs} run. */
final class NeedsCondition implements ExecutionCondition {
    private final Installation installation = new Installation(BuildFolder.path().resolve("missing-programs"),
            new DebianPackages());

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestClass(), Needs.class).flatMap(
                needs -> Arrays.stream(needs.value()).filter(program -> !installation.ensure(program)).findFirst())
                .map(missing -> ConditionEvaluationResult.disabled(missing.command() + " is missing"))
                .orElseGet(() -> ConditionEvaluationResult.enabled("nothing is missing"));
    }
}
