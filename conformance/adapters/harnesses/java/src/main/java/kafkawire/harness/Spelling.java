package kafkawire.harness;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a definition spells the names of its fields. Java fields all begin in lower case; most definitions begin every
 * name in upper case, but a dozen do not ({@code OffsetCommitValue.topicId}). The definitions lie in Kafka's jars.
 */
final class Spelling {
    private static final List<String> FOLDERS = List.of("common/message/", "common/metadata/", "message/");
    /** A definition lies in the file of its own name, this one apart. */
    private static final Map<String, String> FILES = Map.of("ZkMigrationStateRecord", "ZkMigrationRecord");
    private static final JsonMapper COMMENTED_JSON =
        JsonMapper.builder().enable(JsonReadFeature.ALLOW_JAVA_COMMENTS).build();

    private static final ClassValue<Set<String>> LOWER_CASE_NAMES = new ClassValue<>() {
        @Override
        protected Set<String> computeValue(Class<?> messageClass) {
            return namesInDefinition(Catalogue.messageName(messageClass)).stream()
                .filter(name -> Character.isLowerCase(name.charAt(0)))
                .collect(Collectors.toUnmodifiableSet());
        }
    };

    private Spelling() {
    }

    /** The definition's name for a Java field of a generated class. */
    static String ofField(Class<?> structClass, String javaName) {
        Class<?> outer = structClass.getEnclosingClass();
        Set<String> lowerCase = LOWER_CASE_NAMES.get(outer == null ? structClass : outer);
        return lowerCase.contains(javaName)
            ? javaName
            : Character.toUpperCase(javaName.charAt(0)) + javaName.substring(1);
    }

    private static List<String> namesInDefinition(String message) {
        String fileName = FILES.getOrDefault(message, message) + ".json";
        for (String folder : FOLDERS) {
            try (InputStream file = Spelling.class.getResourceAsStream("/" + folder + fileName)) {
                if (file != null) {
                    return COMMENTED_JSON.readTree(file).findValuesAsText("name");
                }
            } catch (IOException unreadable) {
                throw new IllegalStateException("the definition of " + message + " is unreadable", unreadable);
            }
        }
        throw new IllegalStateException("no jar has " + fileName + " in any of " + FOLDERS);
    }
}
