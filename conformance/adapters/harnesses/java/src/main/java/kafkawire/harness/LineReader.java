package kafkawire.harness;

import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of a stream as raw bytes. Before it waits for input it flushes the given output: a caller that sends one
 * request and waits gets its reply at once, a caller that sends many gets theirs in large pieces.
 */
final class LineReader {
    private final InputStream input;
    private final Flushable beforeWaiting;
    private byte[] buffer;
    private int start;
    private int end;

    LineReader(InputStream input, Flushable beforeWaiting, int bufferSize) {
        this.input = input;
        this.beforeWaiting = beforeWaiting;
        this.buffer = new byte[bufferSize];
    }

    /** The next line without its line feed; null at the end of the stream. */
    byte[] next() throws IOException {
        int searched = 0;
        while (true) {
            int lineEnd = lineFeed(buffer, start + searched, end);
            if (lineEnd < end) {
                return take(lineEnd, lineEnd + 1);
            }
            searched = end - start;
            if (!fill()) {
                return start == end ? null : take(end, end);
            }
        }
    }

    /** The place of the first line feed; the end if there is none. */
    private static int lineFeed(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    private byte[] take(int lineEnd, int nextStart) {
        byte[] line = Arrays.copyOfRange(buffer, start, lineEnd);
        start = nextStart;
        return line;
    }

    private boolean fill() throws IOException {
        beforeWaiting.flush();
        makeRoom();
        int count = input.read(buffer, end, buffer.length - end);
        if (count < 0) {
            return false;
        }
        end += count;
        return true;
    }

    private void makeRoom() {
        int held = end - start;
        byte[] target = held > buffer.length / 2 ? new byte[2 * buffer.length] : buffer;
        System.arraycopy(buffer, start, target, 0, held);
        buffer = target;
        start = 0;
        end = held;
    }
}
