package io.queenmq.dashboard.tests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * An OpenID Connect provider that signs every user in without questions. It rejects what a real one rejects: an unknown redirect
 * address, a code that was used before, and a verifier that does not fit the challenge.
 */
final class FakeProvider implements AutoCloseable {
    static final String CLIENT = "queen-dashboard";
    private static final String KEY_ID = "key-1";

    private final HttpServer server;
    private final KeyPair key;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final List<String> refreshTokens = new CopyOnWriteArrayList<>();

    /** The registered redirect address; null accepts none. */
    volatile String redirectUri;
    volatile String state;
    volatile String nonce;
    volatile String error;
    volatile String description;
    /** The age of tokens that a login issues. Renewed tokens have age zero. */
    volatile long issuedAgoS;
    volatile long lifetimeS;
    volatile boolean isDown;
    volatile boolean isTokenEndpointDown;
    volatile boolean isRenewing;
    volatile Map<String, String> authorizeRequest;
    volatile Map<String, String> logoutRequest;
    volatile int tokenRequests;
    volatile int renewals;

    FakeProvider() {
        try {
            key = KeyPairGenerator.getInstance("RSA").generateKeyPair();
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        route("/.well-known/openid-configuration", exchange -> send(exchange, 200, """
                {"issuer":"%1$s","authorization_endpoint":"%1$s/authorize","token_endpoint":"%1$s/token",
                 "end_session_endpoint":"%1$s/logout","jwks_uri":"%1$s/jwks"}""".formatted(url())));
        route("/jwks", exchange -> send(exchange, 200, jwks()));
        route("/authorize", this::authorize);
        route("/token", this::token);
        route("/logout", this::logout);
        reset();
        server.start();
    }

    /** Returns to normal operation. */
    void reset() {
        state = null;
        nonce = null;
        error = null;
        description = "";
        issuedAgoS = 0;
        lifetimeS = 3_600;
        isDown = false;
        isTokenEndpointDown = false;
        isRenewing = true;
        authorizeRequest = null;
        logoutRequest = null;
        tokenRequests = 0;
        renewals = 0;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns a signed token. */
    String sign(String claims) {
        String signed = part("{\"alg\":\"RS256\",\"kid\":\"" + KEY_ID + "\"}") + "." + part(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + part(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the claims of a token that is valid now. */
    String claims(String subject, String audience, String more) {
        return claims(subject, audience, more, 0);
    }

    private String claims(String subject, String audience, String more, long agoS) {
        long issued = System.currentTimeMillis() / 1000 - agoS;
        return "{\"iss\":\"%s\",\"sub\":\"%s\",\"aud\":\"%s\",\"role\":\"admin\",\"iat\":%d,\"exp\":%d%s}"
                .formatted(url(), subject, audience, issued, issued + lifetimeS, more);
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> query = fields(exchange.getRequestURI().getRawQuery());
        authorizeRequest = query;
        if (!CLIENT.equals(query.get("client_id")) || !query.get("redirect_uri").equals(redirectUri)
                || !"code".equals(query.get("response_type")) || !"S256".equals(query.get("code_challenge_method"))) {
            send(exchange, 400, "{\"error\":\"the redirect address or another parameter is not accepted\"}");
            return;
        }
        String answer = "?state=" + encoded(state == null ? query.get("state") : state) + "&iss=" + encoded(url());
        if (error == null) {
            String code = UUID.randomUUID().toString();
            codes.put(code, query);
            answer += "&code=" + code;
        } else {
            answer += "&error=" + error + "&error_description=" + encoded(description);
        }
        redirect(exchange, redirectUri + answer);
    }

    private void token(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
        if (isTokenEndpointDown) {
            exchange.close();
            return;
        }
        tokenRequests++;
        Map<String, String> form = fields(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        boolean isRenewal = "refresh_token".equals(form.get("grant_type"));
        Map<String, String> begun = isRenewal ? Map.of() : codes.remove(form.getOrDefault("code", ""));
        if (!CLIENT.equals(form.get("client_id")) || !(isRenewal ? isRenewable(form) : isProven(form, begun))) {
            send(exchange, 400, "{\"error\":\"invalid_grant\",\"error_description\":\"the grant is not accepted\"}");
            return;
        }
        renewals += isRenewal ? 1 : 0;
        String fresh = UUID.randomUUID().toString();
        refreshTokens.add(fresh);
        String nonceClaim = isRenewal ? "" : ",\"nonce\":\"" + (nonce == null ? begun.get("nonce") : nonce) + "\"";
        long agoS = isRenewal ? 0 : issuedAgoS;
        String audience = begun.getOrDefault("audience", "queen");
        send(exchange, 200,
                """
                {"token_type":"Bearer","id_token":"%s","access_token":"%s","refresh_token":"%s","expires_in":%d}"""
                        .formatted(sign(claims("ada", CLIENT, nonceClaim, agoS)),
                                sign(claims("ada", audience, ",\"use\":\"access\"", agoS)), fresh, lifetimeS));
    }

    /** A refresh token can be used once. */
    private boolean isRenewable(Map<String, String> form) {
        return isRenewing && refreshTokens.remove(form.get("refresh_token"));
    }

    private static boolean isProven(Map<String, String> form, Map<String, String> begun) {
        return begun != null && begun.get("redirect_uri").equals(form.get("redirect_uri"))
                && begun.get("code_challenge").equals(part(sha256(form.getOrDefault("code_verifier", ""))));
    }

    private void logout(HttpExchange exchange) throws IOException {
        logoutRequest = fields(exchange.getRequestURI().getRawQuery());
        redirect(exchange, logoutRequest.get("post_logout_redirect_uri"));
    }

    private String jwks() {
        RSAPublicKey published = (RSAPublicKey) key.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(KEY_ID, part(published.getModulus().toByteArray()),
                        part(published.getPublicExponent().toByteArray()));
    }

    private void route(String path, Handler handler) {
        server.createContext(path, exchange -> {
            if (isDown) {
                send(exchange, 503, "{}");
            } else {
                handler.handle(exchange);
            }
        });
    }

    private interface Handler {
        void handle(HttpExchange exchange) throws IOException;
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        for (String each : text.split("&")) {
            int equals = each.indexOf('=');
            fields.put(each.substring(0, equals),
                    URLDecoder.decode(each.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return fields;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String part(String text) {
        return part(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String part(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
