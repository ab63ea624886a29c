package kafkawire.harness;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Record sets as opaque bytes. Kafka 4 moved the classes to another package: they are found by the type of the field.
 */
final class Records {
    private static final String OPAQUE_RECORDS = "MemoryRecords";
    private static final String BASE_RECORDS = "BaseRecords";
    private static final List<String> PACKAGES =
        List.of("org.apache.kafka.common.record.internal", "org.apache.kafka.common.record");

    /** The two methods of MemoryRecords that are needed, looked up in the package of the given interface. */
    private record Access(MethodHandle fromBytes, MethodHandle toBytes) {
    }

    private static final ClassValue<Access> ACCESS = new ClassValue<>() {
        @Override
        protected Access computeValue(Class<?> baseRecords) {
            try {
                Class<?> records = Class.forName(baseRecords.getPackageName() + "." + OPAQUE_RECORDS);
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                return new Access(
                    lookup.findStatic(records, "readableRecords", MethodType.methodType(records, ByteBuffer.class)),
                    lookup.findVirtual(records, "buffer", MethodType.methodType(ByteBuffer.class)));
            } catch (ReflectiveOperationException unexpected) {
                throw new IllegalStateException("no usable " + OPAQUE_RECORDS + " beside " + baseRecords, unexpected);
            }
        }
    };

    private Records() {
    }

    /** The type of a field of records in this release. */
    static Class<?> baseClass() {
        return Moved.in(PACKAGES, BASE_RECORDS);
    }

    static boolean isRecords(Class<?> javaClass) {
        return javaClass.getSimpleName().equals(BASE_RECORDS);
    }

    /** Records that hold exactly these bytes, whether or not they are record batches. */
    static Object fromBytes(Class<?> baseRecords, byte[] bytes) {
        try {
            return ACCESS.get(baseRecords).fromBytes().invoke(ByteBuffer.wrap(bytes));
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    static ByteBuffer toBytes(Class<?> baseRecords, Object records) {
        try {
            return (ByteBuffer) ACCESS.get(baseRecords).toBytes().invoke(records);
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
