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

/**
 * Serves the dashboard. It is public, because it is only files: whatever it shows comes from the API, which is guarded. Owned
 * by one event loop.
 */
public final class DashboardRoutes {
    /** The first words of the addresses at which the one page shows what they say. Anything else is not found. */
    private static final List<String> PAGES = List.of("queues", "partitions", "messages", "groups", "queries",
            "dead-letters",
            "traces", "operations", "postgres", "system", "login");
    private static final String ASSETS = "/assets/";

    private final Vertx vertx;
    private final OidcProvider provider;
    private Dashboard dashboard;

    /** @param provider null if the dashboard has no login with OpenID Connect */
    public DashboardRoutes(Vertx vertx, OidcProvider provider) {
        this.vertx = vertx;
        this.provider = provider;
    }

    public void addTo(Router router) {
        router.add(HttpMethod.GET, "/", loaded(this::page));
        for (String page : PAGES) {
            router.add(HttpMethod.GET, "/" + page, loaded(this::page));
            router.add(HttpMethod.GET, "/" + page + "/*", loaded(this::page));
        }
        router.add(HttpMethod.GET, ASSETS + "*", loaded(this::asset));
    }

    private Route loaded(Route route) {
        return exchange -> {
            if (dashboard != null) {
                route.handle(exchange);
                return;
            }
            // Reading and compressing the files takes a while.
            vertx.executeBlocking(Dashboard::get).onComplete(loaded -> {
                dashboard = loaded;
                exchange.attempt(() -> route.handle(exchange));
            }, exchange::bug);
        };
    }

    private void page(Exchange exchange) {
        OidcMetadata metadata = provider == null ? null : provider.metadata();
        exchange.sendDashboard(dashboard.page(), dashboard.importMapHash(),
                metadata == null ? null : metadata.tokenOrigin());
    }

    private void asset(Exchange exchange) {
        String path = exchange.request().path();
        Asset asset = dashboard.asset(path.substring(ASSETS.length()));
        if (asset == null) {
            exchange.error(404, "there is nothing at " + path);
        } else {
            exchange.sendAsset(asset, '"' + dashboard.release() + '"');
        }
    }
}
