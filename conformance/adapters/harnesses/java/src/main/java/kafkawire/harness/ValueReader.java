package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
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
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final ClassValue<Constructor<?>> SIZED = new ClassValue<>() {
        @Override
        protected Constructor<?> computeValue(Class<?> keyedCollection) {
            try {
                return keyedCollection.getConstructor(int.class);
            } catch (NoSuchMethodException unexpected) {
                throw new IllegalStateException(keyedCollection + " has no constructor with a size", unexpected);
            }
        }
    };

    private ValueReader() {
    }

    static Message read(JsonNode value, Class<?> structClass) throws Refusal {
        return struct(value, structClass, Place.WHOLE);
    }

    private static Message struct(JsonNode value, Class<?> structClass, Place place) throws Refusal {
        require(value.isObject(), place, "an object", value);
        Struct struct = Struct.of(structClass);
        Message message = struct.create();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            Place fieldPlace = place.field(entry.getKey());
            if (entry.getKey().equals(ValueWriter.TAGS)) {
                message.unknownTaggedFields().addAll(tags(entry.getValue(), fieldPlace));
            } else {
                set(message, struct.members().get(entry.getKey()), entry.getValue(), fieldPlace);
            }
        }
        return message;
    }

    private static void set(Message message, Struct.Member member, JsonNode value, Place place) throws Refusal {
        if (member == null) {
            throw Refusal.protocol(place + ": " + message.getClass().getSimpleName() + " has no such field");
        }
        Struct.set(member, message, read(value, member.type(), place));
    }

    static Object read(JsonNode value, FieldType type, Place place) throws Refusal {
        if (value.isNull()) {
            if (type.isPrimitive()) {
                throw Refusal.unrepresentable(place + ": a Java " + type.javaClass() + " cannot be null");
            }
            return null;
        }
        return switch (type.form()) {
            case BOOLEAN -> bool(value, place);
            case INT8 -> (byte) integer(value, place, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case INT16 -> (short) integer(value, place, Short.MIN_VALUE, Short.MAX_VALUE);
            case INT32 -> integer(value, place, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case INT64 -> longInteger(value, place);
            case FLOAT64 -> float64(value, place);
            case STRING -> string(value, place);
            case UUID -> uuid(value, place);
            case BYTES -> bytes(value, place);
            case BUFFER -> ByteBuffer.wrap(bytes(value, place));
            case RECORDS -> Records.fromBytes(type.javaClass(), bytes(value, place));
            case STRUCT -> struct(value, type.javaClass(), place);
            case ARRAY -> array(value, type, place);
        };
    }

    private static boolean bool(JsonNode value, Place place) throws Refusal {
        require(value.isBoolean(), place, "true or false", value);
        return value.booleanValue();
    }

    private static int integer(JsonNode value, Place place, int lowest, int highest) throws Refusal {
        require(value.isIntegralNumber(), place, "an integer", value);
        if (!value.canConvertToInt() || value.intValue() < lowest || value.intValue() > highest) {
            throw Refusal.unrepresentable(place + ": " + value + " is outside " + lowest + " to " + highest);
        }
        return value.intValue();
    }

    private static long longInteger(JsonNode value, Place place) throws Refusal {
        String text = text(value, place, "an integer as decimal text");
        require(INTEGER.matcher(text).matches(), place, "an integer as decimal text", value);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException outOfRange) {
            throw Refusal.unrepresentable(place + ": " + text + " does not fit a Java long");
        }
    }

    private static double float64(JsonNode value, Place place) throws Refusal {
        byte[] bits = hex(text(value, place, "16 hex digits"), place);
        require(bits.length == Double.BYTES, place, "16 hex digits", value);
        return Double.longBitsToDouble(ByteBuffer.wrap(bits).getLong());
    }

    private static String string(JsonNode value, Place place) throws Refusal {
        if (value.path(UTF_8).isTextual()) {
            throw Refusal.unrepresentable(place + ": no Java string holds bytes that are not UTF-8");
        }
        if (value.isObject()) {
            byte[] units = hex(text(value.path(ValueWriter.UTF_16), place, "text"), place);
            require(units.length % Character.BYTES == 0, place, "whole UTF-16 units", value);
            return ByteBuffer.wrap(units).asCharBuffer().toString(); // A charset would replace lone surrogates.
        }
        return text(value, place, "text");
    }

    private static Uuid uuid(JsonNode value, Place place) throws Refusal {
        String text = text(value, place, "a uuid");
        try {
            UUID uuid = UUID.fromString(text);
            require(uuid.toString().equalsIgnoreCase(text), place, "a uuid of 36 characters", value);
            return new Uuid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        } catch (IllegalArgumentException notUuid) {
            throw Refusal.protocol(place + ": expected a uuid, not " + value);
        }
    }

    private static byte[] bytes(JsonNode value, Place place) throws Refusal {
        return hex(text(value, place, "hex"), place);
    }

    private static Object array(JsonNode value, FieldType type, Place place) throws Refusal {
        require(value.isArray(), place, "an array", value);
        Collection<Object> elements = emptyCollection(type.javaClass(), value.size());
        for (int index = 0; index < value.size(); index++) {
            Place elementPlace = place.element(index);
            Object element = read(value.get(index), type.element(), elementPlace);
            if (!holds(elements, element)) {
                throw Refusal.unrepresentable(elementPlace + ": a keyed array does not hold " + value.get(index));
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

    /**
     * A keyed array's class keeps duplicates and their order; it refuses only null. It is made for one element more, as
     * the last one of as many as it is made for has it make room for twice as many, and seat each element anew.
     */
    @SuppressWarnings("unchecked")
    private static Collection<Object> emptyCollection(Class<?> javaClass, int size) {
        try {
            return javaClass.isAssignableFrom(ArrayList.class)
                ? new ArrayList<>(size)
                : (Collection<Object>) SIZED.get(javaClass).newInstance(size + 1);
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(javaClass + " cannot be constructed", unexpected);
        }
    }

    static List<RawTaggedField> tags(JsonNode pairs, Place place) throws Refusal {
        require(pairs.isArray(), place, "an array of pairs", pairs);
        List<RawTaggedField> fields = new ArrayList<>(pairs.size());
        for (JsonNode pair : pairs) {
            require(pair.size() == 2 && pair.path(0).isIntegralNumber(), place, "pairs of tag and hex", pair);
            long tag = pair.path(0).canConvertToLong() ? pair.path(0).longValue() : -1;
            if (tag < 0 || tag > LARGEST_TAG) {
                throw Refusal.unrepresentable(place + ": " + pair.path(0) + " is outside 0 to " + LARGEST_TAG);
            }
            fields.add(new RawTaggedField((int) tag, bytes(pair.path(1), place)));
        }
        return fields;
    }

    private static String text(JsonNode value, Place place, String expected) throws Refusal {
        require(value.isTextual(), place, expected, value);
        return value.textValue();
    }

    private static byte[] hex(String digits, Place place) throws Refusal {
        try {
            return HexFormat.of().parseHex(digits);
        } catch (IllegalArgumentException notHex) {
            throw Refusal.protocol(place + ": " + notHex.getMessage());
        }
    }

    private static void require(boolean holds, Place place, String expected, JsonNode value) throws Refusal {
        if (!holds) {
            String where = place.isWhole() ? "the value" : place.toString();
            throw Refusal.protocol(where + ": expected " + expected + ", not " + value);
        }
    }
}
