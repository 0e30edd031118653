package io.queenmq.spring;

import io.queenmq.client.Queen;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * The methods with {@link QueenListener}, each with its consumer: started last and stopped first, so that handlers find all that
 * they need. Stopping waits for the handlers at work. Called by Spring, and by applications that start and stop single listeners.
 */
public final class QueenListeners implements SmartLifecycle {
    private final Queen queen;
    private final QueenProperties.Listener settings;
    private final Meters meters;
    private final ConfigurableListableBeanFactory beans;
    /** Null until somebody asks; by then all beans are known. */
    private @Nullable Map<String, ListenerConsumer> listeners;
    private volatile boolean isRunning;

    QueenListeners(Queen queen, QueenProperties.Listener settings, Meters meters,
            ConfigurableListableBeanFactory beans) {
        this.queen = queen;
        this.settings = settings;
        this.meters = meters;
        this.beans = beans;
    }

    /** By these the other methods know them. */
    public Set<String> ids() {
        return new TreeSet<>(all().keySet());
    }

    /** Starts one that does not run. */
    public void start(String id) {
        get(id).start();
    }

    /** Stops one, and waits for its handlers at work; its messages wait for it, or for others of its group. */
    public void stop(String id) {
        get(id).stop();
    }

    public boolean isRunning(String id) {
        return get(id).isRunning();
    }

    /** Those that servers refuse, and that get no messages any more. */
    public Set<String> failed() {
        Set<String> failed = new TreeSet<>();
        all().forEach((id, listener) -> {
            if (listener.hasFailed()) {
                failed.add(id);
            }
        });
        return failed;
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
    public void start() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            all().values().stream().filter(ListenerConsumer::isAutoStartup).forEach(ListenerConsumer::start);
        } catch (RuntimeException e) {
            stop();
            throw e;
        }
    }

    /** All at once: together they take as long as the slowest handler. */
    @Override
    public void stop() {
        List<Thread> stopping = known().stream().map(each -> Thread.ofVirtual().start(each::stop)).toList();
        try {
            for (Thread each : stopping) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        isRunning = false;
    }

    private ListenerConsumer get(String id) {
        ListenerConsumer listener = all().get(id);
        if (listener == null) {
            throw new IllegalArgumentException("there is no listener '" + id + "', but " + ids());
        }
        return listener;
    }

    private synchronized Collection<ListenerConsumer> known() {
        return listeners == null ? List.of() : listeners.values();
    }

    private synchronized Map<String, ListenerConsumer> all() {
        if (listeners == null) {
            Map<String, ListenerConsumer> found = new LinkedHashMap<>();
            for (String name : beans.getBeanNamesForType(Object.class)) {
                if (!ScopedProxyUtils.isScopedTarget(name)) {
                    addThoseOf(name, found);
                }
            }
            listeners = found;
        }
        return listeners;
    }

    private void addThoseOf(String beanName, Map<String, ListenerConsumer> found) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null || !AnnotationUtils.isCandidateClass(type, QueenListener.class)) {
            return;
        }
        Map<Method, QueenListener> methods = MethodIntrospector.selectMethods(type,
                (MethodIntrospector.MetadataLookup<QueenListener>) method -> AnnotatedElementUtils
                        .findMergedAnnotation(method, QueenListener.class));
        methods.forEach((method, listener) -> {
            ListenerMethod handler = new ListenerMethod(beans.getBean(beanName), method);
            ListenerSettings said = new ListenerSettings(listener, handler.toString(), beans);
            String id = said.id().isEmpty() ? beanName + "." + method.getName() : said.id();
            ListenerConsumer consumer = new ListenerConsumer(queen, handler, said, settings.drainWithin(), meters);
            if (found.putIfAbsent(id, consumer) != null) {
                throw new IllegalStateException(
                        "two listeners have the id '" + id + "': " + found.get(id) + " and " + handler
                                + "; give one of them another id");
            }
        });
    }
}
