package io.queenmq.spring;

import io.queenmq.test.TestQueen;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.util.ClassUtils;

/** A small application with the starter of either Spring Boot version. */
final class Application {
    private Application() {}

    static ApplicationContextRunner of(TestQueen server, String queue) {
        return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ours()))
                .withPropertyValues("queen.urls=" + server.url(), "shop.queue=" + queue);
    }

    /** The auto-configurations of the starter and those that it requires. */
    private static Class<?>[] ours() {
        ClassLoader loader = Application.class.getClassLoader();
        List<Class<?>> found = new ArrayList<>();
        for (String each : ImportCandidates.load(AutoConfiguration.class, loader)) {
            if (each.startsWith("io.queenmq.") || each.endsWith(".JacksonAutoConfiguration")
                    || each.endsWith(".SslAutoConfiguration")) {
                found.add(ClassUtils.resolveClassName(each, loader));
            }
        }
        return found.toArray(Class<?>[]::new);
    }
}
