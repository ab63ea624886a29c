package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.utils.AppInfoParser;

/** What a request can ask for, by the name in its {@code op}. A new operation is one more line in the table. */
final class Operations {
    /** Fills the reply to one request. */
    private interface Operation {
        ObjectNode perform(JsonNode request, ObjectNode reply) throws Refusal;
    }

    private static final HexFormat HEX = HexFormat.of();

    private final Map<String, Operation> byName = Map.of(
        "hello", this::hello,
        "encode", this::encode,
        "decode", this::decode);
    private final Catalogue catalogue;

    Operations(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    ObjectNode perform(JsonNode request, ObjectNode reply) throws Refusal {
        String name = text(request, "op");
        Operation operation = byName.get(name);
        if (operation == null) {
            throw Refusal.protocol("unknown op \"" + name + "\"; there are " + new TreeSet<>(byName.keySet()));
        }
        return operation.perform(request, reply);
    }

    private ObjectNode hello(JsonNode request, ObjectNode reply) {
        reply.put("outcome", Outcome.HELLO.text());
        reply.put("implementation", "apache-kafka").put("version", AppInfoParser.getVersion());
        ObjectNode messages = reply.putObject("messages");
        for (Catalogue.Entry entry : catalogue.entries()) {
            ArrayNode versions = messages.putArray(entry.name());
            for (int version = entry.lowestVersion(); version <= entry.highestVersion(); version++) {
                versions.add(version);
            }
        }
        return reply;
    }

    private ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        Catalogue.Entry entry = entry(request);
        Message message = ValueReader.read(request.path("value"), entry.messageClass());
        Codec.Encoded encoded = Codec.encode(message, version(request, entry));
        reply.put("outcome", Outcome.BYTES.text());
        return reply.put("wire", HEX.formatHex(encoded.wire())).put("size", encoded.size());
    }

    private ObjectNode decode(JsonNode request, ObjectNode reply) throws Refusal {
        Catalogue.Entry entry = entry(request);
        short version = version(request, entry);
        Codec.Decoded decoded = Codec.decode(entry.newMessage(), version, bytes(request, "wire"));
        reply.put("outcome", Outcome.VALUE.text());
        reply.set("value", ValueWriter.write(decoded.message()));
        reply.put("consumed", decoded.consumed());
        try {
            return reply.put("canonical", HEX.formatHex(Codec.encode(decoded.message(), version).wire()));
        } catch (Refusal notWritable) {
            return reply.putNull("canonical").put("canonicalError", notWritable.getMessage());
        }
    }

    private Catalogue.Entry entry(JsonNode request) throws Refusal {
        String name = text(request, "message");
        return catalogue.find(name).orElseThrow(() -> Refusal.unsupported("there is no message " + name));
    }

    private static short version(JsonNode request, Catalogue.Entry entry) throws Refusal {
        JsonNode version = request.path("version");
        if (!version.isIntegralNumber()) {
            throw Refusal.protocol("the request has no integer \"version\"");
        }
        int number = version.canConvertToInt() ? version.intValue() : Integer.MAX_VALUE;
        if (number < entry.lowestVersion() || number > entry.highestVersion()) {
            throw Refusal.unsupported(entry.name() + " has the versions " + entry.lowestVersion() + " to "
                + entry.highestVersion() + ", not " + version);
        }
        return (short) number;
    }

    private static byte[] bytes(JsonNode request, String key) throws Refusal {
        try {
            return HEX.parseHex(text(request, key));
        } catch (IllegalArgumentException notHex) {
            throw Refusal.protocol("\"" + key + "\" is not hex: " + notHex.getMessage());
        }
    }

    private static String text(JsonNode request, String key) throws Refusal {
        JsonNode text = request.path(key);
        if (!text.isTextual()) {
            throw Refusal.protocol("the request has no text \"" + key + "\"");
        }
        return text.textValue();
    }
}
