package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableHint;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.annotation.AliasFor;
import org.springframework.javapoet.ClassName;
import org.springframework.messaging.handler.annotation.Header;

/** Hints for native images, as Spring's processing ahead of time records them. */
class NativeImageTest {
    record Order(int number, Item item) {}

    record Item(String name) {}

    record Parcel(int number) {}

    @QueenListener(queue = "orders")
    @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
    @interface OrdersListener {
        @AliasFor(annotation = QueenListener.class)
        String group();
    }

    static class Billing {
        @QueenListener(queue = "orders", deadLetter = "giveUp")
        void bill(Delivery<Order> order, @Header("kind") String kind) {}

        void giveUp(Order order) {}

        void other(Order order) {}

        @OrdersListener(group = "shipping")
        void ship(List<? extends Parcel> parcels) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        Billing billing() {
            return new Billing();
        }
    }

    @Test
    void listenersMayBeCalledAndTheirPayloadsDecoded() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.queenmq.spring", "Shop")), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(Shop.class, QueenAutoConfiguration.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        generation.writeGeneratedContent();

        RuntimeHints hints = generation.getRuntimeHints();
        assertThat(callable(hints, Billing.class)).contains("bill", "giveUp", "ship").doesNotContain("other");
        assertThat(callable(hints, Order.class)).contains("number", "item");
        assertThat(callable(hints, Item.class)).contains("name");
        assertThat(callable(hints, Parcel.class)).contains("number");
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(each -> each.contains("QueenAutoConfiguration"));
    }

    private static List<String> callable(RuntimeHints hints, Class<?> type) {
        TypeHint hint = hints.reflection().getTypeHint(type);
        return hint == null
                ? List.of()
                : hint.methods().filter(each -> each.getMode() == ExecutableMode.INVOKE).map(ExecutableHint::getName)
                        .toList();
    }
}
