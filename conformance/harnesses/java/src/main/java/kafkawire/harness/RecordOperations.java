package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;

/** Whole fields of records, written and read; a reader is the consumer or the broker, by the request's {@code path}. */
final class RecordOperations {
    private static final HexFormat HEX = HexFormat.of();

    private RecordOperations() {
    }

    static ObjectNode encode(JsonNode request, ObjectNode reply) throws Refusal {
        byte[] wire = RecordsWriter.write(request.path("value"));
        return reply.put("outcome", Outcome.BYTES.text()).put("wire", HEX.formatHex(wire));
    }

    static ObjectNode decode(JsonNode request, ObjectNode reply) throws Refusal {
        byte[] wire = Requests.bytes(request, "wire");
        String path = request.path("path").asText("client");
        return switch (path) {
            case "client" -> consume(wire, request.path("checkCrcs").asBoolean(true), reply);
            case "broker" -> append(wire, reply);
            default -> throw Refusal.protocol("a path is \"client\" or \"broker\", not \"" + path + "\"");
        };
    }

    private static ObjectNode consume(byte[] wire, boolean checkCrcs, ObjectNode reply) throws Refusal {
        Consumption consumption = new Consumption(wire, checkCrcs);
        try {
            consumption.run();
        } catch (OutOfMemoryError exhausted) {
            throw exhausted; // Of the virtual machine; other errors are those of libraries, which refuse by them.
        } catch (Exception | Error refusal) {
            reply.put("delivered", consumption.delivered());
            throw Refusal.byKafka(consumption.step(), refusal);
        }
        reply.put("outcome", Outcome.VALUE.text()).set("value", consumption.value());
        return reply.set("absolute", consumption.absolute());
    }

    private static ObjectNode append(byte[] wire, ObjectNode reply) throws Refusal {
        Appending appending = new Appending(wire);
        try {
            appending.run();
        } catch (OutOfMemoryError exhausted) {
            throw exhausted;
        } catch (Exception | Error refusal) {
            throw Refusal.byKafka(appending.step(), refusal);
        }
        reply.put("stored", HEX.formatHex(appending.stored()));
        try {
            return consume(appending.stored(), true, reply);
        } catch (Refusal unreadable) { // The broker stores records that no consumer reads.
            reply.remove("delivered");
            return reply.put("outcome", Outcome.VALUE.text()).putNull("value").put("unreadable", unreadable.toString());
        }
    }
}
