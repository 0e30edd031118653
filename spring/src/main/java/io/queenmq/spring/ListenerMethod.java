package io.queenmq.spring;

import io.queenmq.client.Batch;
import io.queenmq.client.Delivery;
import io.queenmq.client.Message;
import io.queenmq.client.Outcome;
import io.queenmq.client.error.CodecException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** A method that handles messages, on a bean. Safe from any thread if the bean is. */
final class ListenerMethod {
    private static final String WANTED = "a payload, Delivery<T>, List<T> or List<Delivery<T>>";

    /** Types that no payload has; whoever names them means something else. */
    private static final Set<Class<?>> NO_PAYLOADS = Set.of(Delivery.class, Message.class, Batch.class);

    private final Object bean;
    private final Method method;
    private final boolean isBatch;
    private final boolean isDelivery;
    private final Type payloadType;

    /** @throws IllegalStateException when it cannot be a listener, and why */
    ListenerMethod(Object bean, Method method) {
        this.bean = bean;
        this.method = AopUtils.selectInvocableMethod(method, bean.getClass());
        if (method.getParameterCount() != 1) {
            throw refused(method, "must have one parameter: " + WANTED);
        }
        // Asked of the method as it was written: a proxy's one has lost its generic types.
        Type parameter = method.getGenericParameterTypes()[0];
        this.isBatch = isOf(parameter, List.class);
        Type single = isBatch ? argument(parameter) : parameter;
        this.isDelivery = isOf(single, Delivery.class);
        this.payloadType = isDelivery ? argument(single) : single;
        if (!isPayload(payloadType)) {
            throw refused(method,
                    "has a parameter that no message can become: " + parameter.getTypeName() + "; it must be "
                            + WANTED);
        }
        requireReturn();
        ReflectionUtils.makeAccessible(this.method);
    }

    /** A future, for example, would be ignored, and its message acknowledged before the work is done. */
    private void requireReturn() {
        boolean isDeciding = method.getReturnType() == Outcome.class && !isBatch;
        if (method.getReturnType() != void.class && !isDeciding) {
            throw refused(method, isBatch ? "must return nothing" : "must return nothing or an Outcome");
        }
    }

    /** Whether it wants all messages of a partition that were fetched together. */
    boolean isBatch() {
        return isBatch;
    }

    Type payloadType() {
        return payloadType;
    }

    Outcome handle(Delivery<?> delivery) throws Exception {
        return invoke(isDelivery ? delivery : delivery.value());
    }

    void handleAll(List<? extends Delivery<?>> partition) throws Exception {
        invoke(isDelivery ? partition : values(partition));
    }

    /** All are decoded before the method is called, so that all who cannot be are known at once. */
    private static List<Object> values(List<? extends Delivery<?>> partition) {
        List<Object> values = new ArrayList<>(partition.size());
        CodecException failure = null;
        for (Delivery<?> each : partition) {
            try {
                values.add(each.value());
            } catch (CodecException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
        return values;
    }

    private Outcome invoke(@Nullable Object argument) throws Exception {
        try {
            Object returned = method.invoke(bean, argument);
            return returned == null ? Outcome.ack() : (Outcome) returned;
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            throw e;
        }
    }

    private static boolean isPayload(Type type) {
        return switch (type) {
            case Class<?> plain -> plain.isArray()
                    ? isPayload(plain.getComponentType())
                    : !NO_PAYLOADS.contains(plain) && plain != void.class;
            case ParameterizedType generic -> isPayload(generic.getRawType())
                    && Arrays.stream(generic.getActualTypeArguments()).allMatch(ListenerMethod::isPayload);
            case GenericArrayType array -> isPayload(array.getGenericComponentType());
            case WildcardType wildcard -> Arrays.stream(wildcard.getUpperBounds()).allMatch(ListenerMethod::isPayload);
            case TypeVariable<?> unknown -> false;
            default -> true;
        };
    }

    private static boolean isOf(Type type, Class<?> wanted) {
        return type == wanted || type instanceof ParameterizedType generic && generic.getRawType() == wanted;
    }

    /** What stands between the angle brackets; anything when nothing does. */
    private static Type argument(Type type) {
        if (!(type instanceof ParameterizedType generic)) {
            return Object.class;
        }
        Type argument = generic.getActualTypeArguments()[0];
        return argument instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : argument;
    }

    private static IllegalStateException refused(Method method, String why) {
        return new IllegalStateException("@QueenListener " + method + " " + why);
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
