package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.invoke.MethodHandle;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.types.ArrayOf;
import org.apache.kafka.common.protocol.types.CompactArrayOf;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;

/** Single wire types: those of {@link Type}, and the varints of Kafka's ByteUtils. */
final class Primitives {
    private static final int LARGEST_ATTEMPT = 1 << 28;
    private static final Class<?> BYTE_UTILS = Moved.utility("ByteUtils");
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** One wire type, from JSON to bytes and back. */
    private interface Primitive {
        void write(JsonNode value, ByteBuffer target) throws Exception;

        JsonNode read(ByteBuffer source) throws Exception;
    }

    private final Map<String, Primitive> byName = new TreeMap<>();

    Primitives() {
        addNumbers();
        addVarints();
        addText();
        addArrays();
        byName.put("tag-section", new TagSection());
    }

    ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        byte[] wire = write(find(request), request.path("value"));
        return reply.put("outcome", Outcome.BYTES.text()).put("wire", HexFormat.of().formatHex(wire));
    }

    ObjectNode decode(JsonNode request, ObjectNode reply) throws Refusal {
        Primitive primitive = find(request);
        ByteBuffer source = ByteBuffer.wrap(Requests.bytes(request, "wire"));
        try {
            reply.set("value", primitive.read(source));
        } catch (Exception refusal) {
            throw Refusal.rejected("read", refusal);
        }
        return reply.put("outcome", Outcome.VALUE.text()).put("consumed", source.position());
    }

    private Primitive find(JsonNode request) throws Refusal {
        String name = Requests.text(request, "name");
        if (!byName.containsKey(name)) {
            throw Refusal.unsupported("this release has no wire type " + name + "; there are " + byName.keySet());
        }
        return byName.get(name);
    }

    private static byte[] write(Primitive primitive, JsonNode value) throws Refusal {
        for (int capacity = 1 << 10; true; capacity *= 2) {
            ByteBuffer target = ByteBuffer.allocate(capacity);
            try {
                primitive.write(value, target);
                return Arrays.copyOf(target.array(), target.position());
            } catch (BufferOverflowException overflow) {
                if (capacity > LARGEST_ATTEMPT) {
                    throw Refusal.rejected("write", overflow);
                }
            } catch (Refusal refusal) {
                throw refusal;
            } catch (Exception refusal) {
                throw Refusal.rejected("write", refusal);
            }
        }
    }

    private void addNumbers() {
        add("bool", Type.BOOLEAN, boolean.class);
        add("int8", Type.INT8, byte.class);
        add("int16", Type.INT16, short.class);
        add("int32", Type.INT32, int.class);
        add("int64", Type.INT64, long.class);
        add("uint16", Type.UINT16, int.class);
        add("uint32", Type.UNSIGNED_INT32, long.class);
        add("float64", Type.FLOAT64, double.class);
        add("uuid", Type.UUID, Uuid.class);
    }

    private void addVarints() {
        add("varint", Type.VARINT, int.class);
        add("varlong", Type.VARLONG, long.class);
        byName.put("unsigned-varint", new UnsignedVarint());
        byName.put("unsigned-varlong", new UnsignedVarlong());
    }

    private void addText() {
        add("string", Type.STRING, String.class);
        add("nullable-string", Type.NULLABLE_STRING, String.class);
        add("compact-string", Type.COMPACT_STRING, String.class);
        add("compact-nullable-string", Type.COMPACT_NULLABLE_STRING, String.class);
        add("bytes", Type.BYTES, ByteBuffer.class);
        add("nullable-bytes", Type.NULLABLE_BYTES, ByteBuffer.class);
        add("compact-bytes", Type.COMPACT_BYTES, ByteBuffer.class);
        add("compact-nullable-bytes", Type.COMPACT_NULLABLE_BYTES, ByteBuffer.class);
        addRecords();
    }

    /** Until 4.0 there was one type of records in each form, and it took null. */
    private void addRecords() {
        Class<?> records = Records.baseClass();
        try {
            add("nullable-records", (Type) Type.class.getField("NULLABLE_RECORDS").get(null), records);
            add("compact-nullable-records", (Type) Type.class.getField("COMPACT_NULLABLE_RECORDS").get(null), records);
            add("records", Type.RECORDS, records);
            add("compact-records", Type.COMPACT_RECORDS, records);
        } catch (NoSuchFieldException olderRelease) {
            add("nullable-records", Type.RECORDS, records);
            add("compact-nullable-records", Type.COMPACT_RECORDS, records);
        } catch (IllegalAccessException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private void addArrays() {
        addArray("array-of-int32", new ArrayOf(Type.INT32), int.class);
        addArray("nullable-array-of-int32", ArrayOf.nullable(Type.INT32), int.class);
        addArray("compact-array-of-int32", new CompactArrayOf(Type.INT32), int.class);
        addArray("compact-nullable-array-of-int32", CompactArrayOf.nullable(Type.INT32), int.class);
        addArray("array-of-string", new ArrayOf(Type.STRING), String.class);
        addArray("nullable-array-of-string", ArrayOf.nullable(Type.STRING), String.class);
        addArray("compact-array-of-string", new CompactArrayOf(Type.COMPACT_STRING), String.class);
        addArray("compact-nullable-array-of-string", CompactArrayOf.nullable(Type.COMPACT_STRING), String.class);
    }

    private void add(String name, Type type, Class<?> javaClass) {
        byName.put(name, new OfType(type, FieldType.of(javaClass), false));
    }

    private void addArray(String name, Type type, Class<?> element) {
        byName.put(name, new OfType(type, FieldType.listOf(element), true));
    }

    /** What {@link Type} calls a type; arrays are Java arrays there. */
    private record OfType(Type type, FieldType held, boolean isArray) implements Primitive {
        @Override
        public void write(JsonNode value, ByteBuffer target) throws Refusal {
            Object read = value.isNull() ? null : ValueReader.read(value, held, Place.WHOLE);
            Object content = isArray && read != null ? ((Collection<?>) read).toArray() : read;
            type.write(target, type.validate(content));
        }

        @Override
        public JsonNode read(ByteBuffer source) {
            Object content = type.read(source);
            Object value = isArray && content != null ? Arrays.asList((Object[]) content) : content;
            return ValueWriter.write(held, value);
        }
    }

    private static final class UnsignedVarint implements Primitive {
        private final MethodHandle writer =
            Moved.method(BYTE_UTILS, "writeUnsignedVarint", int.class, ByteBuffer.class);
        private final MethodHandle reader = Moved.method(BYTE_UTILS, "readUnsignedVarint", ByteBuffer.class);

        @Override
        public void write(JsonNode value, ByteBuffer target) throws Exception {
            if (!value.isIntegralNumber() || value.longValue() < 0 || value.longValue() > 0xffffffffL) {
                throw Refusal.unrepresentable(value + " does not fit into 32 bits without a sign");
            }
            Moved.call(writer, (int) value.longValue(), target);
        }

        @Override
        public JsonNode read(ByteBuffer source) throws Exception {
            return JSON.numberNode(Integer.toUnsignedLong((int) Moved.call(reader, source)));
        }
    }

    /** Kafka keeps its reader of this one to itself. */
    private static final class UnsignedVarlong implements Primitive {
        private final MethodHandle writer =
            Moved.method(BYTE_UTILS, "writeUnsignedVarlong", long.class, ByteBuffer.class);
        private final MethodHandle reader = Moved.method(BYTE_UTILS, "readUnsignedVarlong", ByteBuffer.class);

        @Override
        public void write(JsonNode value, ByteBuffer target) throws Exception {
            Moved.call(writer, Long.parseUnsignedLong(value.textValue()), target);
        }

        @Override
        public JsonNode read(ByteBuffer source) throws Exception {
            return JSON.textNode(Long.toUnsignedString((long) Moved.call(reader, source)));
        }
    }

    /** The section of a struct that knows no tag. */
    private static final class TagSection implements Primitive {
        private final TaggedFields type = TaggedFields.of();

        @Override
        public void write(JsonNode value, ByteBuffer target) throws Refusal {
            NavigableMap<Integer, Object> fields = new TreeMap<>();
            for (RawTaggedField field : ValueReader.tags(value, Place.WHOLE)) {
                fields.put(field.tag(), field);
            }
            type.write(target, fields);
        }

        @Override
        public JsonNode read(ByteBuffer source) {
            List<RawTaggedField> fields =
                type.read(source).values().stream().map(RawTaggedField.class::cast).toList();
            return ValueWriter.tags(fields);
        }
    }
}
