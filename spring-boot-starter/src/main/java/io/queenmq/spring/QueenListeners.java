package io.queenmq.spring;

import io.queenmq.client.ConsumerBuilder;
import io.queenmq.client.GroupView;
import io.queenmq.client.Outcome;
import io.queenmq.client.Queen;
import io.queenmq.client.QueueView;
import io.queenmq.client.RunningConsumer;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * The consumers behind the methods with {@link QueenListener}: started last and stopped first, so that handlers find all that they
 * need. Stopping waits for the handlers at work. Called by Spring.
 */
public final class QueenListeners implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(QueenListeners.class);

    private final Queen queen;
    private final QueenProperties.Listener settings;
    private final Meters meters;
    private final ConfigurableListableBeanFactory beans;
    private final List<RunningConsumer> running = new ArrayList<>();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();
    private volatile boolean isRunning;

    QueenListeners(Queen queen, QueenProperties.Listener settings, Meters meters,
            ConfigurableListableBeanFactory beans) {
        this.queen = queen;
        this.settings = settings;
        this.meters = meters;
        this.beans = beans;
    }

    /** Those that servers refuse, because of a token for example, and that get no messages any more. */
    public Set<String> failed() {
        return Set.copyOf(failed);
    }

    @Override
    public boolean isAutoStartup() {
        return settings.autoStartup();
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public synchronized void start() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            for (String name : beans.getBeanNamesForType(Object.class)) {
                if (!ScopedProxyUtils.isScopedTarget(name)) {
                    startThoseOf(name);
                }
            }
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
    }

    private void startThoseOf(String beanName) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null || !AnnotationUtils.isCandidateClass(type, QueenListener.class)) {
            return;
        }
        Map<Method, QueenListener> methods = MethodIntrospector.selectMethods(type,
                (MethodIntrospector.MetadataLookup<QueenListener>) method -> AnnotatedElementUtils
                        .findMergedAnnotation(method, QueenListener.class));
        methods.forEach((method, listener) -> start(new ListenerMethod(beans.getBean(beanName), method), listener));
    }

    private void start(ListenerMethod method, QueenListener listener) {
        String queueName = beans.resolveEmbeddedValue(listener.queue());
        String groupName = beans.resolveEmbeddedValue(listener.group());
        QueueView<Object> queue = queen.queue(queueName, method.payloadType());
        GroupView<Object> group = groupName.isEmpty() ? queue.withoutGroup() : queue.group(groupName);
        ConsumerBuilder<Object> consumer = group.consumer().concurrency(listener.concurrency())
                .batch(listener.batch()).maxPartitions(listener.maxPartitions()).drainWithin(settings.drainWithin());
        RunningConsumer started = switch (method.kind()) {
            case PAYLOAD, DELIVERY -> consumer
                    .startDeciding(delivery -> measured(queueName, groupName, 1, () -> method.handle(delivery)));
            case BATCH -> consumer.startBatches(lane -> measured(queueName, groupName, lane.size(), () -> {
                method.handleAll(lane);
                return Outcome.ack();
            }));
        };
        running.add(started);
        started.ended().whenComplete((ended, failure) -> {
            if (failure != null) {
                failed.add(method.toString());
                log.error("{} gets no more messages of {}", method, queueName, failure);
            }
        });
    }

    private Outcome measured(String queue, String group, int messages, Callable<Outcome> handler) throws Exception {
        long beganNs = System.nanoTime();
        boolean isDone = false;
        try {
            Outcome outcome = handler.call();
            isDone = true;
            return outcome;
        } finally {
            meters.handled(queue, group, messages, System.nanoTime() - beganNs, !isDone);
        }
    }

    /** All at once: together they take as long as the slowest handler. */
    @Override
    public synchronized void stop() {
        List<Thread> closing = running.stream().map(each -> Thread.ofVirtual().start(each::close)).toList();
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.clear();
        failed.clear();
        isRunning = false;
    }
}
