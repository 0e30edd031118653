package io.queenmq.test.server;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The public API of an older Java, as the option --release of the compiler sees it. */
final class ReleaseApi implements AutoCloseable {
    private final StandardJavaFileManager files;
    private final JavacTask task;

    ReleaseApi(int release) {
        var compiler = ToolProvider.getSystemJavaCompiler();
        files = compiler.getStandardFileManager(null, null, null);
        task = (JavacTask) compiler.getTask(null, files, null, List.of("--release", Integer.toString(release)),
                List.of("java.lang.Object"), null);
    }

    /** Returns the members of a type with their descriptors, inherited ones included. Empty if there is no such type. */
    Set<String> members(String binaryName) {
        TypeElement type = task.getElements().getTypeElement(binaryName.replace('$', '.'));
        if (type == null) {
            return Set.of();
        }
        Set<String> members = new HashSet<>();
        members.add("");
        task.getElements().getAllMembers(type).forEach(each -> members.add(described(each)));
        // Interfaces have the methods of Object, too.
        task.getElements().getAllMembers(task.getElements().getTypeElement("java.lang.Object"))
                .forEach(each -> members.add(described(each)));
        return members;
    }

    private String described(Element member) {
        if (member instanceof ExecutableElement method) {
            String parameters = method.getParameters().stream().map(each -> descriptor(each.asType()))
                    .collect(Collectors.joining());
            return method.getSimpleName() + "(" + parameters + ")" + descriptor(method.getReturnType());
        }
        return member.getSimpleName()
                + (member.getKind() == ElementKind.FIELD || member.getKind() == ElementKind.ENUM_CONSTANT
                        ? descriptor(member.asType())
                        : "");
    }

    private String descriptor(TypeMirror type) {
        TypeMirror erased = task.getTypes().erasure(type);
        return switch (erased.getKind()) {
            case BOOLEAN -> "Z";
            case BYTE -> "B";
            case SHORT -> "S";
            case INT -> "I";
            case LONG -> "J";
            case CHAR -> "C";
            case FLOAT -> "F";
            case DOUBLE -> "D";
            case VOID -> "V";
            case ARRAY -> "[" + descriptor(((ArrayType) erased).getComponentType());
            default -> "L" + task.getElements().getBinaryName((TypeElement) ((DeclaredType) erased).asElement())
                    .toString().replace('.', '/') + ";";
        };
    }

    @Override
    public void close() throws IOException {
        files.close();
    }
}
