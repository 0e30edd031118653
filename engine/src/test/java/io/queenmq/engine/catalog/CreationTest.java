package io.queenmq.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreationTest {
    @ParameterizedTest(name = "{0}: namespace {1}, task {2}")
    @CsvSource(delimiter = '|', emptyValue = "", textBlock = """
            orders              | orders | ''
            shop.orders         | shop   | orders
            shop.orders.express | shop   | orders
            shop.               | shop   | ''
            .orders             | ''     | orders
            shop..express       | shop   | ''
            """)
    void namespaceAndTaskAreTheFirstTwoPartsOfTheName(String name, String namespace, String task) {
        assertThat(Creation.of(name, 42)).isEqualTo(new Creation(name, namespace, task, 42));
        assertThat(Creation.namespaceOf(name)).isEqualTo(namespace);
    }
}
