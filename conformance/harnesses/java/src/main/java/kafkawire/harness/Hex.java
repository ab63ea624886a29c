package kafkawire.harness;

import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Hex of whole messages, by tables. {@link HexFormat} looks at each digit through several calls, and Jackson at each
 * character for what to escape.
 */
final class Hex {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] VALUES = new byte[1 << Byte.SIZE];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int digit = 0; digit < DIGITS.length; digit++) {
            VALUES[DIGITS[digit]] = (byte) digit;
            VALUES[Character.toUpperCase(DIGITS[digit])] = (byte) digit;
        }
    }

    private Hex() {
    }

    /** The bytes of a text in hex; IllegalArgumentException if it is none. */
    static byte[] parse(String text) {
        byte[] digits = text.getBytes(StandardCharsets.ISO_8859_1); // What is not Latin becomes a question mark.
        byte[] bytes = new byte[digits.length / 2];
        int all = digits.length % 2 == 0 ? 0 : -1;
        for (int index = 0; index < bytes.length; index++) {
            int high = VALUES[digits[2 * index] & 0xFF];
            int low = VALUES[digits[2 * index + 1] & 0xFF];
            all |= high | low;
            bytes[index] = (byte) (high << 4 | low);
        }
        return all < 0 ? HexFormat.of().parseHex(text) : bytes; // This one says what is wrong.
    }

    /** Puts bytes into a reply, as a text in hex. */
    static ObjectNode put(ObjectNode reply, String key, byte[] bytes) {
        byte[] quoted = new byte[2 * bytes.length + 2];
        quoted[0] = '"';
        for (int index = 0; index < bytes.length; index++) {
            quoted[2 * index + 1] = DIGITS[bytes[index] >> 4 & 0xF];
            quoted[2 * index + 2] = DIGITS[bytes[index] & 0xF];
        }
        quoted[quoted.length - 1] = '"';
        String text = new String(quoted, StandardCharsets.ISO_8859_1);
        return reply.putRawValue(key, new RawValue(new SerializedString(text)));
    }
}
