package dev.agentmemory.daemon.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.gateway.resource.OpenApiRoute;
import dev.agentmemory.gateway.resource.Operations;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The OpenAPI file and the table of operations say the same, and the table has every call but
/// those that it is not to have.
class OpenApiTest {

  private static final Path FILE =
      Path.of("../memory-gateway/src/main/resources/dev/agentmemory/gateway/resource/openapi.json");

  private static final List<ServiceDescriptor> SERVICES =
      List.of(
          AdminServiceGrpc.getServiceDescriptor(),
          MemoryServiceGrpc.getServiceDescriptor(),
          RecallServiceGrpc.getServiceDescriptor(),
          SearchServiceGrpc.getServiceDescriptor(),
          SessionServiceGrpc.getServiceDescriptor(),
          TocServiceGrpc.getServiceDescriptor(),
          WorkspaceServiceGrpc.getServiceDescriptor());

  /// Agents write with them, or they work on whole stores and have a command.
  private static final Set<String> NOT_SERVED =
      Set.of(
          "memory.AdminService/Ping",
          "memory.AdminService/RebuildToc",
          "memory.AdminService/Scrub",
          "memory.MemoryService/IngestEvent",
          "memory.RecallService/ClearScratchpad",
          "memory.RecallService/RebuildMemoryIndex",
          "memory.RecallService/WriteScratchpad",
          "memory.SearchService/RebuildIndex",
          "memory.WorkspaceService/DeleteWorkspace");

  @Test
  void file_isThatOfTheTable() throws Exception {
    String text = new OpenApiDocument().text();
    if (Boolean.getBoolean("openapi.update")) {
      Files.writeString(FILE, text);
      return;
    }
    assertThat(Files.readString(FILE))
        .as("the file; write it anew with -Dopenapi.update=true")
        .isEqualTo(text);
    assertThat(new String(OpenApiRoute.file(), StandardCharsets.UTF_8)).isEqualTo(text);
  }

  @Test
  void call_isServed_orLeftOutOnPurpose() {
    Set<String> served =
        Operations.all().stream()
            .map(operation -> operation.service() + "/" + operation.method())
            .collect(Collectors.toSet());
    Set<String> left =
        SERVICES.stream()
            .flatMap(service -> service.getMethods().stream())
            .map(MethodDescriptor::getFullMethodName)
            .filter(name -> !served.contains(name))
            .collect(Collectors.toSet());
    assertThat(left)
        .as("calls without an operation; add a line to Operations, or the call to NOT_SERVED")
        .isEqualTo(NOT_SERVED);
  }

  @Test
  void operation_isOnThePageOfTheProtocol() throws Exception {
    String page = Files.readString(Path.of("../docs/protocol.md"));
    assertThat(Operations.all())
        .allSatisfy(operation ->
            assertThat(page)
                .contains("| `%s %s` |".formatted(operation.verb(), operation.path()))
                .contains("| `" + operation.method() + "` |"));
  }
}
