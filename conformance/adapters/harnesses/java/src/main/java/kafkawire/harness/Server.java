package kafkawire.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;

/**
 * JSON Lines: one request a line on standard input, exactly one reply a line on standard output, in the same order, with
 * the same {@code id}.
 *
 * <pre>
 *   {"id": 1, "op": "encode", "message": "MetadataRequest", "version": 9, "value": {"Topics": null}}
 *   {"id": 1, "outcome": "bytes", "wire": "0001000000", "size": 5}
 * </pre>
 *
 * <p>The program does not give up: whatever a request does to it, an {@link OutOfMemoryError} included, becomes its
 * reply. Only a line that does not fit the memory ends it.
 */
final class Server {
    /** Fills the reply to one request. */
    interface Performer {
        ObjectNode perform(JsonNode request, ObjectNode reply) throws Refusal;
    }

    private static final int BUFFER_SIZE = 1 << 16;

    private final JsonMapper json = lenientMapper();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Performer performer;

    Server(Performer performer) {
        this.performer = performer;
    }

    /** Answers on standard output, which belongs to the replies from now on, whatever a library may want to say. */
    void serve() throws IOException {
        System.setOut(System.err);
        serve(new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
    }

    /** Answers until the input ends. Replies are held back only while further requests are at hand. */
    private void serve(InputStream requests, OutputStream replies) throws IOException {
        OutputStream out = new BufferedOutputStream(replies, BUFFER_SIZE);
        LineReader lines = new LineReader(requests, out, BUFFER_SIZE);
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            out.write(answer(line));
            out.write('\n');
        }
        out.flush();
    }

    private byte[] answer(byte[] line) throws IOException {
        ObjectNode reply = JsonNodeFactory.instance.objectNode().putNull("id");
        try {
            return json.writeValueAsBytes(reply(line, reply));
        } catch (Throwable crash) {
            // A half-made reply may be what exhausted the memory, so only its id is kept.
            return json.writeValueAsBytes(failure(reply.retain("id"), outcome(crash), crash.toString()));
        }
    }

    private ObjectNode reply(byte[] line, ObjectNode reply) throws IOException {
        try {
            JsonNode request = json.readTree(line);
            reply.set("id", request.get("id")); // Without one the id of the reply is null.
            long before = THREADS.getCurrentThreadAllocatedBytes();
            ObjectNode answered = performed(request, reply);
            boolean isMeasured = request.path("measure").asBoolean();
            return isMeasured ? answered.put("allocated", THREADS.getCurrentThreadAllocatedBytes() - before) : answered;
        } catch (JsonProcessingException notJson) {
            return failure(reply, Outcome.PROTOCOL_ERROR, "the line is not JSON: " + notJson.getOriginalMessage());
        }
    }

    private ObjectNode performed(JsonNode request, ObjectNode reply) {
        try {
            return performer.perform(request, reply);
        } catch (Refusal refusal) {
            return refusal.describe(reply);
        }
    }

    private static Outcome outcome(Throwable crash) {
        if (crash instanceof OutOfMemoryError) {
            return Outcome.EXHAUSTED_MEMORY;
        }
        return crash instanceof Error ? Outcome.CRASHED : Outcome.HARNESS_ERROR;
    }

    private static ObjectNode failure(ObjectNode reply, Outcome outcome, String text) {
        return reply.put("outcome", outcome.text()).put("text", text);
    }

    /** Jackson refuses long strings and numbers by default; here a string may be a whole message in hex. */
    private static JsonMapper lenientMapper() {
        JsonMapper mapper = new JsonMapper();
        mapper.getFactory().setStreamReadConstraints(
            StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build());
        return mapper;
    }
}
