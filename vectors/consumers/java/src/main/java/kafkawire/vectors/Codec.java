package kafkawire.vectors;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Optional;
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

    /** The message, how many bytes it took, and the message written again or why it cannot be. */
    record Decoded(Message message, int consumed, byte[] encoded, Exception notEncoded) implements Outcome {
    }

    private Codec() {
    }

    /** Reads bytes, and writes again what was read. */
    static Outcome decode(String name, short version, byte[] wire) {
        Optional<Class<? extends Message>> messageClass = find(name);
        if (messageClass.isEmpty()) {
            return new Unsupported("kafka-clients has no such message");
        }
        Message message = create(messageClass.get());
        if (version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()) {
            return new Unsupported("kafka-clients has no such version of the message");
        }
        long before = MEMORY.getCurrentThreadAllocatedBytes();
        Outcome outcome = decode(message, version, wire);
        long taken = MEMORY.getCurrentThreadAllocatedBytes() - before;
        return taken > MUCH_MEMORY ? new Crashed(taken + " bytes allocated") : outcome;
    }

    private static Outcome decode(Message message, short version, byte[] wire) {
        ByteBuffer buffer = ByteBuffer.wrap(wire);
        try {
            message.read(new ByteBufferAccessor(buffer), version);
        } catch (Exception refusal) {
            return new Rejected(refusal);
        } catch (Error crash) { // OutOfMemoryError, StackOverflowError: nothing that a reader may do.
            return new Crashed(crash.toString());
        }
        try {
            ByteBuffer encoded = MessageUtil.toByteBufferAccessor(message, version).buffer();
            return new Decoded(message, buffer.position(), MessageUtil.byteBufferToArray(encoded), null);
        } catch (Exception refusal) {
            return new Decoded(message, buffer.position(), null, refusal);
        }
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
