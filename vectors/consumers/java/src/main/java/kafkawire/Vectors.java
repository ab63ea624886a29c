package kafkawire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;

/**
 * Runs the golden vectors of messages against kafka-clients.
 *
 * <p>Valid bytes are read to their end and written again, invalid bytes are refused. Whatever else happens is printed.
 */
public final class Vectors {
    private static final String USAGE = "no vectors; arguments: [--known FILE] FOLDER RELEASE";
    private static final long MUCH_MEMORY = 64 << 20;
    private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<PathMatcher> known = new ArrayList<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    private Vectors() {
    }

    public static void main(String[] arguments) throws IOException {
        Vectors vectors = new Vectors();
        int place = arguments.length > 2 && arguments[0].equals("--known") ? 2 : 0;
        if (place > 0) {
            vectors.readKnown(Path.of(arguments[1]));
        }
        if (arguments.length == place + 2) {
            vectors.run(Path.of(arguments[place]), arguments[place + 1]);
        }
        System.out.println(vectors.counts.isEmpty() ? USAGE : vectors.counts);
        System.exit(vectors.counts.isEmpty() ? 2 : vectors.counts.containsKey("failed") ? 1 : 0);
    }

    /** Reads lines {@code fails PATTERN}, of ids. */
    private void readKnown(Path file) throws IOException {
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("fails ")) {
                known.add(FileSystems.getDefault().getPathMatcher("glob:" + line.substring("fails ".length())));
            }
        }
    }

    private void run(Path folder, String release) throws IOException {
        JsonNode releases = new ObjectMapper().readTree(folder.resolve("releases.json").toFile());
        for (Map.Entry<String, JsonNode> taken : releases.path("taken").path(release).properties()) {
            if (taken.getKey().contains("/messages/")) {
                runFile(folder, taken.getKey(), taken.getValue());
            }
        }
    }

    /** Tries the versions of a file that the release takes. */
    private void runFile(Path folder, String name, JsonNode versions) throws IOException {
        JsonNode file = new ObjectMapper().readTree(folder.resolve(name).toFile());
        for (JsonNode group : file.get("groups")) {
            if (StreamSupport.stream(versions.spliterator(), false).noneMatch(group.get("version")::equals)) {
                continue;
            }
            for (JsonNode vector : group.get("vectors")) {
                String id = name.replace(".json", "/v") + group.get("version") + "/" + vector.get("id").asText();
                Message message = empty(file.get("message").asText(), group.get("version").shortValue());
                counts.merge(verdict(id, vector, message, group.get("version").shortValue()), 1, Integer::sum);
            }
        }
    }

    private String verdict(String id, JsonNode vector, Message message, short version) {
        String result = vector.get("result").asText();
        if (message == null) {
            return "of messages that kafka-clients lacks";
        }
        if (result.equals("unspecified") || result.equals("unwritable")) {
            return result;
        }
        long before = MEMORY.getCurrentThreadAllocatedBytes();
        String wrong = check(result, vector, message, version);
        long taken = MEMORY.getCurrentThreadAllocatedBytes() - before;
        if (wrong == null && taken < MUCH_MEMORY) {
            return "passed";
        }
        if (known.stream().anyMatch(pattern -> pattern.matches(Path.of(id)))) {
            return "known to fail";
        }
        System.out.println(id + ": " + result + ", " + (wrong == null ? taken + " bytes allocated" : wrong));
        return "failed";
    }

    /** Returns what the codec does that the vector does not expect; null if all is well. */
    private static String check(String result, JsonNode vector, Message message, short version) {
        ByteBuffer wire = ByteBuffer.wrap(HexFormat.of().parseHex(vector.get("wire").asText()));
        try {
            message.read(new ByteBufferAccessor(wire), version);
        } catch (RuntimeException refusal) {
            return result.equals("invalid") ? null : "refused: " + refusal;
        } catch (StackOverflowError | OutOfMemoryError crash) {
            return crash.toString();
        }
        if (result.equals("invalid")) {
            return "not refused";
        }
        String expected = vector.path("canonical").asText(vector.get("wire").asText());
        ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
        String written = HexFormat.of().formatHex(MessageUtil.byteBufferToArray(buffer));
        boolean sound = written.equals(expected) && !wire.hasRemaining();
        return sound ? null : "written as " + written + ", " + wire.remaining() + " bytes are left";
    }

    /** Returns a message of that name, FetchRequestData or LeaderChangeMessage; null if there is none in that version. */
    private static Message empty(String name, short version) {
        for (String suffix : List.of("Data", "")) {
            try {
                Class<?> found = Class.forName("org.apache.kafka.common.message." + name + suffix);
                Message message = (Message) found.getDeclaredConstructor().newInstance();
                boolean has = message.lowestSupportedVersion() <= version && version <= message.highestSupportedVersion();
                return has ? message : null;
            } catch (ClassNotFoundException elsewhere) {
                continue;
            } catch (ReflectiveOperationException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        }
        return null;
    }
}
