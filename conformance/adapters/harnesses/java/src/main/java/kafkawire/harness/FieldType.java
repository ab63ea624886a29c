package kafkawire.harness;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Message;

/**
 * How a field is held in Java, and so which JSON form it has. Two pairs of wire types are one here: int32 and uint16
 * are {@code int}, int64 and uint32 are {@code long}.
 *
 * @param element the type of an array's elements, otherwise null
 */
record FieldType(Form form, Class<?> javaClass, FieldType element) {
    /** The JSON form. */
    enum Form { BOOLEAN, INT8, INT16, INT32, INT64, FLOAT64, STRING, UUID, BYTES, BUFFER, RECORDS, STRUCT, ARRAY }

    private static final Map<Class<?>, Form> SIMPLE = Map.ofEntries(
        Map.entry(boolean.class, Form.BOOLEAN), Map.entry(Boolean.class, Form.BOOLEAN),
        Map.entry(byte.class, Form.INT8), Map.entry(Byte.class, Form.INT8),
        Map.entry(short.class, Form.INT16), Map.entry(Short.class, Form.INT16),
        Map.entry(int.class, Form.INT32), Map.entry(Integer.class, Form.INT32),
        Map.entry(long.class, Form.INT64), Map.entry(Long.class, Form.INT64),
        Map.entry(double.class, Form.FLOAT64), Map.entry(Double.class, Form.FLOAT64),
        Map.entry(String.class, Form.STRING),
        Map.entry(Uuid.class, Form.UUID),
        Map.entry(byte[].class, Form.BYTES),
        Map.entry(ByteBuffer.class, Form.BUFFER));

    static FieldType of(Type type) {
        if (type instanceof ParameterizedType list) {
            return new FieldType(Form.ARRAY, (Class<?>) list.getRawType(), of(list.getActualTypeArguments()[0]));
        }
        Class<?> javaClass = (Class<?>) type;
        if (Collection.class.isAssignableFrom(javaClass)) { // A keyed array is a class that says its elements' type.
            ParameterizedType parent = (ParameterizedType) javaClass.getGenericSuperclass();
            return new FieldType(Form.ARRAY, javaClass, of(parent.getActualTypeArguments()[0]));
        }
        return new FieldType(formOf(javaClass), javaClass, null);
    }

    static FieldType listOf(Class<?> element) {
        return new FieldType(Form.ARRAY, List.class, of(element));
    }

    boolean isPrimitive() {
        return javaClass.isPrimitive();
    }

    private static Form formOf(Class<?> javaClass) {
        if (SIMPLE.containsKey(javaClass)) {
            return SIMPLE.get(javaClass);
        }
        if (Message.class.isAssignableFrom(javaClass)) {
            return Form.STRUCT;
        }
        if (Records.isRecords(javaClass)) {
            return Form.RECORDS;
        }
        throw new IllegalStateException("a field of a Java type unknown to the harness: " + javaClass.getName());
    }
}
