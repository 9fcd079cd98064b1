import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.stream.Stream;

/// Run by train.sh: gives the classes of a jar the format of Java 8 when theirs is older. The JVM
/// keeps no class before Java 6 in its start-up cache and verifies it the slow way each time; what
/// the class does stays the same.
class Modernize {

  private static final int FIRST_WITH_STACK_MAPS = 50;

  private static final ClassTransform TRANSFORM =
      ClassTransform.dropping(ClassFileVersion.class::isInstance)
          .andThen(ClassTransform.transformingMethodBodies(CodeBuilder::with))
          .andThen(
              ClassTransform.endHandler(
                  builder -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0)));

  public static void main(String[] args) throws IOException {
    for (String jar : args) {
      modernize(Path.of(jar));
    }
  }

  private static void modernize(Path jar) throws IOException {
    Path draft = jar.resolveSibling(jar.getFileName() + ".new");
    Files.copy(jar, draft, StandardCopyOption.REPLACE_EXISTING);
    try (var types = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        FileSystem zip = FileSystems.newFileSystem(URI.create("jar:" + draft.toUri()), Map.of());
        Stream<Path> files = Files.walk(zip.getPath("/"))) {
      var format =
          ClassFile.of(
              StackMapsOption.GENERATE_STACK_MAPS,
              ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofClassLoading(types)));
      for (Path file : files.filter(Modernize::isPlainClass).toList()) {
        ClassModel old = format.parse(Files.readAllBytes(file));
        if (old.majorVersion() < FIRST_WITH_STACK_MAPS) {
          Files.write(file, format.transformClass(old, TRANSFORM));
        }
      }
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
    Files.move(draft, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isPlainClass(Path file) {
    return file.toString().endsWith(".class") && !file.startsWith("/META-INF");
  }
}
