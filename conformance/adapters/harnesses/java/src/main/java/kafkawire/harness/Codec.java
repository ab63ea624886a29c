package kafkawire.harness;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/** Drives the generated {@code read}, {@code size} and {@code write} as Kafka does, without trust in their results. */
final class Codec {
    private static final int SLACK = 64;
    private static final int LARGEST_ATTEMPT = 1 << 28;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    /** What was written, and how much {@code size()} had announced. */
    record Encoded(byte[] wire, int size) {
    }

    /** The message read, and how many bytes that took. */
    record Decoded(Message message, int consumed) {
    }

    private Codec() {
    }

    static Encoded encode(Message message, short version) throws Refusal {
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int size = size(message, cache, version);
        return new Encoded(write(message, cache, version, size), size);
    }

    static Decoded decode(Message message, short version, byte[] wire) throws Refusal {
        ByteBuffer buffer = ByteBuffer.wrap(wire);
        try {
            message.read(new ByteBufferAccessor(buffer), version);
        } catch (Exception refusal) {
            throw Refusal.rejected("read", refusal);
        }
        return new Decoded(message, buffer.position());
    }

    static int size(Message message, ObjectSerializationCache cache, short version) throws Refusal {
        try {
            return message.size(cache, version);
        } catch (Exception refusal) {
            throw Refusal.rejected("size", refusal);
        }
    }

    /** Writes into a buffer that is larger than announced, and into larger ones yet, so that a wrong size shows. */
    private static byte[] write(Message message, ObjectSerializationCache cache, short version, int size)
            throws Refusal {
        long capacity = Math.max(size, 0) + (long) SLACK;
        while (true) {
            ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(capacity, LARGEST_ARRAY));
            try {
                message.write(new ByteBufferAccessor(buffer), cache, version);
                return Arrays.copyOf(buffer.array(), buffer.position());
            } catch (BufferOverflowException overflow) {
                if (capacity > LARGEST_ATTEMPT) {
                    throw Refusal.rejected("write", overflow);
                }
                capacity *= 2;
            } catch (Exception refusal) {
                throw Refusal.rejected("write", refusal);
            }
        }
    }
}
