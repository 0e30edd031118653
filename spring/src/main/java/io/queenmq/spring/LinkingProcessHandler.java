package io.queenmq.spring;

import io.micrometer.observation.Observation;
import io.micrometer.tracing.Link;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;

/**
 * Starts the spans of listener calls, and links the span of a batch with the spans that pushed its messages. Used only
 * if Micrometer Tracing is on the class path. Must precede Spring Boot's handler of receivers.
 */
final class LinkingProcessHandler extends PropagatingReceiverTracingObservationHandler<ProcessContext>
        implements
            Ordered {
    /** The header of W3C Trace Context. */
    private static final String HEADER = "traceparent";
    private static final Pattern FORMAT = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private final Tracer tracer;

    LinkingProcessHandler(Tracer tracer, Propagator propagator) {
        super(tracer, propagator);
        this.tracer = tracer;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ProcessContext;
    }

    @Override
    public Span.Builder customizeExtractedSpan(ProcessContext context, Span.Builder builder) {
        if (context.messages().size() > 1) {
            Set<String> spans = new LinkedHashSet<>();
            for (Map<String, String> headers : context.messages()) {
                String span = headers.get(HEADER);
                TraceContext linked = span != null && spans.add(span) ? traceContext(span) : null;
                if (linked != null) {
                    builder.addLink(new Link(linked));
                }
            }
        }
        return builder;
    }

    private @Nullable TraceContext traceContext(String header) {
        Matcher matcher = FORMAT.matcher(header);
        return matcher.matches()
                ? tracer.traceContextBuilder().traceId(matcher.group(1)).spanId(matcher.group(2))
                        .sampled((Integer.parseInt(matcher.group(3), 16) & 1) == 1).build()
                : null;
    }

    @Override
    public int getOrder() {
        return 0;
    }
}
