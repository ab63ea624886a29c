package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * The JSON forms of values, by type. A name that is no field is the harness's mistake; a form that a type does not have is
 * the harness's or the suite's, and so a protocol error; a number beyond its type is for the library to refuse, or
 * {@link Refusal#unrepresentable}.
 */
final class Forms {
    private static final HexFormat HEX = HexFormat.of();
    private static final double LIKE = 0.6;

    private Forms() {
    }

    static boolean bool(JsonNode struct, String field) throws Refusal {
        JsonNode form = present(struct, field);
        if (!form.isBoolean()) {
            throw wrong(field, "true or false", form);
        }
        return form.booleanValue();
    }

    /** Also for int8, int16 and uint16, whose bounds are for the caller to check. */
    static int int32(JsonNode struct, String field) throws Refusal {
        JsonNode form = present(struct, field);
        if (!form.isIntegralNumber()) {
            throw wrong(field, "a JSON number", form);
        }
        if (!form.canConvertToInt()) {
            throw Refusal.unrepresentable(field + ": no int holds " + form);
        }
        return form.intValue();
    }

    /** Also for uint32, whose bounds are for the caller to check. */
    static long int64(JsonNode struct, String field) throws Refusal {
        JsonNode form = present(struct, field);
        if (!form.isTextual()) {
            throw wrong(field, "decimal text", form);
        }
        try {
            return Long.parseLong(form.textValue());
        } catch (NumberFormatException beyond) {
            throw Refusal.unrepresentable(field + ": no long holds " + form);
        }
    }

    static void putInt64(ObjectNode struct, String field, long number) {
        struct.put(field, Long.toString(number));
    }

    static double float64(JsonNode struct, String field) throws Refusal {
        return Double.longBitsToDouble(HexFormat.fromHexDigitsToLong(text(struct, field, "16 hex digits")));
    }

    static void putFloat64(ObjectNode struct, String field, double number) {
        struct.put(field, HexFormat.of().toHexDigits(Double.doubleToRawLongBits(number)));
    }

    static UUID uuid(JsonNode struct, String field) throws Refusal {
        return UUID.fromString(text(struct, field, "a uuid of 36 characters"));
    }

    static void putUuid(ObjectNode struct, String field, UUID uuid) {
        struct.put(field, uuid.toString());
    }

    /** Bytes and records; null for null. */
    static byte[] bytes(JsonNode struct, String field) throws Refusal {
        return present(struct, field).isNull() ? null : HEX.parseHex(text(struct, field, "hex"));
    }

    static void putBytes(ObjectNode struct, String field, byte[] bytes) {
        struct.put(field, bytes == null ? null : HEX.formatHex(bytes));
    }

    /** A string for a library that takes Java's; null for null. */
    static String string(JsonNode struct, String field) throws Refusal {
        JsonNode form = present(struct, field);
        if (form.isNull()) {
            return null;
        }
        if (form.path("utf16").isTextual()) {
            return new String(HEX.parseHex(form.path("utf16").textValue()), StandardCharsets.UTF_16BE);
        }
        if (form.path("utf8").isTextual()) {
            throw Refusal.unrepresentable(field + ": no String holds " + form);
        }
        if (!form.isTextual()) {
            throw wrong(field, "text", form);
        }
        return form.textValue();
    }

    /** The bytes of a string in UTF-8; null for null. */
    static byte[] stringBytes(JsonNode struct, String field) throws Refusal {
        JsonNode form = present(struct, field);
        if (form.path("utf8").isTextual()) {
            return HEX.parseHex(form.path("utf8").textValue());
        }
        if (form.path("utf16").isTextual()) {
            throw Refusal.unrepresentable(field + ": no UTF-8 holds " + form);
        }
        String text = string(struct, field);
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    /** A string as the library has it, in bytes; what is not UTF-8 is shown in hex. */
    static void putString(ObjectNode struct, String field, byte[] text) {
        try {
            struct.put(field, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString());
        } catch (CharacterCodingException notUtf8) {
            struct.putObject(field).put("utf8", HEX.formatHex(text));
        }
    }

    private static String text(JsonNode struct, String field, String words) throws Refusal {
        JsonNode form = present(struct, field);
        if (!form.isTextual()) {
            throw wrong(field, words, form);
        }
        return form.textValue();
    }

    /** Without the capability partial-values a request has every field of the version. */
    private static JsonNode present(JsonNode struct, String field) throws Refusal {
        JsonNode form = struct.path(field);
        if (form.isMissingNode()) {
            throw Refusal.harness(field + ", which is no field of it; " + suggestion(struct, field));
        }
        return form;
    }

    private static String suggestion(JsonNode struct, String field) {
        List<String> known = new ArrayList<>();
        struct.fieldNames().forEachRemaining(known::add);
        return known.stream().filter(name -> likeness(letters(name), letters(field)) > LIKE)
            .max(Comparator.comparingDouble(name -> likeness(letters(name), letters(field))))
            .map(name -> "did you mean " + name + "?").orElse("it has " + String.join(", ", known));
    }

    private static String letters(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** The share of letters that two names have in common, in order. */
    private static double likeness(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (char letter : one.toCharArray()) {
            int before = 0;
            for (int index = 0; index < other.length(); index++) {
                int above = row[index + 1];
                row[index + 1] = letter == other.charAt(index) ? before + 1 : Math.max(above, row[index]);
                before = above;
            }
        }
        return 2.0 * row[other.length()] / (one.length() + other.length());
    }

    private static Refusal wrong(String field, String words, JsonNode form) {
        if (form.isNull()) {
            return Refusal.unrepresentable(field + ": no type here holds null");
        }
        return Refusal.protocol(field + ": expected " + words + ", got " + form);
    }
}
