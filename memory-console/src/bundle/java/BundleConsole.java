import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// Makes the files that the daemon serves of the sources of the console. A program in one file, run
/// by the build: `BundleConsole SOURCES WORK ESBUILD OUTPUT`.
///
/// 1. The libraries, which are jars of Maven, are unpacked to `WORK/node_modules`.
/// 2. esbuild bundles `app.ts` with its pages, and `app.css`. It puts a hash of the content into
///    the names.
/// 3. `index.html` gets these names. Each file has a compressed one beside it.
///
/// The same sources give the same bytes: nothing depends on the time, the path or the machine.
public final class BundleConsole {

  private static final String STATIC = "META-INF/resources/_static";
  private static final int HASH_CHARS = 8;

  /// What a script loads before it runs.
  private static final Pattern IMPORT =
      Pattern.compile("(?:from|import)\\s*\"[.]/(chunk-[A-Z0-9]+[.]js)\"");

  /// A script that does nothing but load another one.
  private static final Pattern ONLY_IMPORT =
      Pattern.compile("\\s*import\\s*\"[.]/(chunk-[A-Z0-9]+[.]js)\";?\\s*");

  private final Path sources;
  private final Path work;
  private final Path esbuild;
  private final Path output;

  /// The folder of each library below `node_modules`, by the name of its jar.
  private static final Map<String, String> LIBRARIES =
      new TreeMap<>(
          Map.of(
              "lit", "lit",
              "lit-html", "lit-html",
              "lit-element", "lit-element",
              "reactive-element", "@lit/reactive-element"));

  private BundleConsole(Path sources, Path work, Path esbuild, Path output) {
    this.sources = sources;
    this.work = work;
    this.esbuild = esbuild;
    this.output = output;
  }

  /// Runs the program.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    new BundleConsole(
            Path.of(arguments[0]),
            Path.of(arguments[1]),
            Path.of(arguments[2]).toAbsolutePath(),
            Path.of(arguments[3]))
        .run();
  }

  private void run() throws IOException, InterruptedException {
    Path modules = work.resolve("node_modules");
    libraries(modules);
    // esbuild looks for libraries in the folders above a source.
    Path copy = work.resolve("src");
    delete(copy);
    copy(sources, copy);
    delete(output);
    Files.createDirectories(output);
    bundle(copy);
    Path icon = hashed(copy.resolve("icon.svg"));
    page(copy, icon);
    licences(modules);
    List<Path> all = files(output);
    for (Path file : all) {
      compress(file);
    }
    String names =
        all.stream().map(file -> file.getFileName() + "\n").collect(Collectors.joining());
    Files.writeString(output.resolve("names.txt"), names);
  }

  /// Unpacks the libraries if others were unpacked before: the names of the jars have no version.
  private void libraries(Path modules) throws IOException, InterruptedException {
    var jars = new StringBuilder();
    for (String library : LIBRARIES.keySet()) {
      Path jar = jar(library);
      jars.append(library).append(' ').append(Files.size(jar)).append(' ');
      jars.append(Files.getLastModifiedTime(jar)).append('\n');
    }
    Path unpacked = work.resolve("unpacked");
    Path told = unpacked.resolve("jars.txt");
    if (Files.exists(told) && Files.readString(told).contentEquals(jars)) {
      return;
    }
    delete(unpacked);
    delete(modules);
    for (var library : LIBRARIES.entrySet()) {
      unpack(library.getKey(), modules.resolve(library.getValue()));
    }
    Files.writeString(told, jars);
  }

  private Path jar(String library) {
    return work.resolve("libraries/" + library + ".jar");
  }

  private void unpack(String library, Path target) throws IOException, InterruptedException {
    Path folder = work.resolve("unpacked").resolve(library);
    Files.createDirectories(folder);
    call(folder, "jar", "xf", jar(library).toString());
    Path more = folder.resolve("META-INF/.more.tgz");
    if (Files.exists(more)) {
      // The declarations of types.
      call(folder.resolve("META-INF"), "tar", "xzf", more.toString());
    }
    try (Stream<Path> versions = Files.list(folder.resolve(STATIC).resolve(library))) {
      copy(versions.sorted().findFirst().orElseThrow(), target);
    }
  }

  private void bundle(Path copy) throws IOException, InterruptedException {
    if (!Files.exists(esbuild)) {
      throw new IOException(
          "there is no esbuild for this machine at "
              + esbuild
              + "; install esbuild 0.25 and name it with -Desbuild.path=");
    }
    esbuild.toFile().setExecutable(true);
    call(
        copy,
        esbuild.toString(),
        "app.ts",
        "app.css",
        "--bundle",
        "--splitting",
        "--format=esm",
        "--minify",
        "--target=es2022",
        "--charset=utf8",
        "--legal-comments=none",
        "--entry-names=[name]-[hash]",
        "--chunk-names=[name]-[hash]",
        "--outdir=" + output.toAbsolutePath(),
        "--log-level=warning");
  }

  /// The page, with the names of what it loads.
  private void page(Path copy, Path icon) throws IOException {
    String script = started(named("app-[A-Z0-9]+[.]js"));
    String preloads =
        IMPORT
            .matcher(Files.readString(output.resolve(script)))
            .results()
            .map(found -> found.group(1))
            .distinct()
            .map("<link rel=\"modulepreload\" href=\"/assets/%s\">\n"::formatted)
            .collect(Collectors.joining());
    String page =
        Files.readString(copy.resolve("index.html"))
            .replace("@SCRIPT@", script)
            .replace("@PRELOADS@", preloads)
            .replace("@STYLE@", named("app-[A-Z0-9]+[.]css"))
            .replace("@ICON@", icon.getFileName().toString());
    Files.writeString(output.resolve("index.html"), page);
  }

  /// The script that is loaded for another one, if that has nothing of its own.
  private String started(String script) throws IOException {
    Matcher only = ONLY_IMPORT.matcher(Files.readString(output.resolve(script)));
    return only.matches() ? only.group(1) : script;
  }

  private String named(String pattern) throws IOException {
    List<Path> found =
        files(output).stream()
            .filter(file -> file.getFileName().toString().matches(pattern))
            .toList();
    if (found.size() != 1) {
      throw new IOException("expected one file " + pattern + ", found " + found);
    }
    return found.getFirst().getFileName().toString();
  }

  private Path hashed(Path file) throws IOException {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    byte[] content = Files.readAllBytes(file);
    String hash = digest(content).substring(0, HASH_CHARS).toUpperCase(Locale.ROOT);
    Path target = output.resolve(name.substring(0, dot) + "-" + hash + name.substring(dot));
    return Files.write(target, content);
  }

  private void licences(Path modules) throws IOException {
    var text = new StringBuilder("The pages of agent-memory contain these libraries.\n");
    for (String library : LIBRARIES.values()) {
      String version =
          Files.readString(modules.resolve(library + "/package.json"))
              .replaceFirst("(?s).*?\"version\":\\s*\"([^\"]+)\".*", "$1");
      text.append("\n== ").append(library).append(' ').append(version).append("\n\n");
      text.append(Files.readString(modules.resolve(library + "/LICENSE")));
    }
    Files.writeString(output.resolve("licenses.txt"), text);
  }

  private static void compress(Path file) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var zip =
        new GZIPOutputStream(bytes) {
          {
            def.setLevel(Deflater.BEST_COMPRESSION);
          }
        }) {
      zip.write(Files.readAllBytes(file));
    }
    Files.write(file.resolveSibling(file.getFileName() + ".gz"), bytes.toByteArray());
  }

  private static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files
            .sorted(Comparator.reverseOrder())
            .forEach(file -> {
              try {
                Files.delete(file);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
      }
    }
  }

  private static void call(Path folder, String... command)
      throws IOException, InterruptedException {
    String first =
        command[0].equals("jar")
            ? Path.of(System.getProperty("java.home"), "bin", "jar").toString()
            : command[0];
    String[] all = command.clone();
    all[0] = first;
    Process process =
        new ProcessBuilder(all).directory(folder.toFile()).redirectErrorStream(true).start();
    String said;
    try (InputStream out = process.getInputStream()) {
      said = new String(out.readAllBytes(), StandardCharsets.UTF_8);
    }
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed:\n" + said);
    }
    System.out.print(said);
  }
}
