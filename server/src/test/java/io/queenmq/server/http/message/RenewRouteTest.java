package io.queenmq.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.queenmq.engine.command.RenewCommand;
import io.queenmq.engine.command.RenewOutcome;
import io.queenmq.server.http.TestApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RenewRouteTest {
    private static final String LEASE = "44444444-4444-7444-8444-444444444444";
    private static final String PATH = "/api/v1/lease/" + LEASE + "/extend";

    private TestApi api;

    @BeforeEach
    void open() throws Exception {
        api = new TestApi();
    }

    @AfterEach
    void close() throws Exception {
        api.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', nullValues = "nothing", value = {"~~|60", "{}|60", "[]|60",
        "{\"seconds\":null}|60", "{\"seconds\":1}|1", "{\"x\":[1],\"seconds\":86400}|86400"})
    void bodiesOfPublishedClientsAreAccepted(String body, int seconds) throws Exception {
        var answer = api.post(PATH, body);

        assertThat(answer.statusCode()).isEqualTo(200);
        String until = "2026-01-02T03:04:05.678901Z";
        assertThat(answer.body())
                .isEqualTo("{\"index\":0,\"leaseId\":\"" + LEASE + "\",\"success\":true,\"error\":null,\"expiresAt\":\""
                        + until + "\",\"newExpiresAt\":\"" + until + "\",\"lease_expires_at\":\"" + until + "\"}");
        RenewCommand command = api.engine.next(RenewCommand.class);
        assertThat(command.leaseId()).hasToString(LEASE);
        assertThat(command.seconds()).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "7", "\"x\"", "{\"seconds\":0}", "{\"seconds\":86401}", "{\"seconds\":-1}",
        "{\"seconds\":1.5}", "{\"seconds\":\"60\"}"})
    void invalidParametersAreRejected(String body) throws Exception {
        assertThat(api.post(PATH, body).statusCode()).isEqualTo(400);
        assertThat(api.engine.wasAsked()).isFalse();
    }

    @Test
    void anExpiredLeaseIsNotFound() throws Exception {
        api.engine.renewOutcome = new RenewOutcome.Gone("the queue orders was deleted");

        assertThat(api.post(PATH, "").statusCode()).isEqualTo(404);
        assertThat(api.post(PATH, "").body()).contains("the queue orders was deleted");
        assertThat(api.post("/api/v1/lease/x/extend", "").statusCode()).isEqualTo(404);
        assertThat(api.post("/api/v1/lease/x/extend", "").body()).startsWith("{\"error\":");
    }
}
