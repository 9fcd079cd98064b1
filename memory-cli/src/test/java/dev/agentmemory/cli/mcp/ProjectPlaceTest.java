package dev.agentmemory.cli.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectPlaceTest {

  @TempDir private Path folder;

  private Path directory(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  private static String workspace(Path directory) {
    return ProjectPlace.workspace(directory).value();
  }

  @Test
  void directoriesOfARepositoryAndItsWorktrees_shareOneWorkspace() throws IOException {
    Path main = directory("Pay Roll");
    Path own = directory("Pay Roll/.git/worktrees/fix");
    Files.writeString(own.resolve("commondir"), "../..\n");
    Path worktree = directory("fix");
    Files.writeString(worktree.resolve(".git"), "gitdir: " + own + "\n");
    String name = workspace(main);
    assertThat(name).matches("pay-roll-[0-9a-f]{8}");
    assertThat(workspace(directory("Pay Roll/src/deep"))).isEqualTo(name);
    assertThat(workspace(worktree)).isEqualTo(name);
  }

  @Test
  void submodule_hasAWorkspaceOfItsOwn() throws IOException {
    Path main = directory("main");
    directory("main/.git/modules/lib");
    Path submodule = directory("main/lib");
    Files.writeString(submodule.resolve(".git"), "gitdir: ../.git/modules/lib");
    assertThat(workspace(submodule)).startsWith("lib-").isNotEqualTo(workspace(main));
  }

  @Test
  void directoriesWithoutARepository_haveOneEach() throws IOException {
    assertThat(workspace(directory("a/app")))
        .startsWith("app-")
        .isNotEqualTo(workspace(directory("b/app")));
  }

  @Test
  void linkToADirectory_isThatDirectory() throws IOException {
    Path app = directory("app");
    Path link = Files.createSymbolicLink(folder.resolve("link"), app);
    assertThat(workspace(link)).isEqualTo(workspace(app));
  }

  @Test
  void oddNamesAndBrokenFiles_stillGiveAName() throws IOException {
    assertThat(workspace(directory("日本"))).matches("project-[0-9a-f]{8}");
    assertThat(workspace(directory("x".repeat(200)))).hasSize(49);
    Path broken = directory("broken");
    Files.writeString(broken.resolve(".git"), "nonsense");
    assertThat(workspace(broken)).startsWith("broken-");
    assertThat(workspace(folder.resolve("absent"))).startsWith("absent-");
  }
}
