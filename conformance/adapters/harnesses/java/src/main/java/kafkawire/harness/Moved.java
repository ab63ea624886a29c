package kafkawire.harness;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** Classes that releases of Kafka keep in different packages; {@code utils.internals} is that of 4.4 and later. */
final class Moved {
    private static final List<String> UTILITIES =
        List.of("org.apache.kafka.common.utils.internals", "org.apache.kafka.common.utils");

    private Moved() {
    }

    /** A class of Kafka's utilities by its name without the package. */
    static Class<?> utility(String name) {
        return in(UTILITIES, name);
    }

    /** The class of that name in the first of the packages that has it. */
    static Class<?> in(List<String> packages, String name) {
        for (String packageName : packages) {
            try {
                return Class.forName(packageName + "." + name);
            } catch (ClassNotFoundException elsewhere) {
                continue;
            }
        }
        throw new IllegalStateException("no " + name + " in any of " + packages);
    }

    /** A static method, also one that its class keeps to itself. */
    static MethodHandle method(Class<?> owner, String name, Class<?>... parameters) {
        try {
            var method = owner.getDeclaredMethod(name, parameters);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException("no usable method " + name + " in " + owner, unexpected);
        }
    }

    /** Calls a method of {@link #method}; what Kafka throws is passed on. */
    static Object call(MethodHandle method, Object... arguments) throws Exception {
        try {
            return method.invokeWithArguments(arguments);
        } catch (Exception | Error thrown) {
            throw thrown;
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
