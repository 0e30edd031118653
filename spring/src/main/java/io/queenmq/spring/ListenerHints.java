package io.queenmq.spring;

import io.queenmq.client.Delivery;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;

/**
 * Registers the reflection that listeners need in a native image: the call of the method and of its dead-letter method,
 * and the decoding of the payload. Called by Spring for each method with {@link QueenListener} when the application is
 * processed ahead of time.
 */
final class ListenerHints implements ReflectiveProcessor {
    /** Types of parameters that contain the payload as their type argument. */
    private static final Set<Class<?>> CONTAINERS = Set.of(Delivery.class, Message.class, List.class, Collection.class);

    private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

    @Override
    public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
        if (!(element instanceof Method method)) {
            return;
        }
        register(hints, method);
        String deadLetter = MergedAnnotations.from(method).get(QueenListener.class).getString("deadLetter");
        for (Method each : method.getDeclaringClass().getDeclaredMethods()) {
            if (each.getName().equals(deadLetter)) {
                register(hints, each);
            }
        }
    }

    private void register(ReflectionHints hints, Method method) {
        hints.registerMethod(method, ExecutableMode.INVOKE);
        for (Parameter each : method.getParameters()) {
            if (!each.isAnnotationPresent(Header.class) && !each.isAnnotationPresent(Headers.class)) {
                binding.registerReflectionHints(hints, payload(each.getParameterizedType()));
            }
        }
    }

    private static Type payload(Type type) {
        return switch (type) {
            case ParameterizedType generic when generic.getRawType() instanceof Class<?> raw
                    && CONTAINERS.contains(raw) ->
                payload(generic.getActualTypeArguments()[0]);
            case WildcardType wildcard -> payload(wildcard.getUpperBounds()[0]);
            default -> type;
        };
    }
}
