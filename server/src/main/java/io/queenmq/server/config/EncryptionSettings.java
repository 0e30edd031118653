package io.queenmq.server.config;

import static io.queenmq.server.config.Setting.QUEEN_ENCRYPTION_KEY;
import static io.queenmq.server.config.Setting.QUEEN_ENCRYPTION_OLD_KEYS;

import io.queenmq.engine.config.EncryptionConfig;
import io.queenmq.engine.config.Secret;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Reads {@link EncryptionConfig} from the environment. */
final class EncryptionSettings {
    private static final int DIGITS = 64;

    private EncryptionSettings() {}

    static EncryptionConfig read(Environment environment) {
        String key = environment.textOrNull(QUEEN_ENCRYPTION_KEY);
        List<Secret> oldKeys = new ArrayList<>();
        for (String old : environment.list(QUEEN_ENCRYPTION_OLD_KEYS)) {
            oldKeys.add(parse(environment, old, "each key of " + QUEEN_ENCRYPTION_OLD_KEYS));
        }
        return new EncryptionConfig(key == null ? null : parse(environment, key.strip(), QUEEN_ENCRYPTION_KEY.name()),
                List.copyOf(oldKeys));
    }

    /** Parses a key. The problem must not quote the value: an invalid value may be a secret, too. */
    private static Secret parse(Environment environment, String text, String name) {
        try {
            if (text.length() == DIGITS) {
                return new Secret(HexFormat.of().parseHex(text));
            }
        } catch (IllegalArgumentException _) {
            // reported below
        }
        environment.problem(name + " must be " + DIGITS + " hexadecimal digits");
        return new Secret(new byte[DIGITS / 2]);
    }
}
