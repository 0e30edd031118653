package io.queenmq.server.http.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.queenmq.server.config.TlsConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the certificates of a running server when their files change. Contents are compared, not times, so that it does
 * not matter how files are replaced. Unusable files have no effect. Open connections are not affected. At most
 * one comparison is in progress.
 */
final class TlsReload {
    private static final Logger log = LoggerFactory.getLogger(TlsReload.class);

    private final Vertx vertx;
    private final TlsConfig config;
    private final HttpServer server;
    private final long timer;
    private volatile X509Certificate certificate;
    private volatile TlsFiles inUse;
    /** The last contents or error that was reported, so that it is reported once; null if the files are fine. */
    private volatile @Nullable Object rejected;
    private final AtomicBoolean isBusy = new AtomicBoolean();

    private TlsReload(Vertx vertx, TlsConfig config, HttpServer server, TlsFiles inUse) {
        this.vertx = vertx;
        this.config = config;
        this.server = server;
        this.inUse = inUse;
        this.certificate = inUse.check(vertx);
        this.timer = vertx.setPeriodic(config.reloadEvery().toMillis(), _ -> compare());
    }

    /**
     * Watches the files until the server is closed.
     *
     * @param server one of the servers that share the port; all of them use the new certificate
     * @param inUse the contents that the server was started with
     */
    static TlsReload start(Vertx vertx, TlsConfig config, HttpServer server, TlsFiles inUse, MeterRegistry registry) {
        TlsReload reload = new TlsReload(vertx, config, server, inUse);
        Gauge.builder("queen.tls.certificate.expiry.seconds", () -> reload.certificate.getNotAfter().getTime() / 1e3)
                .description("Expiry of the certificate of this server, in seconds since 1970.").register(registry);
        return reload;
    }

    void stop() {
        vertx.cancelTimer(timer);
    }

    private void compare() {
        if (!isBusy.compareAndSet(false, true)) {
            return;
        }
        vertx.executeBlocking(this::findChange).compose(found -> found == null ? Future.succeededFuture() : use(found))
                .onComplete(_ -> isBusy.set(false));
    }

    /** Returns the contents of the files if they changed and can be used, otherwise null. Blocks. */
    private @Nullable Change findChange() {
        TlsFiles found;
        try {
            found = TlsFiles.read(config);
        } catch (IOException e) {
            reject(e.toString(), "cannot read a file: " + e);
            return null;
        }
        if (found.equals(inUse)) {
            rejected = null;
        }
        if (found.equals(inUse) || found.equals(rejected)) {
            return null;
        }
        try {
            return new Change(found, found.check(vertx));
        } catch (IllegalArgumentException e) {
            reject(found, e.getMessage());
            return null;
        }
    }

    private Future<?> use(Change change) {
        return server.updateSSLOptions(change.files.options()).onSuccess(_ -> {
            inUse = change.files;
            rejected = null;
            certificate = change.certificate;
            log.info("TLS certificates reloaded, valid until {}", certificate.getNotAfter().toInstant());
        }).onFailure(failure -> reject(change.files, failure.getClass().getName()));
    }

    private void reject(Object reason, @Nullable String text) {
        if (!reason.equals(rejected)) {
            rejected = reason;
            log.warn("changed TLS files cannot be used, keeping the previous certificates: {}", text);
        }
    }

    private record Change(TlsFiles files, X509Certificate certificate) {}
}
