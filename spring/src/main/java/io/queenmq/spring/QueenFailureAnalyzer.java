package io.queenmq.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports configuration mistakes at startup without a stack trace. Found in {@code META-INF/spring.factories}. */
final class QueenFailureAnalyzer extends AbstractFailureAnalyzer<QueenStartupException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, QueenStartupException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
