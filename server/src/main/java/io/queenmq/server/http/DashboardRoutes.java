package io.queenmq.server.http;

import io.queenmq.dashboard.Asset;
import io.queenmq.dashboard.Dashboard;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Serves the dashboard. It is public, because it is only files: whatever it shows comes from the API, which is guarded. Owned
 * by one event loop.
 */
final class DashboardRoutes {
    /** The first words of the addresses at which the one page shows what they say. Anything else is not found. */
    private static final List<String> PAGES = List.of("queues", "lanes", "messages", "groups", "dead-letters", "traces",
            "operations", "postgres", "system");
    private static final String ASSETS = "/assets/";

    private final HttpLoop loop;
    private Dashboard dashboard;

    DashboardRoutes(HttpLoop loop) {
        this.loop = loop;
    }

    void addTo(Router router) {
        router.get("/").handler(context -> handle(context, this::page));
        for (String page : PAGES) {
            router.get("/" + page).handler(context -> handle(context, this::page));
            router.get("/" + page + "/*").handler(context -> handle(context, this::page));
        }
        router.get(ASSETS + "*").handler(context -> handle(context, this::asset));
    }

    private void handle(RoutingContext context, BiConsumer<Exchange, String> route) {
        Exchange exchange = new Exchange(loop, context.request());
        String path = context.request().path();
        if (dashboard != null) {
            route.accept(exchange, path);
            return;
        }
        // Reading and compressing the files takes a while.
        context.vertx().executeBlocking(Dashboard::get).onComplete(loaded -> {
            dashboard = loaded;
            route.accept(exchange, path);
        }, exchange::bug);
    }

    private void page(Exchange exchange, String path) {
        exchange.sendDashboard(dashboard.page(), dashboard.importMapHash());
    }

    private void asset(Exchange exchange, String path) {
        Asset asset = dashboard.asset(path.substring(ASSETS.length()));
        if (asset == null) {
            exchange.error(404, "there is nothing at " + path);
        } else {
            exchange.sendAsset(asset, '"' + dashboard.release() + '"');
        }
    }
}
