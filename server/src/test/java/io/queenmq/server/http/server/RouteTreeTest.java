package io.queenmq.server.http.server;

import static io.vertx.core.http.HttpMethod.DELETE;
import static io.vertx.core.http.HttpMethod.GET;
import static io.vertx.core.http.HttpMethod.POST;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTreeTest {
    private final RouteTree tree = new RouteTree();
    private final Map<Route, String> names = new HashMap<>();

    RouteTreeTest() {
        add(GET, "/");
        add(GET, "/groups/:group");
        add(GET, "/groups/lagging");
        add(DELETE, "/groups/:group");
        add(POST, "/groups/lagging/refresh");
        add(GET, "/groups/:group/partitions/:partition");
        add(GET, "/files/*");
        add(GET, "/files/:file/size");
    }

    private void add(HttpMethod method, String path) {
        Route route = new Route() {
            @Override
            public void handle(Exchange exchange) {
                throw new AssertionError("this route must not be called");
            }
        };
        names.put(route, path);
        tree.add(method, path, route);
    }

    private String found(HttpMethod method, String path) {
        return names.get(tree.find(method, RequestPath.of(path)));
    }

    @ParameterizedTest
    @CsvSource({"/,/", "/groups/a,/groups/:group", "/groups/a/,/groups/:group", "/groups/lagging,/groups/lagging",
        "/groups/%2F,/groups/:group", "/groups/..,/groups/:group",
        "/groups/a/partitions/b,/groups/:group/partitions/:partition", "/files/a,/files/*", "/files/a/b/c,/files/*",
        "/files//a,/files/*", "/files/a/size,/files/:file/size"})
    void aPathFindsItsRoute(String path, String route) {
        assertThat(found(GET, path)).isEqualTo(route);
    }

    @Test
    void aFixedSegmentWithoutARouteDoesNotHideAParameter() {
        assertThat(found(GET, "/groups/lagging/partitions/b")).isEqualTo("/groups/:group/partitions/:partition");
        assertThat(found(DELETE, "/groups/lagging")).isEqualTo("/groups/:group");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/groups", "/groups/", "/groups//", "/groups//partitions/b", "//groups/a",
        "/groups/a/partitions", "/groups/a/partitions/b/c", "/files", "/files/", "/Groups/a", "/%67roups/a"})
    void undefinedRoutesAreNotFound(String path) {
        assertThat(found(GET, path)).isNull();
        assertThat(tree.methods(RequestPath.of(path))).isEmpty();
    }

    @Test
    void aPathListsItsMethods() {
        assertThat(found(GET, "/groups/lagging/refresh")).isNull();
        assertThat(tree.methods(RequestPath.of("/groups/lagging/refresh"))).isNotEmpty();
    }
}
