package dev.agentmemory.agents.project;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProjectWorkspacesTest {

  private static final ProjectWorkspaces WORKSPACES = ProjectWorkspaces.DEFAULT;

  @TempDir Path root;
  private Path repository;

  @BeforeEach
  void createRepository() throws IOException {
    repository = Files.createDirectories(root.resolve("My Shop"));
    git(repository.resolve(".git"));
  }

  private static void git(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("objects"));
    Files.createDirectories(folder.resolve("refs"));
    Files.writeString(folder.resolve("HEAD"), "ref: refs/heads/main\n");
  }

  @Test
  void folderOfARepository_hasItsWorkspace() throws IOException {
    Path below = Files.createDirectories(repository.resolve("src/main"));

    assertThat(WORKSPACES.of(below)).isEqualTo(WORKSPACES.of(repository));
    assertThat(WORKSPACES.of(below).value()).matches("my-shop-[0-9a-f]{10}");
    assertThat(WORKSPACES.of(repository.resolve(".git"))).isEqualTo(WORKSPACES.of(repository));
    assertThat(ProjectWorkspaces.folder(below)).isEqualTo(repository.toRealPath());
  }

  @Test
  void worktree_hasTheWorkspaceOfItsRepository() throws IOException {
    Path own = Files.createDirectories(repository.resolve(".git/worktrees/w"));
    Files.writeString(own.resolve("HEAD"), "ref: refs/heads/w\n");
    Files.writeString(own.resolve("commondir"), "../..\n");
    Path worktree = Files.createDirectories(root.resolve("w"));
    Files.writeString(worktree.resolve(".git"), "gitdir: " + own + "\n");

    assertThat(WORKSPACES.of(worktree)).isEqualTo(WORKSPACES.of(repository));
  }

  @Test
  void submodule_isAProjectOfItsOwn() throws IOException {
    git(repository.resolve(".git/modules/lib"));
    Path module = Files.createDirectories(repository.resolve("lib"));
    Files.writeString(module.resolve(".git"), "gitdir: ../.git/modules/lib\n");

    assertThat(WORKSPACES.of(module).value()).startsWith("lib-");
  }

  @Test
  void bareRepository_isAProject() throws IOException {
    Path bare = root.resolve("tools.git");
    git(bare);

    assertThat(WORKSPACES.of(bare).value()).matches("tools-[0-9a-f]{10}");
  }

  @Test
  void directoryWithoutRepository_isAProject_andSameNamesAreTwo() throws IOException {
    Path one = Files.createDirectories(root.resolve("a/notes"));
    Path two = Files.createDirectories(root.resolve("b/notes"));

    assertThat(WORKSPACES.of(one)).isNotEqualTo(WORKSPACES.of(two));
    assertThat(WORKSPACES.of(one).value()).startsWith("notes-");
  }

  @Test
  void link_isWhatItLeadsTo() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("link"), repository);

    assertThat(WORKSPACES.of(link.resolve("gone"))).isEqualTo(WORKSPACES.of(repository));
  }

  @Test
  void deletedDirectory_keepsItsWorkspace() throws IOException {
    Path notes = Files.createDirectories(root.resolve("notes"));
    WorkspaceName before = WORKSPACES.of(notes);
    Files.delete(notes);

    assertThat(WORKSPACES.of(notes)).isEqualTo(before);
    assertThat(WORKSPACES.of(repository.resolve("gone/too"))).isEqualTo(WORKSPACES.of(repository));
  }

  @Test
  void unusableNames_areReplaced() {
    assertThat(WORKSPACES.of(root.resolve("日本")).value()).startsWith("project-");
    assertThat(WORKSPACES.of(root.resolve("x".repeat(200))).value()).hasSizeLessThan(65);
    assertThat(WORKSPACES.of(root.resolve("my..app...")).value()).startsWith("my.app.-");
    assertThat(WORKSPACES.of(Path.of("/")).value()).startsWith("root-");
  }

  @Test
  void nameOfTheConfiguration_isUsed() {
    var shop = new WorkspaceName("shop");
    var named = new ProjectWorkspaces(Map.of(repository, shop));

    assertThat(named.of(repository.resolve("src"))).isEqualTo(shop);
  }
}
