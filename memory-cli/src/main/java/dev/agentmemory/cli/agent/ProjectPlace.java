package dev.agentmemory.cli.agent;

import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.Locale;

/// The workspace of a project.
public final class ProjectPlace {

  private ProjectPlace() {}

  public static WorkspaceName workspace(Path directory) {
    String name =
        String.valueOf(directory.getFileName())
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9._-]", "-")
            .replaceFirst("^[^a-z0-9]+", "");
    return WorkspaceName.of(name).orElseGet(() -> new WorkspaceName("default"));
  }
}
