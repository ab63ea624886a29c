package kafkawire.harness;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
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
        byte[] values = VALUES;
        byte[] bytes = new byte[digits.length / 2];
        int all = digits.length % 2 == 0 ? 0 : -1;
        for (int index = 0, at = 0; index < bytes.length; index++, at += 2) {
            int both = values[digits[at] & 0xFF] << 4 | values[digits[at + 1] & 0xFF];
            all |= both;
            bytes[index] = (byte) both;
        }
        return all < 0 ? HexFormat.of().parseHex(text) : bytes; // This one says what is wrong.
    }

    /** Puts bytes into a reply, as a text in hex. */
    static ObjectNode put(ObjectNode reply, String key, byte[] bytes) {
        byte[] names = DIGITS;
        byte[] digits = new byte[2 * bytes.length];
        int at = 0;
        for (byte each : bytes) {
            digits[at++] = names[each >> 4 & 0xF];
            digits[at++] = names[each & 0xF];
        }
        return reply.putPOJO(key, new Text(digits));
    }

    /** A text that goes into JSON as it is. */
    private static final class Text extends JsonSerializable.Base {
        private final byte[] digits;

        Text(byte[] digits) {
            this.digits = digits;
        }

        @Override
        public void serialize(JsonGenerator generator, SerializerProvider serializers) throws IOException {
            generator.writeRawUTF8String(digits, 0, digits.length);
        }

        @Override
        public void serializeWithType(
                JsonGenerator generator, SerializerProvider serializers, TypeSerializer typeSerializer)
                throws IOException {
            serialize(generator, serializers);
        }
    }
}
