package dev.agentmemory.service.internal.intercept;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Message;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.text.TextLimit;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Refuses requests with a text that is too long, or a list of too many values, before a handler
/// sees them. It covers every field of every request, so a new field is bounded from the start.
public final class TextLimits implements ServerInterceptor {

  /// Fields whose limit is another one than [TextLimit#DEFAULT], in characters. The values that
  /// they become have the limit in bytes.
  public static final Map<String, Integer> LONGER =
      Map.of(
          "memory.NewMemory.content", MemoryContent.MAX_BYTES,
          "memory.NewMemory.content_json", MemoryContent.MAX_BYTES,
          "memory.UpdateMemoryRequest.content", MemoryContent.MAX_BYTES,
          "memory.UpdateMemoryRequest.content_json", MemoryContent.MAX_BYTES,
          "memory.RecordInjectionRequest.text", NewInjection.MOST_CHARS,
          "memory.WriteScratchpadRequest.value", 64 << 10);

  /// Messages and fields whose texts are checked where they are read. An event, or a line, that is
  /// wrong does not end the call: the others are stored.
  public static final Set<String> CHECKED_BY_HANDLERS =
      Set.of("memory.Event", "memory.ImportMemoriesRequest.lines");

  /// The fields to look at, for each type of message that was received.
  private final Map<Descriptor, List<FieldDescriptor>> fields = new ConcurrentHashMap<>();

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {

      @Override
      public void onMessage(Q message) {
        if (message instanceof Message request) {
          check("", request);
        }
        super.onMessage(message);
      }
    };
  }

  private void check(String path, Message message) {
    for (FieldDescriptor field : fields(message.getDescriptorForType())) {
      String name = path + field.getName();
      if (!field.isRepeated()) {
        if (!field.hasPresence() || message.hasField(field)) {
          check(field, name, message.getField(field));
        }
        continue;
      }
      int count = message.getRepeatedFieldCount(field);
      TextLimit.DEFAULT.checkCount(name, count);
      for (int i = 0; i < count; i++) {
        // The entries of a map have no order.
        String one = field.isMapField() ? name : name + "[" + i + "]";
        check(field, isText(field) ? name : one, message.getRepeatedField(field, i));
      }
    }
  }

  private void check(FieldDescriptor field, String name, Object value) {
    switch (value) {
      case String text -> limit(field).check(name, text);
      case Message part -> check(name + ".", part);
      default -> {}
    }
  }

  private static TextLimit limit(FieldDescriptor field) {
    Integer longer = LONGER.get(field.getFullName());
    return longer == null ? TextLimit.DEFAULT : TextLimit.DEFAULT.withChars(longer);
  }

  private static boolean isText(FieldDescriptor field) {
    return field.getJavaType() == JavaType.STRING;
  }

  private List<FieldDescriptor> fields(Descriptor type) {
    List<FieldDescriptor> known = fields.get(type);
    if (known != null) {
      return known;
    }
    List<FieldDescriptor> found = type.getFields().stream().filter(TextLimits::isToCheck).toList();
    fields.put(type, found);
    return found;
  }

  private static boolean isToCheck(FieldDescriptor field) {
    if (CHECKED_BY_HANDLERS.contains(field.getFullName())) {
      return false;
    }
    return field.getJavaType() == JavaType.MESSAGE
        ? !CHECKED_BY_HANDLERS.contains(field.getMessageType().getFullName())
        : isText(field) || field.isRepeated();
  }
}
