package kafkawire.vectors;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.AbstractLegacyRecordBatch;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.BufferSupplier;

/** Record batches, read as a consumer reads them: each batch with its CRC, then its records one by one. */
final class Records {
    private static final HexFormat HEX = HexFormat.of();

    /** The members of a value that kafka-clients shows, in the vectors' JSON. */
    record Shown(Map<?, ?> members) {
        String difference(Object expected) {
            return Records.difference(expected, members, "");
        }
    }

    private Records() {
    }

    static Codec.Outcome read(byte[] wire) {
        try {
            List<Object> batches = new ArrayList<>();
            for (RecordBatch batch : MemoryRecords.readableRecords(ByteBuffer.wrap(wire)).batches()) {
                batches.add(batch instanceof DefaultRecordBatch newest ? batch(newest) : entry(batch));
            }
            return new Codec.Decoded(new Shown(Map.of("batches", batches)), wire.length, wire, null);
        } catch (Exception refusal) {
            return new Codec.Rejected(refusal);
        } catch (Error crash) { // OutOfMemoryError, SnappyError: nothing that a reader may do.
            return new Codec.Crashed(crash.toString());
        }
    }

    private static Map<String, Object> batch(DefaultRecordBatch batch) {
        batch.ensureValid();
        List<Object> records = new ArrayList<>();
        try (var iterator = batch.streamingIterator(BufferSupplier.NO_CACHING)) {
            iterator.forEachRemaining(record -> records.add(record(batch, (DefaultRecord) record)));
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("baseOffset", Long.toString(batch.baseOffset()));
        shown.put("partitionLeaderEpoch", number(batch.partitionLeaderEpoch()));
        shown.put("compression", batch.compressionType().name);
        shown.put("timestampType", batch.timestampType() == TimestampType.LOG_APPEND_TIME ? "log-append" : "create");
        shown.put("transactional", batch.isTransactional());
        shown.put("control", batch.isControlBatch());
        shown.put("deleteHorizon", batch.deleteHorizonMs().isPresent());
        shown.put("lastOffsetDelta", number((int) (batch.lastOffset() - batch.baseOffset())));
        shown.put("baseTimestamp", Long.toString(batch.baseTimestamp()));
        shown.put("maxTimestamp", Long.toString(batch.maxTimestamp()));
        shown.put("producerId", Long.toString(batch.producerId()));
        shown.put("producerEpoch", number(batch.producerEpoch()));
        shown.put("baseSequence", number(batch.baseSequence()));
        shown.put("records", records);
        return shown;
    }

    private static Map<String, Object> record(DefaultRecordBatch batch, DefaultRecord record) {
        List<Object> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            List<Object> pair = new ArrayList<>(List.of(header.key()));
            pair.add(header.value() == null ? null : HEX.formatHex(header.value()));
            headers.add(pair);
        }
        Map<String, Object> shown = content(record);
        shown.put("attributes", number(record.attributes()));
        shown.put("offsetDelta", number((int) (record.offset() - batch.baseOffset())));
        if (batch.timestampType() == TimestampType.CREATE_TIME) {
            shown.put("timestampDelta", Long.toString(record.timestamp() - batch.baseTimestamp()));
        }
        shown.put("headers", headers);
        return shown;
    }

    /** A message of magic 0 or 1, or a wrapper; offset and time of messages inside are shown added up, and left out. */
    private static Map<String, Object> entry(RecordBatch batch) {
        List<Map<String, Object>> messages = new ArrayList<>();
        try (var iterator = batch.streamingIterator(BufferSupplier.NO_CACHING)) {
            iterator.forEachRemaining(message -> {
                ((AbstractLegacyRecordBatch) message).ensureValid();
                messages.add(content(message));
            });
        }
        Map<String, Object> shown = new LinkedHashMap<>();
        if (batch.isCompressed()) {
            shown.put("messages", messages);
        } else {
            shown.putAll(messages.get(0));
        }
        shown.put("magic", number(batch.magic()));
        shown.put("offset", Long.toString(batch.lastOffset()));
        shown.put("compression", batch.compressionType().name);
        return shown;
    }

    private static Map<String, Object> content(Record record) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("key", hex(record.key()));
        shown.put("value", hex(record.value()));
        return shown;
    }

    private static String hex(ByteBuffer content) {
        if (content == null) {
            return null;
        }
        byte[] bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return HEX.formatHex(bytes);
    }

    private static Json.Num number(int value) {
        return new Json.Num(Integer.toString(value));
    }

    /** Where what is shown differs from the value of a vector; null if it does not. Other members are not looked at. */
    private static String difference(Object expected, Object seen, String path) {
        if (seen instanceof Map<?, ?> members && expected instanceof Map<?, ?> value) {
            return members.entrySet().stream()
                .map(member -> difference(value.get(member.getKey()), member.getValue(), path + "." + member.getKey()))
                .filter(Objects::nonNull).findFirst().orElse(null);
        }
        if (seen instanceof List<?> items && expected instanceof List<?> values && items.size() == values.size()) {
            for (int index = 0; index < items.size(); index++) {
                String difference = difference(values.get(index), items.get(index), path + "[" + index + "]");
                if (difference != null) {
                    return difference;
                }
            }
            return null;
        }
        return Objects.equals(expected, seen) ? null : path + ": " + seen + " instead of " + expected;
    }
}
