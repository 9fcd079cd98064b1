package dev.agentmemory.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.agentmemory.proto.CreateBackupResponse;
import dev.agentmemory.proto.GetStatsResponse;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.proto.ListChannelsResponse;
import dev.agentmemory.proto.ListMemoriesResponse;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.ListSessionsResponse;
import dev.agentmemory.proto.ListWorkspacesResponse;
import dev.agentmemory.proto.OrientResponse;
import dev.agentmemory.proto.SearchResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The names, numbers and types on the wire are those of the kept list `wire-contract.txt`. New
/// lines may be added to it. A line that is changed or deleted breaks clients that exist.
class WireContractTest {

  @Test
  void namesNumbersAndTypes_areThoseOfTheKeptList() {
    assertThat(contract()).containsExactlyElementsOf(kept());
  }

  private static List<String> kept() {
    try (var lines = WireContractTest.class.getResourceAsStream("wire-contract.txt")) {
      return new String(lines.readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> contract() {
    return files().stream().flatMap(WireContractTest::lines).sorted().toList();
  }

  /// All files of the contract: those named here, and what they import.
  private static Set<FileDescriptor> files() {
    Deque<FileDescriptor> open =
        new ArrayDeque<>(
            List.of(
                CreateBackupResponse.getDescriptor().getFile(),
                GetStatsResponse.getDescriptor().getFile(),
                IngestAck.getDescriptor().getFile(),
                ListChannelsResponse.getDescriptor().getFile(),
                ListMemoriesResponse.getDescriptor().getFile(),
                ListNodeVersionsResponse.getDescriptor().getFile(),
                ListSessionsResponse.getDescriptor().getFile(),
                ListWorkspacesResponse.getDescriptor().getFile(),
                OrientResponse.getDescriptor().getFile(),
                SearchResponse.getDescriptor().getFile()));
    Set<FileDescriptor> files = new LinkedHashSet<>();
    while (!open.isEmpty()) {
      FileDescriptor file = open.remove();
      if (file.getPackage().equals("memory") && files.add(file)) {
        open.addAll(file.getDependencies());
      }
    }
    return files;
  }

  private static Stream<String> lines(FileDescriptor file) {
    return Stream.of(
            file.getMessageTypes().stream().flatMap(WireContractTest::fields),
            file.getEnumTypes().stream().flatMap(WireContractTest::values),
            file.getServices().stream().flatMap(WireContractTest::calls))
        .flatMap(lines -> lines);
  }

  private static Stream<String> fields(Descriptor message) {
    return Stream.of(
            message.getFields().stream().map(WireContractTest::field),
            message.getNestedTypes().stream().flatMap(WireContractTest::fields),
            message.getEnumTypes().stream().flatMap(WireContractTest::values))
        .flatMap(lines -> lines);
  }

  private static String field(FieldDescriptor field) {
    String type =
        switch (field.getJavaType()) {
          case MESSAGE -> field.getMessageType().getFullName();
          case ENUM -> field.getEnumType().getFullName();
          default -> field.getType().name().toLowerCase(Locale.ROOT);
        };
    String label = field.isRepeated() ? "repeated " : field.hasPresence() ? "optional " : "";
    return field.getFullName() + " = " + field.getNumber() + " " + label + type;
  }

  private static Stream<String> values(EnumDescriptor type) {
    return type.getValues().stream()
        .map(value -> type.getFullName() + "." + value.getName() + " = " + value.getNumber());
  }

  private static Stream<String> calls(ServiceDescriptor service) {
    return service.getMethods().stream().map(WireContractTest::call);
  }

  private static String call(MethodDescriptor call) {
    return call.getFullName()
        + " ("
        + (call.isClientStreaming() ? "stream " : "")
        + call.getInputType().getFullName()
        + ") returns ("
        + (call.isServerStreaming() ? "stream " : "")
        + call.getOutputType().getFullName()
        + ")";
  }
}
