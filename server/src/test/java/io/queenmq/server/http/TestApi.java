package io.queenmq.server.http;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.queenmq.engine.cipher.PayloadCipher;
import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.numbers.ServerIdentity;
import io.queenmq.engine.time.Clock;
import io.queenmq.server.auth.Authenticator;
import io.queenmq.server.auth.TestAuthStore;
import io.queenmq.server.config.AuthConfig;
import io.queenmq.server.config.ConfigReader;
import io.queenmq.server.config.ExposureConfig;
import io.queenmq.server.config.HttpConfig;
import io.queenmq.server.config.OidcConfig;
import io.queenmq.server.config.PopConfig;
import io.queenmq.server.config.ServerConfig;
import io.queenmq.server.config.TlsConfig;
import io.queenmq.server.http.access.Address;
import io.queenmq.server.http.access.Callers;
import io.queenmq.server.http.server.LimitedTransport;
import io.queenmq.server.keys.ApiKeys;
import io.queenmq.server.operator.OperatorCall;
import io.queenmq.server.operator.OperatorOutcome;
import io.queenmq.server.operator.OperatorQueries;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The HTTP API on its own port with a fake engine, and a client. */
public final class TestApi implements AutoCloseable {
    public static final int BODY_BYTES_MAX = 200_000;

    /** Limits that tests do not reach unintentionally. */
    public static final HttpConfig.Limits LIMITS = new HttpConfig.Limits(BODY_BYTES_MAX, 64 << 20,
            Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMinutes(5), Duration.ofMinutes(5),
            new HttpConfig.ConnectionLimits(10_000, 10_000, Duration.ofMinutes(5)));

    /** Shared by all tests of a run, because they are slow to start. */
    private static final Vertx VERTX = LimitedTransport
            .vertx(new VertxOptions().setEventLoopPoolSize(3).setUseDaemonThread(true));
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    public final FakeEngine engine = new FakeEngine();
    public final Deque<OperatorCall> operatorCalls = new ConcurrentLinkedDeque<>();
    public OperatorOutcome operatorOutcome = new OperatorOutcome.Document("{}");
    /** Documents of single routines; others answer {@link #operatorOutcome}. */
    public final Map<String, String> documents = new ConcurrentHashMap<>();
    public final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    public final TestAuthStore authStore = new TestAuthStore();
    public final HttpApi api;
    private final Authenticator authenticator;
    private final ApiKeys keys;

    public TestApi() throws TimeoutException {
        this(LIMITS);
    }

    public TestApi(HttpConfig.Limits limits) throws TimeoutException {
        this(new ExposureConfig("127.0.0.1", false, true, List.of(), List.of()), null, null, null, limits, null);
    }

    /** @param variables settings of encryption and tokens */
    public static TestApi with(Map<String, String> variables) throws TimeoutException {
        return with(variables, LIMITS);
    }

    public static TestApi with(Map<String, String> variables, HttpConfig.Limits limits) throws TimeoutException {
        ServerConfig config = ConfigReader.read(variables);
        return new TestApi(config.http().exposure(), config.http().tls(), config.access().auth(), null, limits,
                config.http().oidc());
    }

    /** @param keys the document of the routine {@code load_keys} */
    public static TestApi withKeys(Map<String, String> variables, String keys) throws TimeoutException {
        ServerConfig config = ConfigReader.read(variables);
        return new TestApi(config.http().exposure(), config.http().tls(), config.access().auth(), keys, LIMITS, null);
    }

    private TestApi(ExposureConfig exposure, TlsConfig tls, AuthConfig auth, String loadedKeys,
            HttpConfig.Limits limits, OidcConfig oidc) throws TimeoutException {
        this.authenticator = auth == null ? null : Authenticator.open(auth, authStore, meters);
        HttpConfig http = new HttpConfig(exposure, 0, 2, limits, tls, 200, oidc);
        PopConfig pop = new PopConfig(Duration.ofSeconds(30), 1, "");
        OperatorQueries operators = call -> {
            String document = documents.get(call.routine());
            if (document == null) {
                operatorCalls.add(call);
            }
            call.reply().succeed(document == null ? operatorOutcome : new OperatorOutcome.Document(document));
        };
        if (loadedKeys != null) {
            documents.put("load_keys", loadedKeys);
        }
        keys = loadedKeys == null ? null : ApiKeys.open(VERTX, operators);
        api = HttpApi
                .open(VERTX, http,
                        new HttpContext(engine, operators, new PayloadCipher(new EncryptionConfig(null, List.of())),
                                authenticator == null ? null : new Callers(authenticator, keys), pop,
                                ServerIdentity.of("here", 6632, null, "test", Clock.SYSTEM), meters))
                .await(60, TimeUnit.SECONDS);
    }

    public List<Address> addresses() {
        return api.addresses();
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path).GET());
    }

    public HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(request(path).POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
                .version(HttpClient.Version.HTTP_1_1);
    }

    public HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Opens a connection for bytes that the test writes and reads itself. */
    public Socket socket() throws IOException {
        Socket socket = new Socket("127.0.0.1", api.port());
        socket.setSoTimeout(60_000);
        return socket;
    }

    public static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Reads a response up to the end of its headers. */
    public static String readHead(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = socket.getInputStream().read();
            if (b < 0) {
                break;
            }
            head.append((char) b);
        }
        return head.toString();
    }

    @Override
    public void close() throws TimeoutException {
        api.close().await(60, TimeUnit.SECONDS);
        if (authenticator != null) {
            authenticator.close();
        }
        if (keys != null) {
            keys.close();
        }
        engine.close();
    }
}
