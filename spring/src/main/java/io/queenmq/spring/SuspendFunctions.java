package io.queenmq.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Calls suspend functions of Kotlin and waits until they complete. The compiler of Kotlin adds a parameter to them, a
 * continuation with the type of the result. {@link #call} requires kotlinx-coroutines-core.
 */
final class SuspendFunctions {
    private static final String CONTINUATION = "kotlin.coroutines.Continuation";
    private static final String UNIT = "kotlin.Unit";
    private static final String BUILDERS = "kotlinx.coroutines.BuildersKt";

    private SuspendFunctions() {}

    static boolean isSuspending(Method method) {
        Class<?>[] types = method.getParameterTypes();
        return types.length > 0 && types[types.length - 1].getName().equals(CONTINUATION);
    }

    static boolean isSupported() {
        return ClassUtils.isPresent(BUILDERS, SuspendFunctions.class.getClassLoader());
    }

    /** Returns the parameters that the source code declares. */
    static Type[] parameters(Method method) {
        Type[] types = method.getGenericParameterTypes();
        return isSuspending(method) ? Arrays.copyOf(types, types.length - 1) : types;
    }

    /** Returns the type of the result; void for none. */
    static Type result(Method method) {
        if (!isSuspending(method)) {
            return method.getGenericReturnType();
        }
        Type[] types = method.getGenericParameterTypes();
        Type result = types[types.length - 1] instanceof ParameterizedType generic
                ? generic.getActualTypeArguments()[0]
                : Object.class;
        if (result instanceof WildcardType wildcard && wildcard.getLowerBounds().length > 0) {
            result = wildcard.getLowerBounds()[0];
        }
        return result.getTypeName().equals(UNIT) ? void.class : result;
    }

    /** Calls the function on this thread. An interrupt of the thread cancels its coroutine. */
    @SuppressWarnings("NullAway") // the result is null if the function returns null
    static @Nullable Object call(Object bean, Method method, @Nullable Object[] arguments) throws Exception {
        return BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, (scope, continuation) -> {
            @Nullable
            Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = continuation;
            try {
                return method.invoke(bean, all);
            } catch (InvocationTargetException e) {
                throw SuspendFunctions.<RuntimeException>unchecked(e.getCause() == null ? e : e.getCause());
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Lets a checked exception leave a lambda that declares none. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable failure) throws E {
        throw (E) failure;
    }
}
