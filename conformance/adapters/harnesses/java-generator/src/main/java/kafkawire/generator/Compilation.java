package kafkawire.generator;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The Java compiler, run on generated sources with the class path of this program. */
final class Compilation {
    private static final List<String> OPTIONS = List.of("-proc:none", "-nowarn");

    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager files = compiler.getStandardFileManager(null, Locale.ROOT, null);

    /**
     * What the compiler objects to, by file. Files with errors are left out, until the rest compiles: one that does not
     * even parse keeps the compiler from looking at the others.
     */
    Map<String, String> complaints(Path sources, Path classes) throws IOException {
        files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(classes));
        Map<String, String> complaints = new TreeMap<>();
        List<Path> left = javaFiles(sources);
        for (boolean again = true; again && !left.isEmpty();) {
            Map<Path, String> found = compile(left);
            found.forEach((file, text) -> complaints.put(sources.relativize(file).toString(), text));
            again = left.removeIf(file -> found.keySet().stream().anyMatch(bad -> bad.getParent().equals(file.getParent())));
        }
        return complaints;
    }

    /** The first error in each file that has one. */
    private Map<Path, String> compile(List<Path> sources) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        compiler.getTask(Writer.nullWriter(), files, diagnostics, OPTIONS, null,
            files.getJavaFileObjectsFromPaths(sources)).call();
        Map<Path, String> errors = new TreeMap<>();
        for (Diagnostic<? extends JavaFileObject> each : diagnostics.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                errors.putIfAbsent(Path.of(each.getSource().toUri()), each.getMessage(Locale.ROOT));
            }
        }
        return errors;
    }

    private static List<Path> javaFiles(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return new ArrayList<>(paths.filter(path -> path.toString().endsWith(".java")).toList());
        }
    }
}
