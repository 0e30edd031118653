package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.queenmq.client.Delivery;
import io.queenmq.client.Queen;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Traces of OpenTelemetry, connected to Micrometer as in Spring Boot. */
@QueenTest
class OpenTelemetryTest {
    private static final int PATIENCE_S = 120;

    private final Queen queen;
    private final String queue;
    private final ApplicationContextRunner application;
    private final Seen seen = new Seen();
    private final Spans spans = new Spans();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    private final ObservationRegistry registry = ObservationRegistry.create();

    OpenTelemetryTest(Queen queen, TestQueen server) {
        this.queen = queen;
        this.queue = server.newQueue();
        Tracer otel = provider.get("test");
        OtelTracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator = new OtelPropagator(
                ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        registry.observationConfig()
                .observationHandler(new FirstMatchingCompositeObservationHandler(
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new LinkingProcessHandler(tracer, propagator),
                        new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
        this.application = Application.of(server, queue).withBean(Seen.class, () -> seen)
                .withBean(ObservationRegistry.class, () -> registry);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    /** Returns the finished spans. A message may be handled before its push returns. */
    private static final class Spans implements SpanExporter {
        private final Map<SpanKind, LinkedBlockingQueue<SpanData>> ended = new ConcurrentHashMap<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            spans.forEach(each -> of(each.getKind()).add(each));
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }

        SpanData next(SpanKind kind) throws InterruptedException {
            SpanData span = of(kind).poll(PATIENCE_S, TimeUnit.SECONDS);
            assertThat(span).as("a span of the kind " + kind).isNotNull();
            return span;
        }

        private LinkedBlockingQueue<SpanData> of(SpanKind kind) {
            return ended.computeIfAbsent(kind, each -> new LinkedBlockingQueue<>());
        }
    }

    static class Single {
        private final Seen seen;

        Single(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(Delivery<String> order) {
            seen.add(order.value() + " " + Span.current().getSpanContext().getTraceId());
        }
    }

    @Test
    void theListenerContinuesTheTraceOfTheProducer() {
        application.withBean(Single.class).run(context -> {
            String trace = inTrace(() -> context.getBean(QueenTemplate.class).push(queue, "a", "good"));

            assertThat(seen.next()).isEqualTo("good " + trace);
            SpanData pushed = spans.next(SpanKind.PRODUCER);
            SpanData handled = spans.next(SpanKind.CONSUMER);
            assertThat(pushed.getTraceId()).isEqualTo(trace);
            assertThat(pushed.getName()).isEqualTo("push " + queue);
            assertThat(handled.getTraceId()).isEqualTo(trace);
            assertThat(handled.getParentSpanId()).isEqualTo(pushed.getSpanId());
            assertThat(handled.getName()).isEqualTo("process " + queue);
        });
    }

    static class Batches {
        private final Seen seen;

        Batches(Seen seen) {
            this.seen = seen;
        }

        @QueenListener(queue = "${shop.queue}", group = "billing")
        void bill(List<String> orders) {
            seen.add(orders + " " + Span.current().getSpanContext().getTraceId());
        }
    }

    @Test
    void aBatchOfOneTraceContinuesIt() {
        application.withBean(Batches.class).run(context -> {
            String trace = inTrace(() -> context.getBean(QueenTemplate.class).pushAll(queue, "a", List.of("1", "2")));

            assertThat(seen.next()).isEqualTo("[1, 2] " + trace);
            SpanData pushed = spans.next(SpanKind.PRODUCER);
            assertThat(spans.next(SpanKind.CONSUMER).getParentSpanId()).isEqualTo(pushed.getSpanId());
        });
    }

    @Test
    void aBatchOfSeveralTracesStartsANewTrace() {
        application.withBean(Batches.class).withPropertyValues("queen.listener.auto-startup=false").run(context -> {
            QueenTemplate template = context.getBean(QueenTemplate.class);
            String first = inTrace(() -> template.push(queue, "a", "1"));
            String second = inTrace(() -> template.push(queue, "a", "2"));
            queen.queue(queue, String.class).partition("a").push("3");
            context.getBean(QueenListeners.class).start();

            assertThat(seen.next()).startsWith("[1, 2, 3] ").doesNotContain(first, second);
            SpanData handled = spans.next(SpanKind.CONSUMER);
            assertThat(handled.getParentSpanContext().isValid()).isFalse();
            assertThat(handled.getLinks()).extracting(each -> each.getSpanContext().getTraceId()).containsExactly(first,
                    second);
            assertThat(handled.getAttributes().asMap()).anySatisfy((key, value) -> {
                assertThat(key.getKey()).isEqualTo("messaging.batch.message_count");
                assertThat(value).isEqualTo("3");
            });
        });
    }

    /** Runs the task in a trace and returns its id. */
    private String inTrace(Runnable work) {
        return Observation.createNotStarted("order", registry).observe(() -> {
            work.run();
            return Span.current().getSpanContext().getTraceId();
        });
    }
}
