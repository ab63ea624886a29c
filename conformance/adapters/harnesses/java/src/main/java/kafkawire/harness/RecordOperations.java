package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.KafkaException;

/**
 * Whole fields of records, written and read. The reader is the one of the request's {@code path}, whose reply says more
 * than the protocol has, or without one that of the role.
 */
final class RecordOperations {
    private static final List<String> BEYOND_THE_PROTOCOL = List.of("absolute", "delivered");

    private RecordOperations() {
    }

    static ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        byte[] wire = RecordsWriter.write(request.path("value"));
        return reply.put("outcome", Outcome.BYTES.text()).put("wire", HexFormat.of().formatHex(wire));
    }

    static ObjectNode decode(JsonNode request, ObjectNode reply, Role role) throws Refusal {
        byte[] wire = Requests.bytes(request, "wire");
        if (!request.has("path")) {
            return role == Role.BROKER ? take(wire, reply) : deliver(wire, reply);
        }
        String path = Requests.text(request, "path");
        return switch (path) {
            case "client" -> consume(wire, request.path("checkCrcs").asBoolean(true), reply);
            case "broker" -> append(wire, reply);
            default -> throw Refusal.protocol("a path is \"client\" or \"broker\", not \"" + path + "\"");
        };
    }

    private static ObjectNode deliver(byte[] wire, ObjectNode reply) throws Refusal {
        try {
            return consume(wire, true, reply);
        } finally {
            reply.remove(BEYOND_THE_PROTOCOL);
        }
    }

    /** A broker shows nothing of what it takes. */
    private static ObjectNode take(byte[] wire, ObjectNode reply) throws Refusal {
        appended(wire);
        reply.put("outcome", Outcome.VALUE.text()).putObject("value").put("partial", "").putArray("batches");
        return reply;
    }

    private static ObjectNode consume(byte[] wire, boolean checkCrcs, ObjectNode reply) throws Refusal {
        Consumption consumption = new Consumption(wire, checkCrcs);
        try {
            consumption.run();
        } catch (OutOfMemoryError exhausted) {
            throw exhausted; // Of the virtual machine; other errors are those of libraries, which refuse by them.
        } catch (Exception | Error refusal) {
            reply.put("delivered", consumption.delivered());
            throw byReader(consumption.step(), refusal);
        }
        reply.put("outcome", Outcome.VALUE.text()).set("value", consumption.value());
        return reply.set("absolute", consumption.absolute());
    }

    private static ObjectNode append(byte[] wire, ObjectNode reply) throws Refusal {
        byte[] stored = appended(wire);
        reply.put("stored", HexFormat.of().formatHex(stored));
        try {
            return consume(stored, true, reply);
        } catch (Refusal unreadable) { // The broker stores records that no consumer reads.
            reply.remove("delivered");
            return reply.put("outcome", Outcome.VALUE.text()).putNull("value").put("unreadable", unreadable.toString());
        }
    }

    private static byte[] appended(byte[] wire) throws Refusal {
        Appending appending = new Appending(wire);
        try {
            appending.run();
            return appending.stored();
        } catch (OutOfMemoryError exhausted) {
            throw exhausted;
        } catch (Exception | Error refusal) {
            throw byReader(appending.step(), refusal);
        }
    }

    /** Consumer and broker answer for a KafkaException; any other leaves {@code poll()}, or is an unknown error. */
    private static Refusal byReader(String during, Throwable cause) {
        boolean isExpected = cause instanceof KafkaException;
        return isExpected ? Refusal.rejected(during, cause) : Refusal.unclassified(during, cause);
    }
}
