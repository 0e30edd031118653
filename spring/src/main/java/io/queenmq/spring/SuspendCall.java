package io.queenmq.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlinx.coroutines.BuildersKt;
import org.jspecify.annotations.Nullable;

/**
 * Calls suspend functions of Kotlin and waits until they complete. Used only if the application contains
 * kotlinx-coroutines; no other class may refer to its types.
 */
final class SuspendCall {
    private SuspendCall() {}

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
                throw SuspendCall.<RuntimeException>unchecked(e.getCause() == null ? e : e.getCause());
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
