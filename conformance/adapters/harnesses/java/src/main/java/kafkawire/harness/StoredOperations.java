package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.serialization.AbstractApiMessageSerde;

/** Messages as they are stored: behind an int16 that says what they are, or as a metadata record. */
final class StoredOperations {
    private static final String BY_TYPE = "toCoordinatorTypePrefixedByteBuffer";

    /** The records of one log; each log numbers its types anew. */
    private static final class Serde extends AbstractApiMessageSerde {
        private interface Types {
            ApiMessage newMessage(short type);
        }

        private final Types types;

        Serde(Types types) {
            this.types = types;
        }

        @Override
        public ApiMessage apiMessageFor(short type) {
            return types.newMessage(type);
        }
    }

    private static final Map<String, Serde> SERDES = Map.of(
        "kafka-metadata", new Serde(type -> MetadataRecordType.fromId(type).newMetadataRecord()),
        "kafka-storage", new Serde(type ->
            org.apache.kafka.server.log.remote.metadata.storage.generated.MetadataRecordType.fromId(type)
                .newMetadataRecord()));

    private StoredOperations() {
    }

    static ObjectNode encodePrefixed(Message message, short version, JsonNode request, ObjectNode reply)
            throws Refusal {
        try {
            ByteBuffer wire = isByType(request, message)
                ? (ByteBuffer) MessageUtil.class.getMethod(BY_TYPE, ApiMessage.class).invoke(null, message)
                : MessageUtil.toVersionPrefixedByteBuffer(version, message);
            return bytes(wire, reply);
        } catch (NoSuchMethodException olderRelease) {
            throw Refusal.unsupported("this release has no records with a type before them");
        } catch (Exception refusal) {
            throw Refusal.rejected("write", refusal);
        }
    }

    /** Kafka has no reader for these in general: whoever stores such messages takes the int16 off first. */
    static ObjectNode decodePrefixed(Message message, short version, JsonNode request, ObjectNode reply)
            throws Refusal {
        ByteBuffer wire = ByteBuffer.wrap(Requests.bytes(request, "wire"));
        try {
            short prefix = wire.getShort();
            message.read(new ByteBufferAccessor(wire), version);
            reply.put("outcome", Outcome.VALUE.text()).put("prefix", prefix).put("consumed", wire.position());
            reply.set("value", ValueWriter.write(message));
            return reply;
        } catch (Exception refusal) {
            throw Refusal.rejected("read", refusal);
        }
    }

    static ObjectNode encodeRecord(Message message, short version, JsonNode request, ObjectNode reply)
            throws Refusal {
        try {
            ApiMessageAndVersion record = new ApiMessageAndVersion((ApiMessage) message, version);
            return bytes(write(request.has("source") ? serde(request) : serde(message), record), reply);
        } catch (Exception refusal) {
            throw Refusal.rejected("write", refusal);
        }
    }

    static ObjectNode decodeRecord(JsonNode request, ObjectNode reply) throws Refusal {
        byte[] wire = Requests.bytes(request, "wire");
        Serde serde = serde(request);
        ApiMessageAndVersion record;
        try {
            record = serde.read(new ByteBufferAccessor(ByteBuffer.wrap(wire)), wire.length);
        } catch (Exception refusal) {
            throw Refusal.rejected("read", refusal);
        }
        reply.put("outcome", Outcome.VALUE.text()).put("version", record.version());
        reply.put("message", Catalogue.messageName(record.message().getClass()));
        reply.set("value", ValueWriter.write(record.message()));
        return reply;
    }

    private static ByteBuffer write(Serde serde, ApiMessageAndVersion record) {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        ByteBuffer wire = ByteBuffer.allocate(serde.recordSize(record, cache));
        serde.write(record, cache, new ByteBufferAccessor(wire));
        return wire.flip();
    }

    /** Unless the request says: the keys of coordinators are by type, since there is such a writer. */
    private static boolean isByType(JsonNode request, Message message) throws Refusal {
        if (!request.has("prefix")) {
            String name = message.getClass().getName();
            return name.contains(".coordinator.") && name.endsWith("Key")
                && Arrays.stream(MessageUtil.class.getMethods()).anyMatch(each -> each.getName().equals(BY_TYPE));
        }
        return switch (Requests.text(request, "prefix")) {
            case "type" -> true;
            case "version" -> false;
            default -> throw Refusal.protocol("the prefix is version or type, not " + request.path("prefix"));
        };
    }

    private static Serde serde(Message message) {
        return SERDES.get(message.getClass().getName().contains(".remote.") ? "kafka-storage" : "kafka-metadata");
    }

    private static Serde serde(JsonNode request) throws Refusal {
        String source = Requests.text(request, "source");
        if (!SERDES.containsKey(source)) {
            throw Refusal.unsupported(source + " has no log of records");
        }
        return SERDES.get(source);
    }

    private static ObjectNode bytes(ByteBuffer wire, ObjectNode reply) {
        byte[] bytes = new byte[wire.remaining()];
        wire.get(bytes);
        return reply.put("outcome", Outcome.BYTES.text()).put("wire", HexFormat.of().formatHex(bytes));
    }
}
