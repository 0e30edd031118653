package io.queenmq.server.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.server.auth.TestTokens;
import io.queenmq.server.http.TestApi;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The access level of every route. */
class AccessTest {
    private static final List<String> ROLES = List.of("", "king", "read-only", "read-write", "admin");
    private static TestApi api;

    @BeforeAll
    static void open() throws Exception {
        api = TestApi.with(Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET, "AUTH_FAILURES_MAX", "0"));
    }

    @AfterAll
    static void close() throws Exception {
        api.close();
    }

    /** The levels of the contract, repeated here: a route with a wrong level is a vulnerability. */
    private static Access expected(Address address) {
        String path = address.path();
        boolean isGet = address.method().name().equals("GET");
        boolean isDelete = address.method().name().equals("DELETE");
        if (path.startsWith("/health/") || List.of("/health", "/metrics", "/openapi.json").contains(path)) {
            return Access.PUBLIC;
        }
        if (path.equals("/api/v1/login")) {
            return Access.PUBLIC;
        }
        if (isGet && path.startsWith("/api/v1/system/maintenance")) {
            return Access.READ_ONLY;
        }
        if (path.startsWith("/api/v1/system/") || path.startsWith("/internal/") || path.startsWith("/api/v1/keys")
                || path.startsWith("/api/v1/migration/") || isDelete && path.startsWith("/api/v1/consumer-groups/")
                || isDelete && path.startsWith("/api/v1/resources/queues/") || path.equals("/api/v1/stats/refresh")
                || isDelete && path.equals("/api/v1/dlq") || isDelete && path.endsWith("/clear")
                || isDelete && path.startsWith("/streams/v1/queries/")) {
            return Access.ADMIN;
        }
        boolean isLook = isGet && !path.equals("/api/v1/pop") && !path.startsWith("/api/v1/pop/");
        return isLook || path.equals("/streams/v1/state/get") ? Access.READ_ONLY : Access.READ_WRITE;
    }

    @Test
    void everyRouteHasTheLevelOfTheContract() {
        List<String> wrong = new ArrayList<>();
        for (Address address : api.addresses()) {
            if (address.access() != expected(address)) {
                wrong.add(address + " is " + address.access() + " and should be " + expected(address));
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void everyRouteIsOpenToExactlyTheAllowedRoles() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (Address address : api.addresses()) {
            int least = expected(address).ordinal();
            check(address, null, least == 0 ? 0 : 401, wrong);
            check(address, "nonsense", least == 0 ? 0 : 401, wrong);
            for (int role = 1; role < ROLES.size(); role++) {
                boolean isOpen = role - 1 >= least;
                check(address, TestTokens.valid("{\"sub\":\"x\",\"role\":\"" + ROLES.get(role) + "\"}"),
                        isOpen ? 0 : 403, wrong);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** @param status 0 if the request must reach the route, with any result */
    private static void check(Address address, String token, int status, List<String> wrong) throws Exception {
        String path = address.path().replaceAll(":[A-Za-z]+", "11111111-1111-4111-8111-111111111111");
        HttpRequest.Builder request = api.request(path).method(address.method().name(),
                HttpRequest.BodyPublishers.ofString(address.method().name().equals("GET") ? "" : "{\"queue\":\"q\"}"));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = api.send(request);
        boolean isRefused = answer.statusCode() == 401 || answer.statusCode() == 403;
        boolean isRight = status == 0
                ? !isRefused
                : answer.statusCode() == status && answer.body().startsWith("{\"error\":");
        if (!isRight) {
            wrong.add(address + " with token " + token + " is answered " + answer.statusCode());
        }
    }
}
