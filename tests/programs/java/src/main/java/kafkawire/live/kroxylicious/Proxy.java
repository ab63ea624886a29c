package kafkawire.live.kroxylicious;

import io.kroxylicious.proxy.KafkaProxy;
import io.kroxylicious.proxy.config.ConfigParser;
import io.kroxylicious.proxy.config.PluginFactory;
import io.kroxylicious.proxy.config.PluginFactoryRegistry;
import io.kroxylicious.proxy.internal.config.Features;
import io.kroxylicious.proxy.service.ClusterNetworkAddressConfigProvider;
import io.kroxylicious.proxy.service.ClusterNetworkAddressConfigProviderService;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Runs Kroxylicious with a configuration, on the loopback interface alone.
 *
 * <p>A configuration cannot say where it listens: every interface is its default. So what says it inside is wrapped.
 */
public final class Proxy {
    private static final String LOOPBACK = "127.0.0.1";

    private Proxy() {}

    /**
     * Runs the proxy.
     *
     * @param arguments the file with its configuration
     */
    public static void main(String[] arguments) throws Exception {
        ConfigParser parser = new ConfigParser();
        String configuration = Files.readString(Path.of(arguments[0]));
        Features features = Features.defaultFeatures();
        try (KafkaProxy proxy =
                new KafkaProxy(new OnLoopback(parser), parser.parseConfiguration(configuration), features)) {
            proxy.startup().block();
        }
    }

    private record OnLoopback(PluginFactoryRegistry plugins) implements PluginFactoryRegistry {
        @Override
        public <P> PluginFactory<P> pluginFactory(Class<P> type) {
            PluginFactory<P> factory = plugins.pluginFactory(type);
            if (type != ClusterNetworkAddressConfigProviderService.class) {
                return factory;
            }
            @SuppressWarnings("unchecked")
            PluginFactory<P> wrapped = wrap(PluginFactory.class, factory, "pluginInstance", Proxy::services);
            return wrapped;
        }
    }

    private static Object services(Object service) {
        return wrap(ClusterNetworkAddressConfigProviderService.class, service, "build", Proxy::providers);
    }

    private static Object providers(Object provider) {
        return wrap(ClusterNetworkAddressConfigProvider.class, provider, "getBindAddress", any -> Optional.of(LOOPBACK));
    }

    private interface Change {
        Object of(Object result);
    }

    /** Returns what is wrapped, with another result of one of its methods. */
    private static <T> T wrap(Class<T> type, Object wrapped, String method, Change change) {
        InvocationHandler handler = (self, called, arguments) -> {
            try {
                Object result = called.invoke(wrapped, arguments);
                return called.getName().equals(method) ? change.of(result) : result;
            } catch (InvocationTargetException error) {
                throw error.getCause();
            }
        };
        return type.cast(java.lang.reflect.Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
