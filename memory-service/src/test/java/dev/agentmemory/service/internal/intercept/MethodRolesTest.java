package dev.agentmemory.service.internal.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.Role;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.BackupServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MethodRolesTest {

  private final MethodRoles roles = new MethodRoles();

  static Stream<String> methods() {
    return Stream.of(
            AdminServiceGrpc.getServiceDescriptor(),
            BackupServiceGrpc.getServiceDescriptor(),
            IngestServiceGrpc.getServiceDescriptor(),
            MemoryServiceGrpc.getServiceDescriptor(),
            RecallServiceGrpc.getServiceDescriptor(),
            SearchServiceGrpc.getServiceDescriptor(),
            SessionServiceGrpc.getServiceDescriptor(),
            TocServiceGrpc.getServiceDescriptor(),
            WorkspaceServiceGrpc.getServiceDescriptor())
        .map(ServiceDescriptor::getMethods)
        .flatMap(all -> all.stream().map(MethodDescriptor::getFullMethodName));
  }

  @Test
  void everyMethodThatIsNamed_exists() {
    assertThat(methods()).containsAll(roles.named().keySet());
  }

  /// A method that is added to this list by oversight would be open to fewer than it should be.
  @Test
  void methodsThatAreNotNamed_needAnAdmin() {
    Set<String> forAdmins =
        methods()
            .filter(method -> roles.of(method) == Role.ADMIN)
            .map(method -> method.substring(method.indexOf('/') + 1))
            .collect(Collectors.toSet());
    assertThat(forAdmins)
        .containsExactlyInAnyOrder(
            "VerifyStore",
            "RebuildToc",
            "Scrub",
            "Forget",
            "PreviewForget",
            "RunJob",
            "ListAudit",
            "CreateBackup",
            "PauseJob",
            "ResumeJob",
            "RebuildMemoryIndex",
            "UndoConsolidation",
            "RebuildIndex",
            "RevertNode",
            "CreateWorkspace",
            "DeleteWorkspace");
    assertThat(roles.of("some.other.Service/Method")).isEqualTo(Role.ADMIN);
  }

  @Test
  void reflection_isForReaders() {
    assertThat(roles.of("grpc.reflection.v1.ServerReflection/ServerReflectionInfo"))
        .isEqualTo(Role.READER);
  }
}
