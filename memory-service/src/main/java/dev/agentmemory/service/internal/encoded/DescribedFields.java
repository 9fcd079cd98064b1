package dev.agentmemory.service.internal.encoded;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.agentmemory.api.encoded.RequestField;
import dev.agentmemory.api.encoded.RequestField.Kind;
import java.util.List;
import java.util.Optional;

/// Describes fields of a message by its descriptor.
record DescribedFields(Descriptor message) {

  /// @param path names in JSON with dots between them
  Optional<RequestField> find(String path) {
    Descriptor type = message;
    List<String> names = List.of(path.split("\\.", -1));
    for (String name : names.subList(0, names.size() - 1)) {
      Optional<FieldDescriptor> found = field(type, name).filter(DescribedFields::isMessage);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      type = found.get().getMessageType();
    }
    return field(type, names.getLast()).flatMap(DescribedFields::described);
  }

  private static Optional<FieldDescriptor> field(Descriptor type, String name) {
    return type.getFields().stream().filter(field -> field.getJsonName().equals(name)).findAny();
  }

  private static boolean isMessage(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isRepeated();
  }

  private static Optional<RequestField> described(FieldDescriptor field) {
    Optional<Kind> kind =
        switch (field.getJavaType()) {
          case STRING -> Optional.of(Kind.TEXT);
          case INT -> Optional.of(Kind.INT);
          case LONG -> Optional.of(Kind.LONG);
          case FLOAT, DOUBLE -> Optional.of(Kind.DOUBLE);
          case BOOLEAN -> Optional.of(Kind.BOOLEAN);
          case ENUM -> Optional.of(Kind.CHOICE);
          case BYTE_STRING, MESSAGE -> Optional.empty();
        };
    return kind.map(found -> new RequestField(found, field.isRepeated(), choices(field)));
  }

  private static List<String> choices(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.ENUM
        ? field.getEnumType().getValues().stream().map(EnumValueDescriptor::getName).toList()
        : List.of();
  }
}
