package kafkawire.vectors;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** What a decoded message holds, compared with the value of a vector. */
final class Values {
    private static final HexFormat HEX = HexFormat.of();

    private Values() {
    }

    /**
     * Where a decoded value differs from that of the vector, and how; null if it does not.
     *
     * <p>The vector has exactly the fields of its version. A class has those of all versions, and only the ones that the
     * vector has are compared.
     */
    static String difference(Object expected, Object seen, String path) {
        if (seen instanceof Records.Shown records) {
            return records.difference(expected);
        }
        if (expected instanceof Map<?, ?> frame && seen instanceof Map<?, ?> parts) {
            String inHeader = difference(frame.get("header"), parts.get("header"), "header");
            return inHeader != null ? inHeader : difference(frame.get("body"), parts.get("body"), "body");
        }
        if (expected instanceof Map<?, ?> members && seen instanceof Message struct) {
            return differenceOfFields(members, struct, path);
        }
        if (expected instanceof List<?> values && seen instanceof Collection<?> elements && values.size() == elements.size()) {
            int index = 0;
            for (Object element : elements) {
                String difference = difference(values.get(index), element, path + "[" + index + "]");
                if (difference != null) {
                    return difference;
                }
                index++;
            }
            return null;
        }
        return Objects.equals(expected, json(seen)) ? null : path + ": " + json(seen) + " instead of " + expected;
    }

    private static String differenceOfFields(Map<?, ?> members, Message struct, String path) {
        for (Map.Entry<?, ?> member : members.entrySet()) {
            String name = member.getKey().toString();
            if (!name.equals("_tags")) {
                String difference = difference(member.getValue(), field(struct, name), path + "." + name);
                if (difference != null) {
                    return difference;
                }
            }
        }
        Object tags = members.containsKey("_tags") ? members.get("_tags") : List.of();
        Object seen = struct.unknownTaggedFields().stream().map(Values::json).toList();
        return tags.equals(seen) ? null : path + "._tags: " + seen + " instead of " + tags;
    }

    /** The field {@code TopicId} is read by {@code topicId()}. */
    private static Object field(Message struct, String name) {
        String accessor = Character.toLowerCase(name.charAt(0)) + name.substring(1);
        try {
            return struct.getClass().getMethod(accessor).invoke(struct);
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(struct.getClass() + " has no usable " + accessor + "()", unexpected);
        }
    }

    /** A Java value in the vectors' JSON: by its type, never by its magnitude. */
    private static Object json(Object value) {
        if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
            return new Json.Num(value.toString());
        } else if (value instanceof Long number) {
            return number.toString();
        } else if (value instanceof Double number) {
            return HEX.toHexDigits(Double.doubleToRawLongBits(number));
        } else if (value instanceof Uuid id) {
            return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()).toString();
        } else if (value instanceof byte[] bytes) {
            return HEX.formatHex(bytes);
        } else if (value instanceof ByteBuffer buffer) {
            return HEX.formatHex(MessageUtil.byteBufferToArray(buffer.duplicate()));
        } else if (value instanceof MemoryRecords records) {
            return HEX.formatHex(MessageUtil.byteBufferToArray(records.buffer()));
        } else if (value instanceof RawTaggedField tag) {
            return List.of(new Json.Num(Integer.toUnsignedString(tag.tag())), HEX.formatHex(tag.data()));
        }
        return value;
    }
}
