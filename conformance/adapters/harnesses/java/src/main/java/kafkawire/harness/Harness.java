package kafkawire.harness;

import java.io.IOException;

/** Apache Kafka's generated message classes, and its readers of records, behind the bridge. */
public final class Harness {
    private Harness() {
    }

    public static void main(String[] arguments) throws IOException {
        new Server(new Operations(Catalogue.ofClassPath(), Role.of(arguments))::perform).serve();
    }
}
