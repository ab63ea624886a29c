package kafkawire.harness;

/**
 * Where in a value something is, as {@code Topics[0].Name}. It becomes text only in a refusal: most values have none, and
 * a text for each would take longer than the rest of what is done with it.
 */
final class Place {
    /** The value itself. */
    static final Place WHOLE = new Place(null, null, 0);

    private final Place outer;
    private final String name;
    private final int index;

    private Place(Place outer, String name, int index) {
        this.outer = outer;
        this.name = name;
        this.index = index;
    }

    Place field(String fieldName) {
        return new Place(this, fieldName, 0);
    }

    Place element(int elementIndex) {
        return new Place(this, null, elementIndex);
    }

    boolean isWhole() {
        return outer == null;
    }

    @Override
    public String toString() {
        if (isWhole()) {
            return "";
        }
        if (name == null) {
            return outer + "[" + index + "]";
        }
        return outer.isWhole() ? name : outer + "." + name;
    }
}
