package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/**
 * A message from the JSON form of {@link ValueWriter}. A field that is not mentioned keeps the default of its class;
 * one that the class does not have is an error, for it could only be a mistake.
 */
final class ValueReader {
    private static final String UTF_8 = "utf8";
    private static final long LARGEST_TAG = 0xffffffffL;
    private static final HexFormat HEX = HexFormat.of();

    private ValueReader() {
    }

    static Message read(JsonNode value, Class<?> structClass) throws Refusal {
        return struct(value, structClass, "");
    }

    private static Message struct(JsonNode value, Class<?> structClass, String path) throws Refusal {
        require(value.isObject(), path, "an object", value);
        Struct struct = Struct.of(structClass);
        Message message = struct.create();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            String fieldPath = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            if (entry.getKey().equals(ValueWriter.TAGS)) {
                message.unknownTaggedFields().addAll(tags(entry.getValue(), fieldPath));
            } else {
                set(message, struct.members().get(entry.getKey()), entry.getValue(), fieldPath);
            }
        }
        return message;
    }

    private static void set(Message message, Struct.Member member, JsonNode value, String path) throws Refusal {
        if (member == null) {
            throw Refusal.protocol(path + ": " + message.getClass().getSimpleName() + " has no such field");
        }
        Struct.set(member, message, read(value, member.type(), path));
    }

    static Object read(JsonNode value, FieldType type, String path) throws Refusal {
        if (value.isNull()) {
            if (type.isPrimitive()) {
                throw Refusal.unrepresentable(path + ": a Java " + type.javaClass() + " cannot be null");
            }
            return null;
        }
        return switch (type.form()) {
            case BOOLEAN -> bool(value, path);
            case INT8 -> (byte) integer(value, path, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case INT16 -> (short) integer(value, path, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT32 -> integer(value, path, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case INT64 -> longInteger(value, path);
            case FLOAT64 -> float64(value, path);
            case STRING -> string(value, path);
            case UUID -> uuid(value, path);
            case BYTES -> bytes(value, path);
            case BUFFER -> ByteBuffer.wrap(bytes(value, path));
            case RECORDS -> Records.fromBytes(type.javaClass(), bytes(value, path));
            case STRUCT -> struct(value, type.javaClass(), path);
            case ARRAY -> array(value, type, path);
        };
    }

    private static boolean bool(JsonNode value, String path) throws Refusal {
        require(value.isBoolean(), path, "true or false", value);
        return value.booleanValue();
    }

    private static int integer(JsonNode value, String path, int lowest, int highest) throws Refusal {
        require(value.isIntegralNumber(), path, "an integer", value);
        if (!value.canConvertToInt() || value.intValue() < lowest || value.intValue() > highest) {
            throw Refusal.unrepresentable(path + ": " + value + " is outside " + lowest + " to " + highest);
        }
        return value.intValue();
    }

    private static long longInteger(JsonNode value, String path) throws Refusal {
        String text = text(value, path, "an integer as decimal text");
        require(text.matches("-?[0-9]+"), path, "an integer as decimal text", value);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException outOfRange) {
            throw Refusal.unrepresentable(path + ": " + text + " does not fit a Java long");
        }
    }

    private static double float64(JsonNode value, String path) throws Refusal {
        byte[] bits = hex(text(value, path, "16 hex digits"), path);
        require(bits.length == Double.BYTES, path, "16 hex digits", value);
        return Double.longBitsToDouble(ByteBuffer.wrap(bits).getLong());
    }

    private static String string(JsonNode value, String path) throws Refusal {
        if (value.path(UTF_8).isTextual()) {
            throw Refusal.unrepresentable(path + ": no Java string holds bytes that are not UTF-8");
        }
        if (value.isObject()) {
            byte[] units = hex(text(value.path(ValueWriter.UTF_16), path, "text"), path);
            require(units.length % Character.BYTES == 0, path, "whole UTF-16 units", value);
            return ByteBuffer.wrap(units).asCharBuffer().toString(); // A charset would replace lone surrogates.
        }
        return text(value, path, "text");
    }

    private static Uuid uuid(JsonNode value, String path) throws Refusal {
        String text = text(value, path, "a uuid");
        try {
            UUID uuid = UUID.fromString(text);
            require(uuid.toString().equalsIgnoreCase(text), path, "a uuid of 36 characters", value);
            return new Uuid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        } catch (IllegalArgumentException notUuid) {
            throw Refusal.protocol(path + ": expected a uuid, not " + value);
        }
    }

    private static byte[] bytes(JsonNode value, String path) throws Refusal {
        return hex(text(value, path, "hex"), path);
    }

    private static Object array(JsonNode value, FieldType type, String path) throws Refusal {
        require(value.isArray(), path, "an array", value);
        Collection<Object> elements = emptyCollection(type.javaClass(), value.size());
        for (int index = 0; index < value.size(); index++) {
            String elementPath = path + "[" + index + "]";
            Object element = read(value.get(index), type.element(), elementPath);
            if (!holds(elements, element)) {
                throw Refusal.unrepresentable(elementPath + ": a keyed array does not hold " + value.get(index));
            }
        }
        return elements;
    }

    /** Adds an element; a keyed array needs its hash, and a key of it that is null has none. */
    private static boolean holds(Collection<Object> elements, Object element) {
        try {
            return elements.add(element);
        } catch (NullPointerException e) {
            return false;
        }
    }

    /** A keyed array's class keeps duplicates and their order; it refuses only null. */
    @SuppressWarnings("unchecked")
    private static Collection<Object> emptyCollection(Class<?> javaClass, int size) {
        try {
            return javaClass.isAssignableFrom(ArrayList.class)
                ? new ArrayList<>(size)
                : (Collection<Object>) javaClass.getConstructor(int.class).newInstance(size);
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(javaClass + " cannot be constructed", unexpected);
        }
    }

    static List<RawTaggedField> tags(JsonNode pairs, String path) throws Refusal {
        require(pairs.isArray(), path, "an array of pairs", pairs);
        List<RawTaggedField> fields = new ArrayList<>(pairs.size());
        for (JsonNode pair : pairs) {
            require(pair.size() == 2 && pair.path(0).isIntegralNumber(), path, "pairs of tag and hex", pair);
            long tag = pair.path(0).canConvertToLong() ? pair.path(0).longValue() : -1;
            if (tag < 0 || tag > LARGEST_TAG) {
                throw Refusal.unrepresentable(path + ": " + pair.path(0) + " is outside 0 to " + LARGEST_TAG);
            }
            fields.add(new RawTaggedField((int) tag, bytes(pair.path(1), path)));
        }
        return fields;
    }

    private static String text(JsonNode value, String path, String expected) throws Refusal {
        require(value.isTextual(), path, expected, value);
        return value.textValue();
    }

    private static byte[] hex(String digits, String path) throws Refusal {
        try {
            return HEX.parseHex(digits);
        } catch (IllegalArgumentException notHex) {
            throw Refusal.protocol(path + ": " + notHex.getMessage());
        }
    }

    private static void require(boolean holds, String path, String expected, JsonNode value) throws Refusal {
        if (!holds) {
            String place = path.isEmpty() ? "the value" : path;
            throw Refusal.protocol(place + ": expected " + expected + ", not " + value);
        }
    }
}
