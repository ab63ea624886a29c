package kafkawire.vectors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;

/**
 * The whole idea on one message, with what vectors/README.md shows:
 * {@code mvn -q compile exec:java -Dexec.mainClass=kafkawire.vectors.EndTxn}.
 */
public final class EndTxn {
    private EndTxn() {
    }

    public static void main(String[] arguments) throws IOException {
        Map<?, ?> file = (Map<?, ?>) Json.parse(Files.readString(Path.of("../../4.3.0/messages/EndTxnRequest.json")));
        for (Object group : (List<?>) file.get("groups")) {
            short version = Short.parseShort(((Json.Num) ((Map<?, ?>) group).get("version")).digits());
            for (Object each : (List<?>) ((Map<?, ?>) group).get("vectors")) {
                Map<?, ?> vector = (Map<?, ?>) each;
                if (!isSound(vector, version)) {
                    System.out.println("EndTxnRequest/v" + version + "/" + vector.get("id"));
                }
            }
        }
    }

    private static boolean isSound(Map<?, ?> vector, short version) {
        ByteBuffer wire = ByteBuffer.wrap(HexFormat.of().parseHex((String) vector.get("wire")));
        EndTxnRequestData message;
        try {
            message = new EndTxnRequestData(new ByteBufferAccessor(wire), version);
        } catch (RuntimeException refusal) {
            return !vector.get("result").equals("valid");
        }
        if (vector.get("result").equals("valid")) {
            ByteBuffer written = MessageUtil.toByteBufferAccessor(message, version).buffer();
            Object expected = vector.containsKey("canonical") ? vector.get("canonical") : vector.get("wire");
            String hex = HexFormat.of().formatHex(MessageUtil.byteBufferToArray(written));
            return !wire.hasRemaining() && hex.equals(expected);
        }
        return vector.get("result").equals("unspecified");
    }
}
