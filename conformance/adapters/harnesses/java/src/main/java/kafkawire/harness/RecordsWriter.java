package kafkawire.harness;

import static kafkawire.harness.RecordForms.bytes;
import static kafkawire.harness.RecordForms.int32;
import static kafkawire.harness.RecordForms.int64;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;

/** Writes a field of records with Kafka's classes, batch by batch; compressed records as Kafka's streams write them. */
final class RecordsWriter {
    private static final int HEADER_SIZE = 61;
    private static final int FIRST_CAPACITY = 1024;

    private RecordsWriter() {
    }

    static byte[] write(JsonNode field) throws Refusal {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            for (JsonNode batch : batches(field)) {
                byte magic = RecordForms.int8(batch, "magic");
                out.write(magic == RecordBatch.MAGIC_VALUE_V2 ? batch(batch) : entry(batch, magic, codec(batch)));
            }
        } catch (Refusal refusal) {
            throw refusal;
        } catch (Exception refusal) {
            throw Refusal.rejected("write", refusal);
        }
        return out.toByteArray();
    }

    private static JsonNode batches(JsonNode field) throws Refusal {
        if (!field.isObject()) {
            throw Refusal.protocol("the request has no object \"value\"");
        }
        if (!field.path("partial").asText().isEmpty()) {
            throw Refusal.unrepresentable("Kafka writes no part of a batch");
        }
        return RecordForms.list(field, "batches");
    }

    private static byte[] batch(JsonNode batch) throws Exception {
        mustBeZero(batch, "unusedAttributes");
        CompressionType codec = codec(batch);
        JsonNode records = RecordForms.list(batch, "records");
        ByteBufferOutputStream buffer = new ByteBufferOutputStream(FIRST_CAPACITY);
        buffer.position(HEADER_SIZE);
        try (DataOutputStream out = compressed(codec, buffer, RecordBatch.MAGIC_VALUE_V2)) {
            checkOffsets(batch, records);
            for (JsonNode record : records) {
                mustBeZero(record, "attributes");
                DefaultRecord.writeTo(
                    out, int32(record, "offsetDelta"), int64(record, "timestampDelta"), bytes(record, "key"),
                    bytes(record, "value"), RecordForms.headers(record));
            }
        }
        int size = buffer.position();
        ByteBuffer wire = buffer.buffer();
        wire.position(0);
        DefaultRecordBatch.writeHeader(
            wire, int64(batch, "baseOffset"), int32(batch, "lastOffsetDelta"), size, RecordBatch.MAGIC_VALUE_V2, codec,
            timestampType(batch), int64(batch, "baseTimestamp"), int64(batch, "maxTimestamp"),
            int64(batch, "producerId"), RecordForms.int16(batch, "producerEpoch"), int32(batch, "baseSequence"),
            RecordForms.flag(batch, "transactional"), RecordForms.flag(batch, "control"),
            RecordForms.flag(batch, "deleteHorizon"), int32(batch, "partitionLeaderEpoch"), records.size());
        return taken(wire, size);
    }

    /** DefaultRecord writes any delta, but MemoryRecordsBuilder works them out, from offsets that ascend. */
    private static void checkOffsets(JsonNode batch, JsonNode records) throws Refusal {
        int before = -1;
        for (JsonNode record : records) {
            int delta = int32(record, "offsetDelta");
            if (delta <= before || delta > int32(batch, "lastOffsetDelta")) {
                throw Refusal.unrepresentable("Kafka writes offset deltas that ascend from 0 to the last one");
            }
            before = delta;
        }
    }

    /** A message of magic 0 or 1 with its offset and size; a wrapper's value is a compressed message set. */
    private static byte[] entry(JsonNode entry, byte magic, CompressionType codec) throws Exception {
        mustBeZero(entry, "unusedAttributes");
        ByteBuffer value = codec == CompressionType.NONE ? bytes(entry, "value") : wrapped(entry, codec, magic);
        long timestamp = magic == RecordBatch.MAGIC_VALUE_V0 ? RecordBatch.NO_TIMESTAMP : int64(entry, "timestamp");
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        LegacyRecord.write(
            new DataOutputStream(message), magic, timestamp, bytes(entry, "key"), value, codec,
            magic == RecordBatch.MAGIC_VALUE_V0 ? TimestampType.CREATE_TIME : timestampType(entry));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DataOutputStream numbers = new DataOutputStream(out);
        numbers.writeLong(int64(entry, "offset"));
        numbers.writeInt(message.size());
        message.writeTo(out);
        return out.toByteArray();
    }

    /** MemoryRecordsBuilder refuses zstd in a message set, and writes no wrapper without messages. */
    private static ByteBuffer wrapped(JsonNode wrapper, CompressionType codec, byte magic) throws Exception {
        if (codec == CompressionType.ZSTD || !RecordForms.list(wrapper, "messages").iterator().hasNext()) {
            throw Refusal.unrepresentable("a wrapper has messages, and is not compressed by zstd");
        }
        ByteBufferOutputStream buffer = new ByteBufferOutputStream(FIRST_CAPACITY);
        try (OutputStream out = compressed(codec, buffer, magic)) {
            for (JsonNode message : RecordForms.list(wrapper, "messages")) {
                out.write(inner(message, magic));
            }
        }
        return ByteBuffer.wrap(taken(buffer.buffer(), buffer.position()));
    }

    private static byte[] inner(JsonNode message, byte magic) throws Exception {
        if (RecordForms.int8(message, "magic") != magic || codec(message) != CompressionType.NONE) {
            throw Refusal.unrepresentable("messages in a wrapper have its magic, and are not compressed");
        }
        return entry(message, magic, CompressionType.NONE);
    }

    private static DataOutputStream compressed(CompressionType codec, ByteBufferOutputStream buffer, byte magic) {
        return new DataOutputStream(Compression.of(codec).build().wrapForOutput(buffer, magic));
    }

    private static byte[] taken(ByteBuffer buffer, int size) {
        byte[] bytes = new byte[size];
        buffer.position(0).limit(size);
        buffer.get(bytes);
        return bytes;
    }

    private static void mustBeZero(JsonNode node, String name) throws Refusal {
        if (int32(node, name) != 0) {
            throw Refusal.unrepresentable("Kafka writes no " + name + " but 0");
        }
    }

    private static CompressionType codec(JsonNode node) throws Refusal {
        String name = RecordForms.text(node, "compression");
        return Arrays.stream(CompressionType.values()).filter(type -> type.name.equals(name)).findFirst()
            .orElseThrow(() -> Refusal.unrepresentable("CompressionType has no " + name));
    }

    private static TimestampType timestampType(JsonNode node) throws Refusal {
        String name = RecordForms.text(node, "timestampType");
        return switch (name) {
            case "create" -> TimestampType.CREATE_TIME;
            case "log-append" -> TimestampType.LOG_APPEND_TIME;
            default -> throw Refusal.unrepresentable("TimestampType has no " + name);
        };
    }
}
