package io.queenmq.spring;

import io.queenmq.client.Delivery;
import io.queenmq.client.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.List;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** A method that handles messages, on a bean. Safe from any thread if the bean is. */
final class ListenerMethod {
    /** What the method wants to be called with. */
    enum Kind {
        PAYLOAD,
        DELIVERY,
        BATCH
    }

    private final Object bean;
    private final Method method;
    private final Kind kind;
    private final Type payloadType;

    /** @throws IllegalStateException when it cannot be a listener, and why */
    ListenerMethod(Object bean, Method method) {
        this.bean = bean;
        this.method = AopUtils.selectInvocableMethod(method, bean.getClass());
        if (method.getParameterCount() != 1) {
            throw refused(method, "must have one parameter: the payload, Delivery<T> or List<Delivery<T>>");
        }
        // Asked of the method as it was written: a proxy's one has lost its generic types.
        Type parameter = method.getGenericParameterTypes()[0];
        if (isOf(parameter, Delivery.class)) {
            this.kind = Kind.DELIVERY;
            this.payloadType = argument(parameter);
        } else if (isOf(parameter, List.class) && isOf(argument(parameter), Delivery.class)) {
            this.kind = Kind.BATCH;
            this.payloadType = argument(argument(parameter));
        } else {
            this.kind = Kind.PAYLOAD;
            this.payloadType = parameter;
        }
        requireReturn();
        ReflectionUtils.makeAccessible(this.method);
    }

    /** A future, for example, would be ignored, and its message acknowledged before the work is done. */
    private void requireReturn() {
        boolean isDeciding = method.getReturnType() == Outcome.class && kind != Kind.BATCH;
        if (method.getReturnType() != void.class && !isDeciding) {
            throw refused(method, kind == Kind.BATCH ? "must return nothing" : "must return nothing or an Outcome");
        }
    }

    Kind kind() {
        return kind;
    }

    Type payloadType() {
        return payloadType;
    }

    Outcome handle(Delivery<?> delivery) throws Exception {
        return invoke(kind == Kind.PAYLOAD ? delivery.value() : delivery);
    }

    void handleAll(List<? extends Delivery<?>> lane) throws Exception {
        invoke(lane);
    }

    private Outcome invoke(Object argument) throws Exception {
        try {
            Object returned = method.invoke(bean, argument);
            return returned == null ? Outcome.ack() : (Outcome) returned;
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            throw e;
        }
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
