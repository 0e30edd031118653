package io.queenmq.spring;

import io.queenmq.client.ConsumerListener;
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
 * The {@link QueenListener} methods and their consumers. They start last and stop first, so that all beans they need
 * are available. Stopping waits for running handlers. Used by Spring, and by applications that start and stop single
 * listeners.
 */
public final class QueenListeners implements SmartLifecycle {
    private static final ConsumerListener LOGGING = new ConsumerListener() {};

    private final Queen queen;
    private final QueenProperties.Listener settings;
    private final Meters meters;
    private final ConfigurableListableBeanFactory beans;
    /** Null before the first use. By then all beans are defined. */
    private @Nullable Map<String, ListenerConsumer> listeners;
    private volatile boolean isRunning;

    QueenListeners(Queen queen, QueenProperties.Listener settings, Meters meters,
            ConfigurableListableBeanFactory beans) {
        this.queen = queen;
        this.settings = settings;
        this.meters = meters;
        this.beans = beans;
    }

    /** Returns the ids of all listeners. */
    public Set<String> ids() {
        return new TreeSet<>(all().keySet());
    }

    /** Starts a listener that is not running. */
    public void start(String id) {
        get(id).start();
    }

    /**
     * Stops a listener and waits for its running handlers. Its messages wait for it, or are delivered to other
     * consumers of its group.
     */
    public void stop(String id) {
        get(id).stop();
    }

    public boolean isRunning(String id) {
        return get(id).isRunning();
    }

    /** Returns the ids of the listeners that a server rejected, so that they receive no messages. */
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

    /** Stops all listeners concurrently, which takes as long as the slowest handler. */
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
            throw new IllegalArgumentException("unknown listener '" + id + "'; the listeners are " + ids());
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
                    addListenersOf(name, found);
                }
            }
            listeners = found;
        }
        return listeners;
    }

    private void addListenersOf(String beanName, Map<String, ListenerConsumer> found) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, beanName);
        if (type == null || !AnnotationUtils.isCandidateClass(type, QueenListener.class)) {
            return;
        }
        Map<Method, QueenListener> methods = MethodIntrospector.selectMethods(type,
                (MethodIntrospector.MetadataLookup<QueenListener>) method -> AnnotatedElementUtils
                        .findMergedAnnotation(method, QueenListener.class));
        methods.forEach((method, listener) -> {
            Object bean = beans.getBean(beanName);
            ListenerMethod handler = new ListenerMethod(bean, method, beans);
            ListenerSettings listenerSettings = new ListenerSettings(listener, handler.toString(), beans);
            String id = listenerSettings.id().isEmpty() ? beanName + "." + method.getName() : listenerSettings.id();
            ListenerConsumer consumer = new ListenerConsumer(queen, handler,
                    deadLetterMethod(bean, type, listenerSettings, handler), listenerSettings, settings.drainWithin(),
                    meters, beans.getBeanProvider(ConsumerListener.class).getIfAvailable(() -> LOGGING));
            if (found.putIfAbsent(id, consumer) != null) {
                throw new QueenStartupException(
                        "Two listeners have the id '" + id + "': " + found.get(id) + " and " + handler,
                        "Give one of them another id.", null);
            }
        });
    }

    private @Nullable ListenerMethod deadLetterMethod(Object bean, Class<?> type, ListenerSettings listenerSettings,
            ListenerMethod handler) {
        String name = listenerSettings.deadLetter();
        if (name.isEmpty()) {
            return null;
        }
        List<Method> named = MethodIntrospector.selectMethods(type, (Method each) -> each.getName().equals(name))
                .stream().toList();
        if (named.size() != 1) {
            throw new QueenStartupException(
                    "@QueenListener " + handler + ": deadLetter is '" + name + "', but " + type.getSimpleName()
                            + " has " + named.size() + " methods of that name",
                    "Name one method of the same class.", null);
        }
        ListenerMethod method = new ListenerMethod(bean, named.getFirst(), beans);
        if (method.isBatch()) {
            throw new QueenStartupException("@QueenListener " + handler + ": the dead-letter method " + method
                    + " has a batch as its parameter", "Give it parameters for one message.", null);
        }
        return method;
    }

    /** Returns all listeners. */
    Collection<ListenerConsumer> consumers() {
        return all().values();
    }
}
