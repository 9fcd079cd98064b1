package dev.agentmemory.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What a workspace may be called.
class WorkspaceNameTest {

  @Test
  void names_thatAreFilesOnAnySystem_areTaken() {
    for (String text : List.of("a", "0", "default", "my-project_2.old", "a..b", "x".repeat(64))) {
      assertThat(WorkspaceName.parse("name", text).value()).isEqualTo(text);
    }
  }

  @Test
  void names_withTwoDotsInARow_areNotForNewWorkspaces() {
    for (String text : List.of("a..b", "a...", "a.b..c")) {
      assertThat(new WorkspaceName(text).isForNew()).isFalse();
    }
    assertThat(new WorkspaceName("a.b.c-1_").isForNew()).isTrue();
    assertThat(new WorkspaceName("a..b").notForNew("name").field()).contains("name");
  }

  @Test
  void names_thatAreNone_areRefusedNamingTheField() {
    for (String text :
        List.of(
            "",
            ".",
            "..",
            "../x",
            "a/b",
            "a\\b",
            "A",
            "-a",
            "_a",
            "ä",
            "a b",
            "a\n",
            "a\0",
            "x".repeat(65))) {
      assertThat(WorkspaceName.of(text)).isEmpty();
      assertThatThrownBy(() -> WorkspaceName.parse("name", text))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.field()).contains("name"));
      assertThatThrownBy(() -> new WorkspaceName(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
