package io.queenmq.test.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Changes a class file of a later Java into one that Java 21 runs. Two differences matter for classes that use no newer API:
 *
 * <ul> <li>The version of the class file. <li>The type of the call site of a pattern switch. A later compiler uses the type of
 * the selector, and Java 21 accepts {@code Object} only. Every selector is an object, so the call site can be declared so.
 * </ul>
 */
final class Java21ClassFile {
    static final int VERSION = 65;
    static final String SWITCH = "typeSwitch";
    static final String SWITCH_TYPE = "(Ljava/lang/Object;I)I";

    private static final int MAJOR_AT = 6;
    private static final int POOL_COUNT_AT = 8;
    private static final int POOL_AT = 10;
    private static final int UTF_8 = 1;
    private static final int INVOKE_DYNAMIC = 18;

    private Java21ClassFile() {}

    static byte[] of(byte[] original) {
        ByteBuffer file = ByteBuffer.wrap(original.clone());
        if (file.getShort(MAJOR_AT) <= VERSION) {
            return original;
        }
        file.putShort(MAJOR_AT, (short) VERSION);
        int count = Short.toUnsignedInt(file.getShort(POOL_COUNT_AT));
        int[] entries = new int[count];
        List<Integer> callSites = new ArrayList<>();
        int at = POOL_AT;
        for (int i = 1; i < count; i++) {
            int tag = file.get(at);
            entries[i] = at;
            if (tag == INVOKE_DYNAMIC) {
                callSites.add(at);
            }
            at += size(file, at);
            if (tag == 5 || tag == 6) {
                i++; // a long or double is two entries
            }
        }
        boolean hasSwitch = false;
        for (int each : callSites) {
            int nameAndType = entries[Short.toUnsignedInt(file.getShort(each + 3))];
            int name = entries[Short.toUnsignedInt(file.getShort(nameAndType + 1))];
            if (text(file, name).equals(SWITCH)) {
                file.putShort(nameAndType + 3, (short) count);
                hasSwitch = true;
            }
        }
        return hasSwitch ? withText(file, count, at) : file.array();
    }

    /** Appends the type of the call sites to the constant pool, as the entry with the number {@code count}. */
    private static byte[] withText(ByteBuffer file, int count, int poolEnd) {
        file.putShort(POOL_COUNT_AT, (short) (count + 1));
        byte[] type = SWITCH_TYPE.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        changed.write(file.array(), 0, poolEnd);
        changed.writeBytes(
                ByteBuffer.allocate(3 + type.length).put((byte) UTF_8).putShort((short) type.length).put(type).array());
        changed.write(file.array(), poolEnd, file.capacity() - poolEnd);
        return changed.toByteArray();
    }

    private static String text(ByteBuffer file, int at) {
        int length = Short.toUnsignedInt(file.getShort(at + 1));
        return new String(file.array(), at + 3, length, StandardCharsets.UTF_8);
    }

    /** The bytes of an entry of the constant pool, section 4.4 of the JVM specification. */
    private static int size(ByteBuffer file, int at) {
        return switch (file.get(at)) {
            case UTF_8 -> 3 + Short.toUnsignedInt(file.getShort(at + 1));
            case 3, 4, 9, 10, 11, 12, 17, INVOKE_DYNAMIC -> 5;
            case 5, 6 -> 9;
            case 7, 8, 16, 19, 20 -> 3;
            case 15 -> 4;
            default -> throw new IllegalArgumentException("unknown tag " + file.get(at) + " in a constant pool");
        };
    }
}
