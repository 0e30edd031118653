package io.queenmq.server.http.operator;

import io.queenmq.dashboard.Asset;
import io.queenmq.dashboard.Dashboard;
import io.queenmq.server.auth.OidcMetadata;
import io.queenmq.server.auth.OidcProvider;
import io.queenmq.server.http.server.Exchange;
import io.queenmq.server.http.server.Route;
import io.queenmq.server.http.server.Router;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files of the dashboard. They are public and contain no data: the dashboard reads all data from the API, which
 * requires access. Owned by one event loop.
 */
public final class DashboardRoutes {
    /** First path segments that the single page of the dashboard handles. Other paths are answered 404. */
    private static final List<String> PAGES = List.of("queues", "partitions", "messages", "groups", "queries",
            "dead-letters", "traces", "operations", "postgres", "system", "login");
    private static final String ASSETS = "/assets/";

    private final Vertx vertx;
    private final @Nullable OidcProvider provider;
    private @Nullable Dashboard dashboard;

    /** @param provider null if the dashboard has no login with OpenID Connect */
    public DashboardRoutes(Vertx vertx, @Nullable OidcProvider provider) {
        this.vertx = vertx;
        this.provider = provider;
    }

    public void addTo(Router router) {
        router.add(HttpMethod.GET, "/", loaded(this::page));
        for (String page : PAGES) {
            router.add(HttpMethod.GET, "/" + page, loaded(this::page));
            router.add(HttpMethod.GET, "/" + page + "/*", loaded(this::page));
        }
        router.add(HttpMethod.GET, ASSETS + "*", loaded(DashboardRoutes::asset));
    }

    private Route loaded(BiConsumer<Exchange, Dashboard> route) {
        return exchange -> {
            if (dashboard != null) {
                route.accept(exchange, dashboard);
                return;
            }
            // Reading and compressing the files blocks.
            vertx.executeBlocking(Dashboard::get).onComplete(loaded -> {
                dashboard = loaded;
                exchange.attempt(() -> route.accept(exchange, loaded));
            }, exchange::internalError);
        };
    }

    private void page(Exchange exchange, Dashboard dashboard) {
        OidcMetadata metadata = provider == null ? null : provider.metadata();
        exchange.sendDashboard(dashboard.page(), dashboard.importMapHash(),
                metadata == null ? null : metadata.tokenOrigin());
    }

    private static void asset(Exchange exchange, Dashboard dashboard) {
        String path = exchange.rawPath();
        Asset asset = dashboard.asset(path.substring(ASSETS.length()));
        if (asset == null) {
            exchange.error(404, "there is nothing at " + path);
        } else {
            exchange.sendAsset(asset, '"' + dashboard.release() + '"');
        }
    }
}
