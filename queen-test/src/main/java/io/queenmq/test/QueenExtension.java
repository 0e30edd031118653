package io.queenmq.test;

import io.queenmq.client.Queen;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides tests with the {@link TestQueen} of this JVM and a {@link Queen} client. The client and its consumers are
 * closed after the test; those of a constructor or a method for all tests are closed after the last test.
 */
public final class QueenExtension implements ParameterResolver, AfterEachCallback, AfterAllCallback {
    private static final Namespace NAMESPACE = Namespace.create(QueenExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Queen.class || type == TestQueen.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestQueen server = TestQueen.shared();
        if (parameter.getParameter().getType() == TestQueen.class) {
            return server;
        }
        Store store = context.getStore(NAMESPACE);
        Queen known = store.get(Queen.class, Queen.class);
        if (known != null) {
            return known;
        }
        Queen connected = server.connect();
        store.put(Queen.class, connected);
        return connected;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close(context);
    }

    private static void close(ExtensionContext context) {
        Queen queen = context.getStore(NAMESPACE).remove(Queen.class, Queen.class);
        if (queen != null) {
            queen.close();
        }
    }
}
