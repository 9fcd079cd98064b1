package dev.agentmemory.service.internal.intercept;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Counts the fields of an encoded message, those of its parts included, without making objects of
/// them. An empty part takes two bytes on the wire and some fifty in memory.
final class EncodedFields {

  /// Parts that are nested deeper are left to the parser, which refuses them.
  private static final int DEPTH = 100;

  private final CodedInputStream input;
  private int left;

  private EncodedFields(byte[] message, int most) {
    this.input = CodedInputStream.newInstance(message);
    this.left = most;
  }

  /// Whether a message has more than `most` fields. Of bytes that are no message, the fields before
  /// the first fault count.
  static boolean areMoreThan(int most, byte[] message, Descriptor type) {
    var fields = new EncodedFields(message, most);
    try {
      fields.count(type, 0);
    } catch (IOException e) {
      // The parser says what is wrong.
    }
    return fields.left < 0;
  }

  private void count(Descriptor type, int depth) throws IOException {
    int tag = input.readTag();
    while (tag != 0 && left >= 0) {
      left--;
      @Nullable FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
      if (field != null
          && field.getJavaType() == JavaType.MESSAGE
          && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED
          && depth < DEPTH) {
        int outer = input.pushLimit(input.readRawVarint32());
        count(field.getMessageType(), depth + 1);
        input.popLimit(outer);
      } else {
        var _ = input.skipField(tag);
      }
      tag = left >= 0 ? input.readTag() : 0;
    }
  }
}
