package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.project.WholeFile;
import dev.agentmemory.cli.agent.install.AgentEdits.PluginFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/// The folder `agents` of a data directory: what the settings of agents refer to.
public final class AgentFolder {

  private final AgentSite site;
  private final Path program;

  /// @param program the folder of the packaged program
  public AgentFolder(AgentSite site, Path program) {
    this.site = site;
    this.program = program;
  }

  /// Writes everything again if an agent has been connected, so that it belongs to this version of
  /// the program.
  public void refresh(String version) throws IOException {
    if (Files.isRegularFile(site.hook(), LinkOption.NOFOLLOW_LINKS)) {
      write();
      if (Files.isDirectory(site.plugin())) {
        writePlugin(version);
      }
    }
  }

  /// Writes the script and the link to the launcher.
  public void write() throws IOException {
    Path packaged = program.resolve("bin").resolve("memory-hook");
    if (!Files.isRegularFile(packaged)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "the file "
              + packaged
              + " is missing; use the packaged launcher bin/memory, in a source checkout ./memory");
    }
    createDirectory(site.data());
    createDirectory(site.folder());
    createDirectory(SettingsBackup.folder(site));
    createDirectory(AgentHealth.last(site));
    String script =
        Files.readString(packaged)
            .replaceFirst("(?m)^data=$", assignment("data", site.data()))
            .replaceFirst("(?m)^memory=$", assignment("memory", site.launcher()));
    replace(site.hook(), script, "rwx------");
    WholeFile.replaceLink(site.launcher(), program.resolve("bin").resolve("memory"));
  }

  private static String assignment(String name, Path value) {
    String quoted = name + "='" + value.toString().replace("'", "'\\''") + "'";
    return Matcher.quoteReplacement(quoted);
  }

  /// Writes the plugin of Claude Code.
  public void writePlugin(String version) throws IOException {
    createDirectory(site.plugin());
    for (PluginFile file : AgentEdits.plugin(site, version)) {
      Path place = site.plugin().resolve(file.path());
      Files.createDirectories(place.getParent());
      replace(place, file.text(), "rw-------");
    }
  }

  /// Whether an agent is connected anywhere, according to the backups.
  public static boolean isUsed(AgentSite site, Agent agent) {
    return !SettingsBackup.all(site, agent.id()).isEmpty();
  }

  /// Deletes that plugin.
  public static void deletePlugin(AgentSite site) throws IOException {
    if (!Files.isDirectory(site.plugin(), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        site.plugin(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
              throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /// A script that an agent runs must be whole at any time.
  private static void replace(Path file, String text, String permissions) throws IOException {
    WholeFile.replaceTidily(
        file, text.getBytes(StandardCharsets.UTF_8), PosixFilePermissions.fromString(permissions));
  }

  private static void createDirectory(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      FileAttribute<?>[] own =
          isPosix(folder)
              ? new FileAttribute<?>[] {
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
              }
              : new FileAttribute<?>[0];
      Files.createDirectories(folder, own);
    }
  }

  private static boolean isPosix(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
