package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;

/** Writes a field of records with Kafka's classes, batch by batch; compressed records as Kafka's streams write them. */
final class RecordsWriter {
    private static final HexFormat HEX = HexFormat.of();
    private static final int HEADER_SIZE = 61;
    private static final int FIRST_CAPACITY = 1024;

    private RecordsWriter() {
    }

    static byte[] write(JsonNode field) throws Refusal {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            for (JsonNode batch : field.path("batches")) {
                int magic = batch.path("magic").intValue();
                out.write(magic == RecordBatch.MAGIC_VALUE_V2 ? batch(batch) : entry(batch, (byte) magic));
            }
        } catch (Refusal refusal) {
            throw refusal;
        } catch (Exception refusal) {
            throw Refusal.byKafka("write", refusal);
        }
        return out.toByteArray();
    }

    private static byte[] batch(JsonNode batch) throws Exception {
        mustBeZero(batch, "unusedAttributes");
        CompressionType codec = codec(batch);
        ByteBufferOutputStream buffer = new ByteBufferOutputStream(FIRST_CAPACITY);
        buffer.position(HEADER_SIZE);
        try (DataOutputStream out = compressed(codec, buffer, RecordBatch.MAGIC_VALUE_V2)) {
            for (JsonNode record : batch.path("records")) {
                mustBeZero(record, "attributes");
                DefaultRecord.writeTo(
                    out, int32(record, "offsetDelta"), int64(record, "timestampDelta"), bytes(record, "key"),
                    bytes(record, "value"), headers(record));
            }
        }
        int size = buffer.position();
        ByteBuffer wire = buffer.buffer();
        wire.position(0);
        DefaultRecordBatch.writeHeader(
            wire, int64(batch, "baseOffset"), int32(batch, "lastOffsetDelta"), size, RecordBatch.MAGIC_VALUE_V2, codec,
            timestampType(batch), int64(batch, "baseTimestamp"), int64(batch, "maxTimestamp"),
            int64(batch, "producerId"), (short) int32(batch, "producerEpoch"), int32(batch, "baseSequence"),
            batch.path("transactional").booleanValue(), batch.path("control").booleanValue(),
            batch.path("deleteHorizon").booleanValue(), int32(batch, "partitionLeaderEpoch"),
            batch.path("records").size());
        return taken(wire, size);
    }

    /** A message of magic 0 or 1 with its offset and size; a wrapper's value is a compressed message set. */
    private static byte[] entry(JsonNode entry, byte magic) throws Exception {
        mustBeZero(entry, "unusedAttributes");
        CompressionType codec = codec(entry);
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

    private static ByteBuffer wrapped(JsonNode wrapper, CompressionType codec, byte magic) throws Exception {
        ByteBufferOutputStream buffer = new ByteBufferOutputStream(FIRST_CAPACITY);
        try (OutputStream out = compressed(codec, buffer, magic)) {
            for (JsonNode message : wrapper.path("messages")) {
                out.write(entry(message, magic));
            }
        }
        return ByteBuffer.wrap(taken(buffer.buffer(), buffer.position()));
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

    private static Header[] headers(JsonNode record) throws Refusal {
        JsonNode forms = record.path("headers");
        Header[] headers = new Header[forms.size()];
        for (int index = 0; index < headers.length; index++) {
            JsonNode key = forms.get(index).path(0);
            if (!key.isTextual()) {
                throw Refusal.unrepresentable("a header key is a Java string, not " + key);
            }
            JsonNode value = forms.get(index).path(1);
            headers[index] =
                new RecordHeader(key.textValue(), value.isNull() ? null : HEX.parseHex(value.textValue()));
        }
        return headers;
    }

    private static void mustBeZero(JsonNode node, String name) throws Refusal {
        if (node.path(name).intValue() != 0) {
            throw Refusal.unrepresentable("Kafka writes no " + name + " but 0");
        }
    }

    private static CompressionType codec(JsonNode node) throws Refusal {
        return CompressionType.forName(Requests.text(node, "compression"));
    }

    private static TimestampType timestampType(JsonNode node) throws Refusal {
        boolean isCreate = Requests.text(node, "timestampType").equals("create");
        return isCreate ? TimestampType.CREATE_TIME : TimestampType.LOG_APPEND_TIME;
    }

    private static int int32(JsonNode node, String name) throws Refusal {
        JsonNode number = node.path(name);
        if (!number.canConvertToInt()) {
            throw Refusal.unrepresentable("\"" + name + "\" does not fit a Java int: " + number);
        }
        return number.intValue();
    }

    private static long int64(JsonNode node, String name) throws Refusal {
        return Long.parseLong(Requests.text(node, name));
    }

    private static ByteBuffer bytes(JsonNode node, String name) {
        JsonNode hex = node.path(name);
        return hex.isTextual() ? ByteBuffer.wrap(HEX.parseHex(hex.textValue())) : null;
    }
}
