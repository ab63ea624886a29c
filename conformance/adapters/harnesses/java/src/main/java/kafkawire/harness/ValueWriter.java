package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/** A message as JSON: all fields of the class, those that the version lacks included, and nothing rounded or lost. */
final class ValueWriter {
    static final String TAGS = "_tags";
    static final String UTF_16 = "utf16";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final HexFormat HEX = HexFormat.of();

    private ValueWriter() {
    }

    static ObjectNode write(Message struct) {
        ObjectNode object = JSON.objectNode();
        for (Struct.Member member : Struct.of(struct.getClass()).members().values()) {
            object.set(member.name(), write(member.type(), Struct.get(member, struct)));
        }
        List<RawTaggedField> tags = struct.unknownTaggedFields();
        if (!tags.isEmpty()) {
            object.set(TAGS, tags(tags));
        }
        return object;
    }

    static JsonNode write(FieldType type, Object value) {
        if (value == null) {
            return JSON.nullNode();
        }
        return switch (type.form()) {
            case BOOLEAN -> JSON.booleanNode((Boolean) value);
            case INT8, INT16, INT32 -> JSON.numberNode(((Number) value).intValue());
            case INT64 -> JSON.textNode(value.toString());
            case FLOAT64 -> JSON.textNode(HEX.toHexDigits(Double.doubleToRawLongBits((Double) value)));
            case STRING -> text((String) value);
            case UUID -> uuid((Uuid) value);
            case BYTES -> JSON.textNode(HEX.formatHex((byte[]) value));
            case BUFFER -> buffer((ByteBuffer) value);
            case RECORDS -> buffer(Records.toBytes(type.javaClass(), value));
            case STRUCT -> write((Message) value);
            case ARRAY -> array(type.element(), (Collection<?>) value);
        };
    }

    /** A lone surrogate is not a character, and JSON parsers differ about it: such text goes as UTF-16 in hex. */
    private static JsonNode text(String text) {
        if (!hasSurrogates(text) || StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            return JSON.textNode(text);
        }
        ByteBuffer units = ByteBuffer.allocate(text.length() * Character.BYTES);
        units.asCharBuffer().put(text); // A charset would replace lone surrogates.
        return JSON.objectNode().put(UTF_16, HEX.formatHex(units.array()));
    }

    private static boolean hasSurrogates(String text) {
        for (int index = 0; index < text.length(); index++) {
            if (Character.isSurrogate(text.charAt(index))) {
                return true;
            }
        }
        return false;
    }

    private static JsonNode uuid(Uuid uuid) {
        return JSON.textNode(new UUID(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits()).toString());
    }

    private static JsonNode buffer(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return JSON.textNode(HEX.formatHex(bytes));
    }

    private static ArrayNode array(FieldType elementType, Collection<?> elements) {
        ArrayNode array = JSON.arrayNode(elements.size());
        elements.forEach(element -> array.add(write(elementType, element)));
        return array;
    }

    /** Pairs of tag and bytes. A tag is a uint32 on the wire, though Kafka holds it as an int. */
    static ArrayNode tags(List<RawTaggedField> fields) {
        ArrayNode pairs = JSON.arrayNode(fields.size());
        fields.forEach(field ->
            pairs.addArray().add(Integer.toUnsignedLong(field.tag())).add(HEX.formatHex(field.data())));
        return pairs;
    }
}
