package io.queenmq.spring;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import org.springframework.util.ClassUtils;

/**
 * Reads the signatures of suspend functions of Kotlin, without a library of Kotlin. Its compiler adds a parameter to
 * them: a continuation with the type of the result.
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
}
