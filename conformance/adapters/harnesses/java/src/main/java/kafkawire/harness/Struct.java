package kafkawire.harness;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.protocol.Message;

/**
 * The fields of a generated class, a whole message or a struct inside one, by the names of the definition.
 *
 * <p>Fields are read and set directly, save numbers of 32 and 64 bits: those may stand for unsigned ones of half as many
 * or 32, which Java has not, and it is the setter that refuses what is beyond.
 */
final class Struct {
    /** One field: {@code topicName} in the class, {@code TopicName} in the definition and here. */
    record Member(String name, Field field, FieldType type, Method setter) {
    }

    private static final ClassValue<Struct> STRUCTS = new ClassValue<>() {
        @Override
        protected Struct computeValue(Class<?> structClass) {
            return new Struct(structClass);
        }
    };

    private static final Class<?> KEYED_ELEMENT = Moved.utility("ImplicitLinkedHashCollection$Element");

    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Constructor<? extends Message> constructor;

    private Struct(Class<?> structClass) {
        try {
            constructor = structClass.asSubclass(Message.class).getConstructor();
        } catch (NoSuchMethodException unexpected) {
            throw new IllegalStateException(structClass + " has no constructor without arguments", unexpected);
        }
        Arrays.stream(structClass.getDeclaredFields()).filter(Struct::isOfDefinition).forEach(this::addMember);
    }

    static Struct of(Class<?> structClass) {
        return STRUCTS.get(structClass);
    }

    /** In the order of the definition. */
    Map<String, Member> members() {
        return members;
    }

    Message create() {
        try {
            return constructor.newInstance();
        } catch (ReflectiveOperationException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    static Object get(Member member, Message struct) {
        try {
            return member.field().get(struct);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static void set(Member member, Message struct, Object value) throws Refusal {
        try {
            if (member.setter() == null) {
                member.field().set(struct, value);
            } else {
                member.setter().invoke(struct, value);
            }
        } catch (InvocationTargetException refused) {
            throw Refusal.rejected("set", (Exception) refused.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void addMember(Field field) {
        field.setAccessible(true);
        String name = Spelling.ofField(field.getDeclaringClass(), field.getName());
        members.put(name, new Member(name, field, FieldType.of(field.getGenericType()), setter(field)));
    }

    private static Method setter(Field field) {
        if (field.getType() != int.class && field.getType() != long.class) {
            return null;
        }
        String name = field.getName();
        try {
            return field.getDeclaringClass()
                .getMethod("set" + Character.toUpperCase(name.charAt(0)) + name.substring(1), field.getType());
        } catch (NoSuchMethodException unexpected) {
            throw new IllegalStateException(field + " has no setter", unexpected);
        }
    }

    /** Besides the definition's fields a class has constants, unknown tagged fields, and the links of a keyed array. */
    private static boolean isOfDefinition(Field field) {
        boolean isKeyed = KEYED_ELEMENT.isAssignableFrom(field.getDeclaringClass());
        return switch (field.getName()) {
            case "_unknownTaggedFields" -> false;
            case "prev", "next" -> !isKeyed;
            default -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic();
        };
    }
}
