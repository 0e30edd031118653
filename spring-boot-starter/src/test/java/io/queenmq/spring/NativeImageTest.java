package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.client.Delivery;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
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
        assertThat(List.of("bill", "giveUp", "ship")).allMatch(
                name -> RuntimeHintsPredicates.reflection().onMethodInvocation(Billing.class, name).test(hints));
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Billing.class, "other").test(hints))
                .isFalse();
        assertThat(List.of(Order.class, Item.class, Parcel.class)).allMatch(
                type -> RuntimeHintsPredicates.reflection().onMethodInvocation(type, accessor(type)).test(hints));
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(each -> each.contains("QueenAutoConfiguration"));
    }

    private static String accessor(Class<?> type) {
        return type == Item.class ? "name" : "number";
    }
}
