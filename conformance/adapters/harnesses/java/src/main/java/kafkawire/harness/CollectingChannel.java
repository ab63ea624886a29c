package kafkawire.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;

/** A connection that keeps what is sent over it: a {@link Send} is only ever written to a channel. */
final class CollectingChannel implements TransferableChannel {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    static byte[] collect(Send send) throws IOException {
        CollectingChannel channel = new CollectingChannel();
        while (!send.completed()) {
            send.writeTo(channel);
        }
        return channel.sent.toByteArray();
    }

    @Override
    public int write(ByteBuffer source) {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        sent.writeBytes(bytes);
        return bytes.length;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        long count = 0;
        for (int index = offset; index < offset + length; index++) {
            count += write(sources[index]);
        }
        return count;
    }

    @Override
    public long write(ByteBuffer[] sources) {
        return write(sources, 0, sources.length);
    }

    @Override
    public boolean hasPendingWrites() {
        return false;
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) {
        throw new UnsupportedOperationException("nothing is sent from files here");
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {
        // There is nothing behind it.
    }
}
