package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** What a request can ask for, by the name in its {@code op}. A new operation is one more line in the table. */
final class Operations {
    /** Fills the reply to one request. */
    private interface Operation {
        ObjectNode perform(JsonNode request, ObjectNode reply) throws Refusal;
    }

    private static final int PROTOCOL = 1;
    private static final List<String> CAPABILITIES = List.of("absent-fields", "partial-values", "unknown-tags");
    private static final Map<String, String> LIMITS =
        Map.of("MAX_TAGGED_FIELD_COUNT", "tags", "MAX_ARRAY_LENGTH", "elements");

    private final Primitives primitives = new Primitives();
    private final Map<String, Operation> byName = Map.ofEntries(
        Map.entry("hello", this::hello),
        Map.entry("facts", Operations::facts),
        Map.entry("encode", this::encode),
        Map.entry("decode", this::decode),
        Map.entry("size", this::size),
        Map.entry("header-version", FrameOperations::headerVersion),
        Map.entry("encode-frame", FrameOperations::encode),
        Map.entry("decode-frame", FrameOperations::decode),
        Map.entry("parse-response", FrameOperations::parseResponse),
        Map.entry("encode-prefixed", this::encodePrefixed),
        Map.entry("decode-prefixed", this::decodePrefixed),
        Map.entry("encode-record", this::encodeRecord),
        Map.entry("decode-record", StoredOperations::decodeRecord),
        Map.entry("encode-records", RecordOperations::encode),
        Map.entry("decode-records", this::decodeRecords),
        Map.entry("encode-primitive", primitives::encode),
        Map.entry("decode-primitive", primitives::decode));
    private final Catalogue catalogue;
    private final Role role;

    Operations(Catalogue catalogue, Role role) {
        this.catalogue = catalogue;
        this.role = role;
    }

    ObjectNode perform(JsonNode request, ObjectNode reply) throws Refusal {
        String name = Requests.text(request, "op");
        Operation operation = byName.get(name);
        if (operation == null) {
            throw Refusal.unsupported("there is no op \"" + name + "\"; there are " + new TreeSet<>(byName.keySet()));
        }
        return operation.perform(request, reply);
    }

    /** The definitions that the client hands over are left alone: Kafka's classes were generated from their own. */
    private ObjectNode hello(JsonNode request, ObjectNode reply) throws Refusal {
        int version = Requests.integer(request, "protocol");
        reply.putArray("protocols").add(PROTOCOL);
        if (version != PROTOCOL) {
            return Refusal.protocol("this harness speaks version " + PROTOCOL + " of the protocol, not " + version)
                .describe(reply);
        }
        reply.put("outcome", Outcome.HELLO.text());
        reply.put("implementation", role.implementation()).put("version", kafkaVersion());
        ObjectNode messages = role == Role.MESSAGES ? messages() : JsonNodeFactory.instance.objectNode();
        reply.putObject("supports").<ObjectNode>set("encode", messages).set("decode", messages);
        byName.keySet().stream().sorted().filter(role::offers).forEach(reply.putArray("operations")::add);
        CAPABILITIES.forEach(reply.putArray("capabilities")::add);
        return role == Role.MESSAGES ? reply.set("limits", limits()) : reply.set("records", role.claims());
    }

    /** The limits of the generated readers, by the names of the protocol of the bridge; releases before 4.4 have none. */
    private static ObjectNode limits() {
        ObjectNode limits = JsonNodeFactory.instance.objectNode();
        Arrays.stream(MessageUtil.class.getFields()).filter(field -> LIMITS.containsKey(field.getName()))
            .forEach(field -> limits.put(LIMITS.get(field.getName()), constant(field)));
        return limits;
    }

    /** What belongs to the release and is in none of its definitions. */
    private static ObjectNode facts(JsonNode request, ObjectNode reply) {
        reply.put("outcome", Outcome.FACTS.text());
        ObjectNode codes = reply.putObject("errorCodes");
        Arrays.stream(Errors.values()).forEach(error -> codes.put(error.name(), error.code()));
        ObjectNode limits = reply.putObject("limits");
        Arrays.stream(MessageUtil.class.getFields()).filter(field -> field.getName().startsWith("MAX_"))
            .forEach(field -> limits.put(field.getName(), constant(field)));
        return reply;
    }

    private static int constant(Field field) {
        try {
            return field.getInt(null);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String kafkaVersion() {
        try {
            return (String) Moved.call(Moved.method(Moved.utility("AppInfoParser"), "getVersion"));
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private ObjectNode messages() {
        ObjectNode messages = JsonNodeFactory.instance.objectNode();
        for (Catalogue.Entry entry : catalogue.entries()) {
            ArrayNode versions = messages.putArray(entry.name());
            for (int version = entry.lowestVersion(); version <= entry.highestVersion(); version++) {
                versions.add(version);
            }
        }
        return messages;
    }

    private ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        Catalogue.Entry entry = entry(request);
        Message message = ValueReader.read(request.path("value"), entry.messageClass());
        Codec.Encoded encoded = Codec.encode(message, version(request, entry));
        reply.put("outcome", Outcome.BYTES.text());
        return reply.put("wire", HexFormat.of().formatHex(encoded.wire())).put("size", encoded.size());
    }

    private ObjectNode size(JsonNode request, ObjectNode reply) throws Refusal {
        Message message = value(request);
        int size = Codec.size(message, new ObjectSerializationCache(), version(request, entry(request)));
        return reply.put("outcome", Outcome.VALUE.text()).put("value", size);
    }

    private ObjectNode decode(JsonNode request, ObjectNode reply) throws Refusal {
        Catalogue.Entry entry = entry(request);
        short version = version(request, entry);
        Codec.Decoded decoded = Codec.decode(entry.newMessage(), version, Requests.bytes(request, "wire"));
        reply.put("outcome", Outcome.VALUE.text());
        reply.set("value", ValueWriter.write(decoded.message()));
        reply.put("consumed", decoded.consumed());
        return Canonical.put(reply, () -> Codec.encode(decoded.message(), version).wire());
    }

    private ObjectNode encodePrefixed(JsonNode request, ObjectNode reply) throws Refusal {
        return StoredOperations.encodePrefixed(value(request), version(request, entry(request)), request, reply);
    }

    private ObjectNode decodePrefixed(JsonNode request, ObjectNode reply) throws Refusal {
        Catalogue.Entry entry = entry(request);
        return StoredOperations.decodePrefixed(entry.newMessage(), version(request, entry), request, reply);
    }

    private ObjectNode encodeRecord(JsonNode request, ObjectNode reply) throws Refusal {
        return StoredOperations.encodeRecord(value(request), version(request, entry(request)), request, reply);
    }

    private ObjectNode decodeRecords(JsonNode request, ObjectNode reply) throws Refusal {
        return RecordOperations.decode(request, reply, role);
    }

    private Message value(JsonNode request) throws Refusal {
        return ValueReader.read(request.path("value"), entry(request).messageClass());
    }

    private Catalogue.Entry entry(JsonNode request) throws Refusal {
        String name = Requests.text(request, "message");
        return catalogue.find(name).orElseThrow(() -> Refusal.unsupported("there is no message " + name));
    }

    private static short version(JsonNode request, Catalogue.Entry entry) throws Refusal {
        int number = Requests.integer(request, "version");
        if (number < entry.lowestVersion() || number > entry.highestVersion()) {
            throw Refusal.unsupported(entry.name() + " has the versions " + entry.lowestVersion() + " to "
                + entry.highestVersion() + ", not " + request.path("version"));
        }
        return (short) number;
    }
}
