package io.queenmq.test.spring;

import io.queenmq.spring.QueenConnectionDetails;
import io.queenmq.test.TestQueen;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Replaces the servers of an application, and its DataSource if requested. Spring shares the context of test classes whose
 * customizers are equal.
 *
 * @param dataSource true if the DataSource of the application is the database of the server
 */
record QueenContextCustomizer(boolean dataSource) implements ContextCustomizer {
    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        TestQueen server = TestQueen.shared();
        QueenConnectionDetails details = () -> List.of(server.url());
        context.getBeanFactory().registerSingleton("queenTestConnectionDetails", details);
        if (dataSource) {
            context.getEnvironment().getPropertySources()
                    .addFirst(new MapPropertySource("queen-test",
                            Map.of("spring.datasource.url", server.jdbcUrl(), "spring.datasource.username",
                                    server.databaseUser(), "spring.datasource.password", server.databasePassword())));
        }
    }
}
