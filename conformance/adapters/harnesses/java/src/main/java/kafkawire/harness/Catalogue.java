package kafkawire.harness;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.kafka.common.protocol.Message;

/** The generated message classes on the class path, by the name that the definition gives to the message. */
final class Catalogue {
    /** The packages into which Kafka's build puts generated classes; a class inside another has a $ in its name. */
    private static final Pattern GENERATED =
        Pattern.compile("(?:.*/generated|org/apache/kafka/common/(?:message|metadata))/[^/$]+\\.class");
    /** Requests, responses and headers have "Data" appended to their name, all other kinds of message do not. */
    private static final Pattern WITH_DATA = Pattern.compile("(.*(?:Request|Response|Header))Data");

    /** One message in the versions from lowest to highest. */
    record Entry(String name, Class<? extends Message> messageClass, short lowestVersion, short highestVersion) {
        Message newMessage() {
            return Struct.of(messageClass).create();
        }
    }

    private final Map<String, Entry> entries = new TreeMap<>();

    private Catalogue() {
    }

    static Catalogue ofClassPath() throws IOException {
        Catalogue catalogue = new Catalogue();
        for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (element.endsWith(".jar")) {
                catalogue.addJar(element);
            }
        }
        return catalogue;
    }

    /** The name in the definition of the message that a class was generated for. */
    static String messageName(Class<?> messageClass) {
        return WITH_DATA.matcher(messageClass.getSimpleName()).replaceFirst("$1");
    }

    /** In the order of the names. */
    Collection<Entry> entries() {
        return entries.values();
    }

    Optional<Entry> find(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    private void addJar(String path) throws IOException {
        try (JarFile jar = new JarFile(path)) {
            List<String> names = jar.stream().map(JarEntry::getName).filter(GENERATED.asMatchPredicate()).toList();
            for (String name : names) {
                addClass(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
            }
        }
    }

    private void addClass(String className) {
        try {
            Class<?> candidate = Class.forName(className, false, Catalogue.class.getClassLoader());
            if (Message.class.isAssignableFrom(candidate) && !Modifier.isAbstract(candidate.getModifiers())) {
                addMessage(candidate.asSubclass(Message.class));
            }
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(className + " is not as Kafka generates its messages", unexpected);
        }
    }

    private void addMessage(Class<? extends Message> messageClass) throws ReflectiveOperationException {
        String name = messageName(messageClass);
        Entry entry = new Entry(name, messageClass,
            messageClass.getField("LOWEST_SUPPORTED_VERSION").getShort(null),
            messageClass.getField("HIGHEST_SUPPORTED_VERSION").getShort(null));
        Entry other = entries.put(name, entry);
        if (other != null) {
            throw new IllegalStateException(other.messageClass() + " and " + messageClass + " are both named " + name);
        }
    }
}
