package dev.agentmemory.gateway.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkspaceLabelsTest {

  @Test
  void firstWorkspaces_keepTheirNames_andAllOthersShareALabel() {
    var labels = new WorkspaceLabels();
    for (int i = 0; i < WorkspaceLabels.MOST; i++) {
      assertThat(labels.label("w" + i)).isEqualTo("w" + i);
    }
    assertThat(labels.label("a")).isEqualTo(WorkspaceLabels.OTHERS);
    assertThat(labels.label("b")).isEqualTo(WorkspaceLabels.OTHERS);
    assertThat(labels.label("w0")).isEqualTo("w0");
  }
}
