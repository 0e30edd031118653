package io.queenmq.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.queenmq.client.error.UnavailableException;
import io.queenmq.test.QueenTest;
import io.queenmq.test.TestQueen;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The SSL bundle of the client: trusted certificates and the client certificate. */
@QueenTest
class SslBundleTest {
    private static final String PASSWORD = "changeit";
    private static final String RESPONSE = "[{\"status\":\"queued\",\"messageId\":\"m\",\"partitionId\":\"p\"}]";

    @TempDir
    Path folder;

    private final LinkedBlockingQueue<String> clients = new LinkedBlockingQueue<>();
    private HttpsServer server;
    private Path store;

    /** A server that accepts only clients with the certificate of the store. */
    @BeforeEach
    void start() throws Exception {
        store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", "queen", "-keyalg", "EC", "-dname", "CN=queen", "-ext", "san=ip:127.0.0.1",
                "-storetype", "PKCS12", "-keystore", store.toString(), "-storepass", PASSWORD).inheritIO().start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        SSLContext context = context();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 10);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = context.getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            clients.add(((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName());
            exchange.sendResponseHeaders(201, RESPONSE.length());
            exchange.getResponseBody().write(RESPONSE.getBytes());
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private SSLContext context() throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }

    @Test
    void theClientUsesTheBundle(TestQueen any) {
        application(any).withPropertyValues("queen.ssl.bundle=queen",
                "spring.ssl.bundle.jks.queen.keystore.location=file:" + store,
                "spring.ssl.bundle.jks.queen.keystore.password=" + PASSWORD,
                "spring.ssl.bundle.jks.queen.truststore.location=file:" + store,
                "spring.ssl.bundle.jks.queen.truststore.password=" + PASSWORD).run(context -> {
                    assertThat(context.getBean(QueenOperations.class).push("q", "a", "x")).isTrue();
                    assertThat(clients.poll()).isEqualTo("CN=queen");
                });
    }

    @Test
    void withoutTheBundleTheHandshakeFails(TestQueen any) {
        application(any)
                .run(context -> assertThatThrownBy(() -> context.getBean(QueenOperations.class).push("q", "a", "x"))
                        .isInstanceOf(UnavailableException.class).hasMessageContaining("TLS handshake failed"));
        assertThat(clients).isEmpty();
    }

    private ApplicationContextRunner application(TestQueen any) {
        return Application.of(any, "q")
                .withPropertyValues("queen.urls=https://127.0.0.1:" + server.getAddress().getPort());
    }
}
