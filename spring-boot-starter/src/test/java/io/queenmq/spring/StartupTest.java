package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Queen;
import io.queenmq.client.error.RefusedException;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** The startup of an application: mistakes with an analysis, log lines, and customization of the client. */
@QueenTest
@ExtendWith(OutputCaptureExtension.class)
class StartupTest {
    private final TestQueen server;
    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;

    StartupTest(Queen queen, TestQueen server) {
        this.server = server;
        this.queen = queen;
        this.queue = server.newQueue();
        this.application = Application.of(server, queue);
    }

    static class Billing {
        @QueenListener(queue = "${shop.queue}", group = "billing", concurrency = "${shop.concurrency:3}")
        void bill(String order) {}
    }

    static class Suspended {
        @QueenListener(queue = "${shop.queue}")
        void bill(String order, Object kind) {}
    }

    @Test
    void mistakesHaveAnAnalysis() {
        assertAnalysis(application.withBean(Suspended.class), "Suspended.bill has two payload parameters", "@Header");
        assertAnalysis(application.withBean(Billing.class).withPropertyValues("shop.concurrency=many"),
                "concurrency is 'many'", "Correct the attribute");
        assertAnalysis(application.withPropertyValues("queen.urls=localhost:6632"), "localhost:6632",
                "Correct the properties queen.*");
        assertAnalysis(application.withPropertyValues("queen.ssl.bundle=missing"), "queen.ssl.bundle is 'missing'",
                "spring.ssl.bundle");
    }

    private static void assertAnalysis(ApplicationContextRunner application, String description, String action) {
        application.run(context -> {
            assertThat(context).hasFailed();
            List<FailureAnalysis> analyses = new ArrayList<>();
            for (FailureAnalyzer each : SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class,
                    FailureHandler.handleMessage((message, failure) -> {}))) {
                if (each.getClass().getName().startsWith("io.queenmq.")) {
                    analyses.add(each.analyze(context.getStartupFailure()));
                }
            }
            assertThat(analyses).singleElement().satisfies(analysis -> {
                assertThat(analysis.getDescription()).contains(description);
                assertThat(analysis.getAction()).contains(action);
            });
        });
    }

    @Test
    void eachListenerIsLoggedAndAMissingQueueIsAWarning(CapturedOutput output) {
        application.withBean(Billing.class).run(context -> {
            assertThat(output)
                    .contains("listener started: Billing.bill (queue " + queue + ", group billing, concurrency 3)");
            Await.until(() -> output.getOut().contains("queue of listener Billing.bill does not exist: " + queue));
        });
    }

    @Test
    void anExistingQueueIsNoWarning(CapturedOutput output) {
        queen.queue(queue, String.class).push("x");
        application.withBean(Billing.class).run(context -> Await.until(() -> server.pending(queue, "billing") == 0));
        assertThat(output).doesNotContain("does not exist: " + queue);
    }

    @Test
    void aCustomizerAndATokenSupplierConfigureTheClient() {
        List<String> calls = new ArrayList<>();
        application.withPropertyValues("queen.token=constant").withBean(QueenTokenSupplier.class, () -> () -> {
            calls.add("token");
            return "token-" + calls.size();
        }).withBean(QueenBuilderCustomizer.class, () -> builder -> {
            calls.add("customizer");
            builder.retryFor(Duration.ZERO);
        }).run(context -> {
            try {
                context.getBean(QueenOperations.class).push(queue, "a", "1");
            } catch (RefusedException e) {
                // A server with authentication rejects the token; this one ignores it.
            }
            assertThat(calls).containsExactly("customizer", "token");
        });
    }

    @Test
    void anImplementationOfTheApplicationReplacesTheTemplate() {
        QueenOperations own = (QueenOperations) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{QueenOperations.class}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "own";
                    default -> null;
                });
        application.withBean(QueenOperations.class, () -> own).run(context -> assertThat(context)
                .hasSingleBean(QueenOperations.class).doesNotHaveBean(QueenTemplate.class));
    }
}
