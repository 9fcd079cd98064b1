package dev.agentmemory.agents.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectNamesTest {

  private static final WorkspaceName SHOP = new WorkspaceName("shop");

  @TempDir Path data;

  @Test
  void names_thatWereWritten_areRead() {
    Path folder = data.resolve("a b");
    ProjectNames.write(data, Map.of(folder, SHOP));

    assertThat(ProjectNames.workspaces(data).of(folder)).isEqualTo(SHOP);
    assertThat(ProjectNames.workspaces(data).of(data)).isNotEqualTo(SHOP);
  }

  @Test
  void noNames_leaveNoFile() {
    ProjectNames.write(data, Map.of(data, SHOP));
    ProjectNames.write(data, Map.of());

    assertThat(ProjectNames.workspaces(data)).isSameAs(ProjectWorkspaces.DEFAULT);
    assertThat(data.resolve("agents/workspaces.txt")).doesNotExist();
  }

  @Test
  void damagedLines_nameNoProject() throws IOException {
    Path file = data.resolve("agents/workspaces.txt");
    Files.createDirectories(data.resolve("agents"));
    Files.writeString(file, "shop\n\nSHOP /a\n /b\nshop " + data + "\n");

    assertThat(ProjectNames.workspaces(data).of(data)).isEqualTo(SHOP);
    assertThat(ProjectNames.workspaces(data).of(Path.of("/b")).value()).startsWith("b-");
  }
}
