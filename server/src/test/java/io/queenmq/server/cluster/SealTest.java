package io.queenmq.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Test;

class SealTest {
    private static final byte[] KEY = "the key of the group".getBytes(StandardCharsets.UTF_8);
    private static final byte[] CONTENT = "something".getBytes(StandardCharsets.UTF_8);

    private final Seal here = new Seal(KEY);
    private final Seal there = new Seal(KEY);

    @Test
    void aMemberOpensTheFrameOfAnother() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(there.open(here.close(CONTENT))).isEqualTo(CONTENT);
            assertThat(here.open(there.close(CONTENT))).isEqualTo(CONTENT);
        }
    }

    @Test
    void equalContentIsSealedDifferently() {
        assertThat(here.close(CONTENT)).isNotEqualTo(here.close(CONTENT));
    }

    @Test
    void aFrameDoesNotContainTheContent() {
        assertThat(new String(here.close(CONTENT), StandardCharsets.ISO_8859_1)).doesNotContain("something");
    }

    @Test
    void aFrameOfAnotherKeyIsRejected() {
        byte[] frame = new Seal("another key".getBytes(StandardCharsets.UTF_8)).close(CONTENT);

        assertThatThrownBy(() -> here.open(frame)).isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void aFrameWithAnyChangedByteIsRejected() throws Exception {
        byte[] frame = here.close(CONTENT);
        for (int i = 0; i < frame.length; i++) {
            byte[] changed = frame.clone();
            changed[i] ^= 1;
            assertThatThrownBy(() -> there.open(changed)).isInstanceOf(GeneralSecurityException.class);
        }
        assertThat(there.open(frame)).isEqualTo(CONTENT);
    }

    @Test
    void aTooShortFrameIsRejected() {
        for (int length = 0; length < Seal.OVERHEAD; length++) {
            byte[] frame = new byte[length];
            assertThatThrownBy(() -> there.open(frame)).isInstanceOf(GeneralSecurityException.class);
        }
    }

    @Test
    void aReplayedFrameIsRejected() throws Exception {
        byte[] first = here.close(CONTENT);
        byte[] second = here.close(CONTENT);
        assertThat(there.open(first)).isEqualTo(CONTENT);
        assertThat(there.open(first)).isNull();
        assertThat(there.open(second)).isEqualTo(CONTENT);
        assertThat(there.open(first)).isNull();
    }

    @Test
    void groupsDifferBySecretAndByDatabase() {
        GroupIdentity group = GroupIdentity.of(KEY, "1@2");

        assertThat(GroupIdentity.of(KEY, "1@2")).isEqualTo(group);
        assertThat(GroupIdentity.of(KEY, "1@3").name()).isNotEqualTo(group.name());
        assertThat(GroupIdentity.of(KEY, "1@3").key()).isNotEqualTo(group.key());
        assertThat(GroupIdentity.of(CONTENT, "1@2").name()).isNotEqualTo(group.name());
        assertThat(group.toString()).contains(group.name()).contains("(secret)");
    }
}
