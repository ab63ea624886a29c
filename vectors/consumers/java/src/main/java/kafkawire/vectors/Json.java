package kafkawire.vectors;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as the vectors use it: maps, lists, strings, {@code Boolean} and null. A number is the {@link Num} of its digits,
 * since which type it is of is for the definition to say.
 */
final class Json {
    record Num(String digits) {
    }

    private final String text;
    private int next;

    private Json(String text) {
        this.text = text;
    }

    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipSpace();
        if (json.next != text.length()) {
            throw json.error("more than one value");
        }
        return value;
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        expect('{');
        for (boolean first = true; !ends('}', first); first = false) {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value());
        }
        return members;
    }

    private List<Object> list() {
        List<Object> elements = new ArrayList<>();
        expect('[');
        for (boolean first = true; !ends(']', first); first = false) {
            elements.add(value());
        }
        return elements;
    }

    /** Whether the list or object ends here; if not, steps over the comma. */
    private boolean ends(char close, boolean first) {
        skipSpace();
        if (peek() == close) {
            next++;
            return true;
        }
        if (!first) {
            expect(',');
        }
        return false;
    }

    private String string() {
        StringBuilder result = new StringBuilder();
        expect('"');
        for (char letter = take(); letter != '"'; letter = take()) {
            result.append(letter == '\\' ? escaped() : letter);
        }
        return result.toString();
    }

    private char escaped() {
        char letter = take();
        return switch (letter) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                next += 4;
                yield (char) Integer.parseInt(text, next - 4, next, 16);
            }
            default -> letter;
        };
    }

    private Object word() {
        int start = next;
        while (next < text.length() && (Character.isLetterOrDigit(peek()) || "+-.".indexOf(peek()) >= 0)) {
            next++;
        }
        String word = text.substring(start, next);
        return switch (word) {
            case "null" -> null;
            case "true" -> true;
            case "false" -> false;
            default -> {
                if (!word.matches("-?[0-9.eE+-]+")) {
                    throw error("no JSON value");
                }
                yield new Num(word);
            }
        };
    }

    private void skipSpace() {
        while (next < text.length() && " \t\r\n".indexOf(text.charAt(next)) >= 0) {
            next++;
        }
    }

    private void expect(char wanted) {
        if (take() != wanted) {
            throw error("expected " + wanted + " before this place");
        }
    }

    private char take() {
        char letter = peek();
        next++;
        return letter;
    }

    private char peek() {
        if (next >= text.length()) {
            throw error("the text ends too early");
        }
        return text.charAt(next);
    }

    private IllegalArgumentException error(String what) {
        return new IllegalArgumentException("not JSON at character " + next + ": " + what);
    }
}
