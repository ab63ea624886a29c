package kafkawire.harness;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;

/**
 * What was decoded, encoded again: {@code canonical} of a reply. The system property {@code kafkawire.canonical=false}
 * leaves it out, for a client that does not look at it.
 */
final class Canonical {
    /** Encodes what was decoded. */
    interface Encoder {
        byte[] encode() throws Refusal;
    }

    private static final boolean IS_TOLD = Boolean.parseBoolean(System.getProperty("kafkawire.canonical", "true"));

    private Canonical() {
    }

    static ObjectNode put(ObjectNode reply, Encoder encoder) {
        if (!IS_TOLD) {
            return reply;
        }
        try {
            return reply.put("canonical", HexFormat.of().formatHex(encoder.encode()));
        } catch (Refusal notWritable) {
            return reply.putNull("canonical").put("canonicalError", notWritable.toString());
        }
    }
}
