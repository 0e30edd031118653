package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.ALLOWED_HOSTS;
import static io.queenmq.server.config.Setting.CORS_ORIGINS;
import static io.queenmq.server.config.Setting.HOST;
import static io.queenmq.server.config.Setting.TLS_CLIENT_CA;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Defines which clients can reach the HTTP API.
 *
 * @param address the address to listen on
 * @param isOpen true if requests need neither a token nor an API key nor a client certificate and other machines can send them
 * @param isHostChecked true if a request must name one of the known hosts
 * @param allowedHosts host names that requests may use in addition to the built-in ones, in lower case, without a port
 * @param corsOrigins origins whose pages may call the API; {@code *} stands for all
 */
public record ExposureConfig(String address, boolean isOpen, boolean isHostChecked, List<String> allowedHosts,
        List<String> corsOrigins) {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String EVERY_ADDRESS = "0.0.0.0";
    private static final Pattern LOOPBACK_ADDRESS = Pattern.compile("127\\.\\d+\\.\\d+\\.\\d+|::1|\\[::1]|localhost");
    private static final Pattern ORIGIN = Pattern.compile("https?://[^/\\s,*]+");
    private static final String ANY = "*";

    /** Shown at startup, in {@code /health} and on the dashboard. */
    public static final String OPEN_WARNING = "every client that can reach this server may read, change and delete all "
            + "messages: tokens and API keys are off and HOST opens the port to the network; set JWT_ENABLED=true, "
            + "API_KEYS_ENABLED=true or HOST=127.0.0.1";

    /** @param isAuthenticated true if requests must carry a token or an API key */
    static ExposureConfig read(Environment environment, boolean isAuthenticated) {
        String given = environment.textOrNull(HOST);
        String address = given != null ? given : isAuthenticated ? EVERY_ADDRESS : LOOPBACK;
        List<String> hosts = environment.list(ALLOWED_HOSTS).stream().map(host -> host.toLowerCase(Locale.ROOT))
                .toList();
        List<String> origins = environment.list(CORS_ORIGINS);
        origins.stream().filter(origin -> !origin.equals(ANY) && !ORIGIN.matcher(origin).matches())
                .forEach(origin -> environment.problem(
                        CORS_ORIGINS + " must list origins such as https://app.example, but '" + origin + "' is none"));
        boolean isOpen = !isAuthenticated && environment.textOrNull(TLS_CLIENT_CA) == null
                && !LOOPBACK_ADDRESS.matcher(address).matches();
        return new ExposureConfig(address, isOpen, !hosts.contains(ANY) && (!isAuthenticated || !hosts.isEmpty()),
                hosts, origins);
    }
}
