package kafkawire.harness;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.*;
import org.apache.kafka.common.record.internal.*;
import org.apache.kafka.common.utils.*;
import org.apache.kafka.common.utils.internals.*;

/**
 * A field of records, read as the consumer does: batch by batch, each with its CRC before its records, which are read
 * one by one from a stream.
 */
final class Consumption {
    private static final HexFormat HEX = HexFormat.of();
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final byte[] wire;
    private final boolean checkCrcs;
    private final BufferSupplier buffers = BufferSupplier.create();
    private final ArrayNode batches = JSON.arrayNode();
    private final ArrayNode absolute = JSON.arrayNode();
    private String step = "batches";
    private int delivered;
    private int validBytes;

    Consumption(byte[] wire, boolean checkCrcs) {
        this.wire = wire;
        this.checkCrcs = checkCrcs;
    }

    /** The value in the JSON form; what a consumer does not show is not there, or null. */
    ObjectNode value() {
        ObjectNode value = JSON.objectNode();
        value.set("batches", batches);
        return value.put("partial", HEX.formatHex(Arrays.copyOfRange(wire, validBytes, wire.length)));
    }

    /** Offset and timestamp of each record of each batch. */
    ArrayNode absolute() {
        return absolute;
    }

    String step() {
        return step;
    }

    /** How many records came before the step that failed. */
    int delivered() {
        return delivered;
    }

    void run() {
        var iterator = MemoryRecords.readableRecords(ByteBuffer.wrap(wire)).batches().iterator();
        while (iterator.hasNext()) {
            RecordBatch batch = iterator.next();
            if (checkCrcs && batch.magic() >= RecordBatch.MAGIC_VALUE_V2) {
                step = "check";
                batch.ensureValid();
            }
            step = "records";
            batches.add(batch.magic() >= RecordBatch.MAGIC_VALUE_V2 ? batch((DefaultRecordBatch) batch) : entry(batch));
            validBytes += batch.sizeInBytes();
            step = "batches";
        }
    }

    private ObjectNode batch(DefaultRecordBatch batch) {
        ObjectNode value = JSON.objectNode().put("magic", 2).put("baseOffset", Long.toString(batch.baseOffset()));
        ArrayNode records = JSON.arrayNode();
        ArrayNode places = absolute.addArray();
        try (var iterator = batch.streamingIterator(buffers)) {
            while (iterator.hasNext()) {
                DefaultRecord record = (DefaultRecord) iterator.next();
                record.ensureValid();
                delivered++;
                records.add(record(batch, record));
                places.addArray().add(Long.toString(record.offset())).add(Long.toString(record.timestamp()));
            }
        }
        value.put("partitionLeaderEpoch", batch.partitionLeaderEpoch());
        value.put("compression", batch.compressionType().name);
        value.put("timestampType", timestampType(batch.timestampType()));
        value.put("transactional", batch.isTransactional()).put("control", batch.isControlBatch());
        value.put("deleteHorizon", batch.deleteHorizonMs().isPresent());
        value.put("lastOffsetDelta", (int) (batch.lastOffset() - batch.baseOffset()));
        value.put("baseTimestamp", Long.toString(batch.baseTimestamp()));
        value.put("maxTimestamp", Long.toString(batch.maxTimestamp()));
        value.put("producerId", Long.toString(batch.producerId()));
        value.put("producerEpoch", batch.producerEpoch()).put("baseSequence", batch.baseSequence());
        return value.set("records", records);
    }

    private static ObjectNode record(DefaultRecordBatch batch, DefaultRecord record) {
        ObjectNode value = JSON.objectNode().put("attributes", record.attributes());
        boolean hidden = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        value.put("timestampDelta", hidden ? null : Long.toString(record.timestamp() - batch.baseTimestamp()));
        value.put("offsetDelta", (int) (record.offset() - batch.baseOffset()));
        value.put("key", hex(record.key())).put("value", hex(record.value()));
        ArrayNode headers = value.putArray("headers");
        for (Header header : record.headers()) {
            byte[] content = header.value();
            headers.addArray().add(header.key()).add(content == null ? null : HEX.formatHex(content));
        }
        return value;
    }

    /** A message of magic 0 or 1, or a wrapper of some; Kafka shows neither the key nor the bits of a wrapper. */
    private ObjectNode entry(RecordBatch batch) {
        ArrayNode messages = JSON.arrayNode();
        ArrayNode places = absolute.addArray();
        try (var iterator = batch.streamingIterator(buffers)) {
            while (iterator.hasNext()) {
                AbstractLegacyRecordBatch message = (AbstractLegacyRecordBatch) iterator.next();
                if (checkCrcs) {
                    message.ensureValid();
                }
                delivered++;
                messages.add(message(message));
                places.addArray().add(Long.toString(message.offset())).add(Long.toString(message.timestamp()));
            }
        }
        if (!batch.isCompressed()) {
            return (ObjectNode) messages.get(0);
        }
        return head(batch).set("messages", messages);
    }

    private static ObjectNode message(AbstractLegacyRecordBatch message) {
        return head(message).put("key", hex(message.key())).put("value", hex(message.value()));
    }

    private static ObjectNode head(RecordBatch batch) {
        ObjectNode value = JSON.objectNode().put("magic", batch.magic());
        value.put("offset", Long.toString(batch.lastOffset())).put("compression", batch.compressionType().name);
        if (batch.magic() != RecordBatch.MAGIC_VALUE_V0) {
            value.put("timestampType", timestampType(batch.timestampType()));
            value.put("timestamp", Long.toString(batch.maxTimestamp()));
        }
        return value;
    }

    private static String timestampType(TimestampType type) {
        return type == TimestampType.LOG_APPEND_TIME ? "log-append" : "create";
    }

    private static String hex(ByteBuffer content) {
        if (content == null) {
            return null;
        }
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return HEX.formatHex(bytes);
    }
}
