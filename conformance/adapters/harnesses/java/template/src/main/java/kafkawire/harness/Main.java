package kafkawire.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The harness: what it offers, and what becomes of each request. */
public final class Main {
    private static final int PROTOCOL = 1;
    private static final HexFormat HEX = HexFormat.of();

    /** YOUR CODEC: the name and version of the library, for reports. */
    private static final String IMPLEMENTATION = "example";
    private static final String VERSION = "1.0";

    /** YOUR CODEC: one entry for each message that it has. */
    private static final Map<String, MessageCodec> MESSAGES = Map.of("HeartbeatRequest", new Heartbeat());

    /** Further words of hello, as {"limits": {"tags": 64}}; also hidden, notes, representations. */
    private static final String CLAIMS = "{}";

    private Main() {
    }

    public static void main(String[] arguments) throws IOException {
        new Server(Main::perform).serve();
    }

    private static ObjectNode perform(JsonNode request, ObjectNode reply) throws Refusal {
        String operation = Requests.text(request, "op");
        return switch (operation) {
            case "hello" -> hello(request, reply);
            case "encode" -> encode(request, reply);
            case "decode" -> decode(request, reply);
            default -> throw Refusal.unsupported("there is no operation " + operation);
        };
    }

    private static ObjectNode hello(JsonNode request, ObjectNode reply) throws Refusal {
        int version = Requests.integer(request, "protocol");
        reply.putArray("protocols").add(PROTOCOL);
        if (version != PROTOCOL) {
            return Refusal.protocol("this harness speaks version " + PROTOCOL + ", not " + version).describe(reply);
        }
        reply.put("outcome", Outcome.HELLO.text()).put("implementation", IMPLEMENTATION).put("version", VERSION);
        for (String direction : List.of("encode", "decode")) {
            ObjectNode messages = reply.withObject("/supports").putObject(direction);
            MESSAGES.forEach((name, codec) -> {
                ArrayNode versions = messages.putArray(name);
                codec.versions().forEach(versions::add);
            });
        }
        List.of("hello", "encode", "decode").forEach(reply.putArray("operations")::add);
        reply.putArray("capabilities");
        return reply.setAll(claims());
    }

    private static ObjectNode claims() {
        try {
            return (ObjectNode) new JsonMapper().readTree(CLAIMS);
        } catch (JsonProcessingException notJson) {
            throw new IllegalStateException("CLAIMS is not JSON: " + notJson.getMessage(), notJson);
        }
    }

    private static ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        MessageCodec codec = codec(request);
        int version = Requests.integer(request, "version");
        JsonNode value = request.path("value");
        if (!value.isObject()) {
            throw Refusal.protocol("the request has no object \"value\"");
        }
        byte[] wire = codec.encode(value, version);
        return reply.put("outcome", Outcome.BYTES.text()).put("wire", HEX.formatHex(wire));
    }

    private static ObjectNode decode(JsonNode request, ObjectNode reply) throws Refusal {
        MessageCodec codec = codec(request);
        int version = Requests.integer(request, "version");
        byte[] wire = Requests.bytes(request, "wire");
        ObjectNode value = reply.objectNode(); // no part of the reply before it is whole: a refusal has none
        int consumed = codec.decode(wire, version, value);
        reply.put("outcome", Outcome.VALUE.text()).set("value", value);
        return reply.put("consumed", consumed);
    }

    private static MessageCodec codec(JsonNode request) throws Refusal {
        String message = Requests.text(request, "message");
        int version = Requests.integer(request, "version");
        MessageCodec codec = MESSAGES.get(message);
        if (codec == null || !codec.versions().contains(version)) {
            throw Refusal.unsupported("there is no " + message + " of version " + version);
        }
        return codec;
    }
}
