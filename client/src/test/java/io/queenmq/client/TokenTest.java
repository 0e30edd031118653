package io.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queenmq.client.error.QueenException;
import io.queenmq.client.error.RefusedException;
import io.queenmq.client.operator.Identity;
import io.queenmq.client.operator.Keys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tokens and API keys. */
class TokenTest {
    private static final String SECRET = "a secret of the tests, long enough";

    @RegisterExtension
    static final TestServer server = new TestServer(Map.of("JWT_ENABLED", "true", "JWT_SECRET", SECRET));

    private final String name = TestServer.newQueue();

    @Test
    void withoutATokenPushesAreRejectedWithTheReason() {
        assertThatThrownBy(() -> server.queen().queue(name, String.class).push("1"))
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused.status()).isEqualTo(401);
                    assertThat(refused.isAboutAccess()).isTrue();
                });
    }

    @Test
    void theProducerIsOnTheMessage() {
        try (Queen queen = Queen.builder().url(server.url()).token(() -> token("ada")).build()) {
            queen.queue(name, String.class).push("1");

            assertThat(queen.operator().identity()).isEqualTo(new Identity("ada", "read-write", true));
            assertThat(queen.queue(name, String.class).group("g").pop().deliveries().getFirst().producerSub())
                    .isEqualTo("ada");
        }
    }

    @Test
    void aKeyIsUsedLikeATokenUntilItIsRevoked() {
        try (Queen admin = Queen.builder().url(server.url()).token(() -> token("ada", "admin")).build()) {
            Keys keys = admin.operator().keys();
            Instant expiresAt = Instant.now().plusSeconds(3_600).truncatedTo(ChronoUnit.MILLIS);
            Keys.CreatedKey created = keys.create(name, List.of("push:" + name), null, expiresAt);
            assertThat(created.toString()).doesNotContain(created.secret());
            assertThat(keys.list()).contains(created.key()).noneMatch(key -> key.toString().contains(created.secret()));
            assertThat(created.key()).satisfies(key -> {
                assertThat(key.name()).isEqualTo(name);
                assertThat(key.rights()).containsExactly("push:" + name);
                assertThat(key.role()).isNull();
                assertThat(key.createdBy()).isEqualTo("ada");
                assertThat(key.expiresAt()).isEqualTo(expiresAt);
            });
            try (Queen robot = Queen.builder().url(server.url()).token(created::secret).build()) {
                robot.queue(name, String.class).push("1");
                assertThatThrownBy(() -> robot.operator().queues().delete(name))
                        .isInstanceOfSatisfying(RefusedException.class, e -> assertThat(e.status()).isEqualTo(403));
                assertThat(keys.revoke(name).revokedBy()).isEqualTo("ada");
                assertThatThrownBy(() -> robot.queue(name, String.class).push("2"))
                        .isInstanceOfSatisfying(RefusedException.class, e -> assertThat(e.status()).isEqualTo(401));
            }
            assertThat(keys.page(0, 1).items()).hasSize(1);
            assertThat(keys.create(name, null, "read-only", null).key().role()).isEqualTo("read-only");
        }
    }

    @Test
    void aConsumerResumesWithANewToken() throws Exception {
        AtomicReference<String> token = new AtomicReference<>("expired");
        CountDownLatch isRefused = new CountDownLatch(1);
        Seen seen = new Seen();
        try (Queen queen = Queen.builder().url(server.url()).token(token::get).build();
                var _ = queen.queue(name, String.class).group("g").consumer().listener(new ConsumerListener() {
                    @Override
                    public void popFailed(QueenException failure) {
                        isRefused.countDown();
                    }
                }).start(d -> seen.add(d.value()))) {
            isRefused.await();
            token.set(token("ada"));
            queen.queue(name, String.class).push("1");
            seen.await(1);
        }
    }

    private static String token(String subject) {
        return token(subject, "read-write");
    }

    private static String token(String subject, String role) {
        try {
            String signed = part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}") + "."
                    + part("{\"sub\":\"" + subject + "\",\"role\":\"" + role + "\",\"exp\":4102444800}");
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String part(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
