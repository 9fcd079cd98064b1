import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Checks the types of the console's sources. A program in one file, run by the build after
/// [BundleConsole]: `CheckTypes WORK DENO`. Nothing is downloaded: the libraries are those that
/// were bundled.
public final class CheckTypes {

  private CheckTypes() {}

  /// Ends with 1 when a type does not fit.
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path work = Path.of(arguments[0]);
    Path deno = Path.of(arguments[1]);
    deno.toFile().setExecutable(true);
    Files.writeString(work.resolve("package.json"), "{\"dependencies\":{\"lit\":\"*\"}}\n");
    Files.copy(
        work.resolve("src/types.json"),
        work.resolve("deno.json"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    var process =
        new ProcessBuilder(
                deno.toString(), "check", "--quiet", "--no-remote", "--no-lock", "src/app.ts")
            .directory(work.toFile())
            .inheritIO();
    process.environment().put("DENO_DIR", work.resolve("deno-cache").toString());
    process.environment().put("DENO_NO_UPDATE_CHECK", "1");
    process.environment().put("NO_COLOR", "1");
    System.exit(process.start().waitFor());
  }
}
