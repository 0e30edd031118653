package io.queenmq.engine.config;

import java.util.Arrays;

/** Bytes that must not be logged: {@link #toString} does not contain them. */
public final class Secret {
    private final byte[] bytes;

    public Secret(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && Arrays.equals(bytes, secret.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
