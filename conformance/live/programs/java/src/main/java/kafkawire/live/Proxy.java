package kafkawire.live;

import io.kroxylicious.proxy.KafkaProxy;
import io.kroxylicious.proxy.config.ConfigParser;
import io.kroxylicious.proxy.internal.config.Features;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs Kroxylicious with a configuration, until it is stopped. */
public final class Proxy {
    private Proxy() {}

    /**
     * Runs the proxy.
     *
     * @param arguments the file with its configuration
     */
    public static void main(String[] arguments) throws Exception {
        ConfigParser parser = new ConfigParser();
        String configuration = Files.readString(Path.of(arguments[0]));
        try (KafkaProxy proxy =
                new KafkaProxy(parser, parser.parseConfiguration(configuration), Features.defaultFeatures())) {
            proxy.startup().block();
        }
    }
}
