package kafkawire.live;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs the main method of another class, and ends with its standard input: a server must not outlive what started it.
 *
 * <p>It halts without the server's own shutdown, since the data are thrown away.
 */
public final class Tethered {
    private Tethered() {}

    /**
     * Runs a class.
     *
     * @param arguments the class, and its arguments
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(Tethered::haltAtEndOfInput, "tether");
        watch.setDaemon(true);
        watch.start();
        Object own = Arrays.copyOfRange(arguments, 1, arguments.length);
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, own);
    }

    private static void haltAtEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said to a server that way
            }
        } catch (IOException error) {
            System.err.println("standard input cannot be read: " + error);
        }
        Runtime.getRuntime().halt(0);
    }
}
