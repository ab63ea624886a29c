package kafkawire.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** One message: JSON to bytes and bytes to JSON, by means of the library. */
interface MessageCodec {
    List<Integer> versions();

    /** Returns the bytes of a value. */
    byte[] encode(JsonNode value, int version) throws Refusal;

    /** Puts every field of the version into an object, and returns how many bytes the library says that it read. */
    int decode(byte[] wire, int version, ObjectNode value) throws Refusal;
}
