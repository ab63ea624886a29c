package kafkawire.harness;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LogValidator;
import org.apache.kafka.storage.internals.log.RecordValidationException;

/**
 * A field of records of a Produce request, appended as the broker does, up to the log: the checks of the request, those
 * of the log, which is private to it and stated here again, and its LogValidator.
 *
 * <p>The topic keeps the producer's codec and timestamps, and allows every size and time.
 */
final class Appending {
    private static final TopicPartition TOPIC = new TopicPartition("topic", 0);
    private static final long NEXT_OFFSET = 1000;
    private static final int PARAMETERS = 12;

    private final MemoryRecords received;
    private MemoryRecords stored;
    private String step = "request";

    Appending(byte[] wire) {
        this.received = MemoryRecords.readableRecords(ByteBuffer.wrap(wire.clone()));
    }

    String step() {
        return step;
    }

    /** What the broker writes to its log. */
    byte[] stored() {
        ByteBuffer buffer = stored.buffer().duplicate();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    void run() throws Exception {
        ProduceRequest.validateRecords(ApiKeys.PRODUCE.latestVersion(), received);
        step = "log";
        int validBytes = 0;
        CompressionType codec = CompressionType.NONE;
        for (MutableRecordBatch batch : received.batches()) {
            check(batch);
            validBytes += batch.sizeInBytes();
            codec = CompressionType.forId(batch.compressionType().id);
        }
        step = "validator";
        stored = validated(MemoryRecords.readableRecords(trimmed(validBytes)), codec);
    }

    private static void check(MutableRecordBatch batch) {
        if (batch.baseOffset() != 0) {
            throw new InvalidRecordException("base offset " + batch.baseOffset());
        }
        if (!batch.isValid()) {
            throw new CorruptRecordException("CRC " + batch.checksum());
        }
    }

    private ByteBuffer trimmed(int validBytes) {
        ByteBuffer buffer = received.buffer().duplicate();
        buffer.limit(validBytes);
        return buffer;
    }

    private static MemoryRecords validated(MemoryRecords records, CompressionType codec) throws Exception {
        try {
            Object result = validator(records, codec).validateMessagesAndAssignOffsets(
                PrimitiveRef.ofLong(NEXT_OFFSET), new NoMetrics(), BufferSupplier.create());
            Field validated = result.getClass().getDeclaredField("validatedRecords"); // Public until 4.0.
            validated.setAccessible(true);
            return (MemoryRecords) validated.get(result);
        } catch (RecordValidationException wrapped) {
            throw wrapped.invalidException();
        }
    }

    /** Until 4.0 a last parameter says which version of the metadata the cluster has. */
    private static LogValidator validator(MemoryRecords records, CompressionType codec) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of(
            records, TOPIC, Time.SYSTEM, codec, Compression.of(codec).build(), false, RecordBatch.MAGIC_VALUE_V2,
            TimestampType.CREATE_TIME, Long.MAX_VALUE, Long.MAX_VALUE, 0, AppendOrigin.CLIENT));
        Constructor<?> constructor = shortest();
        for (int index = PARAMETERS; index < constructor.getParameterCount(); index++) {
            arguments.add(Moved.call(Moved.method(constructor.getParameterTypes()[index], "latestProduction")));
        }
        try {
            return (LogValidator) constructor.newInstance(arguments.toArray());
        } catch (InvocationTargetException thrown) {
            throw (Exception) thrown.getCause();
        }
    }

    private static Constructor<?> shortest() {
        return Arrays.stream(LogValidator.class.getConstructors())
            .min((one, other) -> one.getParameterCount() - other.getParameterCount()).orElseThrow();
    }

    private static final class NoMetrics implements LogValidator.MetricsRecorder {
        @Override
        public void recordInvalidMagic() {
        }

        @Override
        public void recordInvalidOffset() {
        }

        @Override
        public void recordInvalidSequence() {
        }

        @Override
        public void recordInvalidChecksums() {
        }

        @Override
        public void recordNoKeyCompactedTopic() {
        }
    }
}
