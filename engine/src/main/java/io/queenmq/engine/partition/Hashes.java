package io.queenmq.engine.partition;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Converts transactionId hashes from and to their stored form: eight bytes each, big endian. */
public final class Hashes {
    private static final VarHandle BIG_ENDIAN_LONG = MethodHandles.byteArrayViewVarHandle(long[].class,
            ByteOrder.BIG_ENDIAN);

    private Hashes() {}

    public static long[] of(Buffer bytes) {
        long[] hashes = new long[bytes.length() / Long.BYTES];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = bytes.getLong(i * Long.BYTES);
        }
        return hashes;
    }

    public static Buffer bytesOf(long[] hashes) {
        byte[] bytes = new byte[hashes.length * Long.BYTES];
        for (int i = 0; i < hashes.length; i++) {
            BIG_ENDIAN_LONG.set(bytes, i * Long.BYTES, hashes[i]);
        }
        return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
    }
}
