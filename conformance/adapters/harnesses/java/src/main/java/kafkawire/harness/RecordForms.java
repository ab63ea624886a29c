package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The members of batches, records and messages in the JSON form. What Kafka's methods cannot be handed is
 * unrepresentable: they take every member, numbers of their width, and null only where a Java object is.
 */
final class RecordForms {
    private RecordForms() {
    }

    static JsonNode list(JsonNode node, String name) throws Refusal {
        JsonNode list = present(node, name);
        require(list.isArray(), name, "an array", list);
        return list;
    }

    static boolean flag(JsonNode node, String name) throws Refusal {
        JsonNode flag = present(node, name);
        require(flag.isBoolean(), name, "true or false", flag);
        return flag.booleanValue();
    }

    static String text(JsonNode node, String name) throws Refusal {
        JsonNode text = present(node, name);
        require(text.isTextual(), name, "text", text);
        return text.textValue();
    }

    static byte int8(JsonNode node, String name) throws Refusal {
        return (byte) integer(node, name, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    static short int16(JsonNode node, String name) throws Refusal {
        return (short) integer(node, name, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    static int int32(JsonNode node, String name) throws Refusal {
        return integer(node, name, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    static long int64(JsonNode node, String name) throws Refusal {
        String digits = text(node, name);
        require(digits.matches("-?[0-9]+"), name, "an integer as decimal text", node.path(name));
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException outOfRange) {
            throw Refusal.unrepresentable(name + ": " + digits + " does not fit a Java long");
        }
    }

    static ByteBuffer bytes(JsonNode node, String name) throws Refusal {
        byte[] bytes = content(node.path(name), name);
        return bytes == null ? null : ByteBuffer.wrap(bytes);
    }

    /** Null for null: Kafka refuses it itself. */
    static Header[] headers(JsonNode record) throws Refusal {
        if (record.path("headers").isNull()) {
            return null;
        }
        JsonNode forms = list(record, "headers");
        Header[] headers = new Header[forms.size()];
        for (int index = 0; index < headers.length; index++) {
            JsonNode form = forms.get(index);
            require(form.isArray() && form.size() == 2, "headers", "pairs", form);
            headers[index] = new RecordHeader(key(form.get(0)), content(form.get(1), "headers"));
        }
        return headers;
    }

    private static String key(JsonNode key) throws Refusal {
        if (key.path(ValueWriter.UTF_16).isTextual()) {
            return ByteBuffer.wrap(content(key.path(ValueWriter.UTF_16), "headers")).asCharBuffer().toString();
        }
        if (!key.isTextual() && !key.isNull()) {
            throw Refusal.unrepresentable("a header key is a Java string, not " + key);
        }
        return key.textValue();
    }

    private static byte[] content(JsonNode hex, String name) throws Refusal {
        if (hex.isNull()) {
            return null;
        }
        if (hex.isMissingNode()) {
            throw Refusal.unrepresentable("Kafka takes no entry without \"" + name + "\"");
        }
        require(hex.isTextual(), name, "hex", hex);
        try {
            return HexFormat.of().parseHex(hex.textValue());
        } catch (IllegalArgumentException notHex) {
            throw Refusal.protocol(name + " is not hex: " + notHex.getMessage());
        }
    }

    private static int integer(JsonNode node, String name, int lowest, int highest) throws Refusal {
        JsonNode number = present(node, name);
        require(number.isIntegralNumber(), name, "an integer", number);
        if (!number.canConvertToInt() || number.intValue() < lowest || number.intValue() > highest) {
            throw Refusal.unrepresentable(name + ": " + number + " is outside " + lowest + " to " + highest);
        }
        return number.intValue();
    }

    private static JsonNode present(JsonNode node, String name) throws Refusal {
        JsonNode member = node.path(name);
        if (member.isNull() || member.isMissingNode()) {
            throw Refusal.unrepresentable("Kafka takes no entry with \"" + name + "\" null or left out");
        }
        return member;
    }

    private static void require(boolean fits, String name, String form, JsonNode found) throws Refusal {
        if (!fits) {
            throw Refusal.protocol(name + ": expected " + form + ", found " + found);
        }
    }
}
