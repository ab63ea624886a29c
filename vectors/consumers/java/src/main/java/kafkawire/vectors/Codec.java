package kafkawire.vectors;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;

/** The codec under test: what the message classes of kafka-clients make of some bytes. */
final class Codec {
    private static final String PACKAGE = "org.apache.kafka.common.message.";
    private static final long MUCH_MEMORY = 64 << 20;
    private static final ThreadMXBean MEMORY = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What became of the bytes: one of the records below. */
    sealed interface Outcome {
    }

    record Unsupported(String reason) implements Outcome {
    }

    record Rejected(Exception error) implements Outcome {
    }

    record Crashed(String how) implements Outcome {
    }

    /** The message, or header and body; how many bytes that took; and these written again or why they cannot be. */
    record Decoded(Object value, int consumed, byte[] encoded, Exception notEncoded) implements Outcome {
    }

    /** A message that is all of the bytes, or the header or the body in a frame. */
    private record Part(String name, Message message, short version) {
    }

    private Codec() {
    }

    /** Reads bytes, and writes again what was read. */
    static Outcome decode(String kind, String name, short version, byte[] wire) {
        if (kind.equals("records")) {
            return measured(() -> Records.read(wire));
        }
        Optional<Class<? extends Message>> messageClass = find(name);
        if (messageClass.isEmpty()) {
            return new Unsupported("kafka-clients has no such message");
        }
        Message message = create(messageClass.get());
        if (version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()) {
            return new Unsupported("kafka-clients has no such version of the message");
        }
        Part body = new Part("body", message, version);
        List<Part> parts = kind.equals("frame") ? List.of(header((ApiMessage) message, name, version), body) : List.of(body);
        return measured(() -> decode(parts, wire));
    }

    private static Outcome measured(Supplier<Outcome> read) {
        long before = MEMORY.getCurrentThreadAllocatedBytes();
        Outcome outcome = read.get();
        long taken = MEMORY.getCurrentThreadAllocatedBytes() - before;
        return taken > MUCH_MEMORY ? new Crashed(taken + " bytes allocated") : outcome;
    }

    private static Part header(ApiMessage message, String name, short version) {
        ApiMessageType api = ApiMessageType.fromApiKey(message.apiKey());
        return name.endsWith("Request")
            ? new Part("header", new RequestHeaderData(), api.requestHeaderVersion(version))
            : new Part("header", new ResponseHeaderData(), api.responseHeaderVersion(version));
    }

    private static Outcome decode(List<Part> parts, byte[] wire) {
        ByteBuffer buffer = ByteBuffer.wrap(wire);
        boolean framed = parts.size() > 1;
        try {
            if (framed) {
                limitToFrame(buffer);
            }
            for (Part part : parts) {
                part.message().read(new ByteBufferAccessor(buffer), part.version());
            }
        } catch (Exception refusal) {
            return new Rejected(refusal);
        } catch (Error crash) { // OutOfMemoryError, StackOverflowError: nothing that a reader may do.
            return new Crashed(crash.toString());
        }
        Object value = framed
            ? parts.stream().collect(Collectors.toMap(Part::name, Part::message))
            : parts.get(0).message();
        try {
            return new Decoded(value, buffer.position(), encode(parts), null);
        } catch (Exception refusal) {
            return new Decoded(value, buffer.position(), null, refusal);
        }
    }

    /** The size that a frame begins with: in Kafka that of NetworkReceive, which reads from a connection only. */
    private static void limitToFrame(ByteBuffer buffer) {
        int size = buffer.getInt();
        if (size < 0 || size > buffer.remaining()) {
            throw new IllegalArgumentException("a frame of " + size + " bytes, of which there are " + buffer.remaining());
        }
        buffer.limit(buffer.position() + size);
    }

    private static byte[] encode(List<Part> parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (Part part : parts) {
            ByteBuffer encoded = MessageUtil.toByteBufferAccessor(part.message(), part.version()).buffer();
            content.writeBytes(MessageUtil.byteBufferToArray(encoded));
        }
        if (parts.size() == 1) {
            return content.toByteArray();
        }
        return ByteBuffer.allocate(Integer.BYTES + content.size()).putInt(content.size()).put(content.toByteArray()).array();
    }

    /** FetchRequest is the class FetchRequestData; headers likewise; records, DefaultPrincipalData and such have their own name. */
    private static Optional<Class<? extends Message>> find(String name) {
        for (String className : new String[] {name + "Data", name}) {
            try {
                return Optional.of(Class.forName(PACKAGE + className).asSubclass(Message.class));
            } catch (ClassNotFoundException elsewhere) {
                continue;
            }
        }
        return Optional.empty();
    }

    private static Message create(Class<? extends Message> messageClass) {
        try {
            return messageClass.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
