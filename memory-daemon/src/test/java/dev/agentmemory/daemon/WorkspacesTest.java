package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.Workspaces;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.DaemonConfig;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.engine.Engine;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Both implementations of the workspaces, over real stores.
@Tag("slow")
class WorkspacesTest {

  @TempDir private Path data;

  private DaemonConfig config() {
    return ConfigLoader.load(
        data, List.of(SettingSource.flags(List.of("grpc_port=0", "search.embeddings=none"))));
  }

  @Nested
  class InProcess extends WorkspacesContract {

    private Engine engine;

    @BeforeEach
    void open() {
      engine = Engine.open(SystemServices.ofMachine(), config().engine(), () -> {});
    }

    @AfterEach
    void close() {
      engine.close();
    }

    @Override
    Workspaces workspaces() {
      return engine.workspaces();
    }

    @Test
    void troubled_namesAWorkspaceThatCannotBeOpened() throws IOException {
      WorkspaceName alpha = new WorkspaceName("alpha");
      workspaces().create(alpha);
      engine.close();
      Files.delete(data.resolve("db/alpha/rocksdb/CURRENT"));
      open();
      assertThatThrownBy(
              () -> engine.source().lease(Optional.of(alpha), WorkspaceSource.Access.READ).join())
          .hasMessageContaining("CURRENT");
      assertThat(workspaces().troubled(PageRequest.first()).items())
          .extracting(WorkspaceReport::name)
          .containsExactly(alpha);
    }
  }

  @Nested
  class OverGrpc extends WorkspacesContract {

    private Daemon daemon;
    private MemoryClient client;

    @BeforeEach
    void start() {
      daemon = Daemon.start(config());
      client = MemoryClient.connect(Endpoint.find(data));
    }

    @AfterEach
    void stop() {
      client.close();
      daemon.close();
    }

    @Override
    Workspaces workspaces() {
      return client.workspaces();
    }
  }
}
