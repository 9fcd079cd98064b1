package dev.agentmemory.testkit.fuzz;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Requests of a type: good ones, and such with one field that is not.
final class FuzzRequests {

  private static final int DEEPEST = 4;

  /// More than a daemon takes of a message.
  private static final int MOST_BYTES = 6 << 20;

  private static final int UNKNOWN_FIELD = 19_999_999;

  /// A value of another kind would have files written elsewhere.
  private static final Set<String> KEPT = Set.of("directory");

  private final FieldValues values;

  FuzzRequests(FieldValues values) {
    this.values = values;
  }

  Message valid(Descriptor type, RandomGenerator random) {
    return message(type, random, 0);
  }

  private Message message(Descriptor type, RandomGenerator random, int depth) {
    var message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      boolean left = field.hasPresence() || field.isRepeated();
      boolean page = field.getName().equals("continuation_token");
      if (depth > DEEPEST || random.nextInt(10) < (page ? 9 : left ? 6 : 1)) {
        continue;
      }
      if (!field.isRepeated()) {
        message.setField(field, value(field, random, depth));
        continue;
      }
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        message.addRepeatedField(field, value(field, random, depth));
      }
    }
    return message.build();
  }

  private Object value(FieldDescriptor field, RandomGenerator random, int depth) {
    return switch (field.getJavaType()) {
      case INT -> (int) FieldValues.number(field.getName(), random);
      case LONG -> FieldValues.number(field.getName(), random);
      case FLOAT -> random.nextFloat();
      case DOUBLE -> random.nextDouble();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> values.text(field, random);
      case BYTE_STRING -> ByteString.copyFromUtf8(values.text(field, random));
      case ENUM -> {
        var all = field.getEnumType().getValues();
        yield all.get(random.nextInt(all.size()));
      }
      case MESSAGE -> message(field.getMessageType(), random, depth + 1);
    };
  }

  /// The message with one field changed, somewhere in it.
  Message changed(Message valid, RandomGenerator random) {
    var message = valid.toBuilder();
    List<FieldDescriptor> fields = new ArrayList<>(valid.getDescriptorForType().getFields());
    fields.removeIf(field -> KEPT.contains(field.getName()));
    if (fields.isEmpty() || random.nextInt(20) == 0) {
      return message
          .setUnknownFields(
              UnknownFieldSet.newBuilder()
                  .addField(
                      UNKNOWN_FIELD,
                      UnknownFieldSet.Field.newBuilder().addVarint(random.nextLong()).build())
                  .build())
          .build();
    }
    FieldDescriptor field = fields.get(random.nextInt(fields.size()));
    if (field.isRepeated()) {
      if (random.nextInt(3) == 0) {
        return message.clearField(field).build();
      }
      int times = random.nextInt(20) == 0 ? random.nextInt(2_000) : 1;
      for (int i = 0, bytes = 0; i < times && bytes < MOST_BYTES; i++) {
        Object one = changedValue(field, value(field, random, 0), random);
        message.addRepeatedField(field, one);
        bytes += size(one);
      }
      return message.build();
    }
    if (random.nextInt(6) == 0) {
      return message.clearField(field).build();
    }
    Object before =
        field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !valid.hasField(field)
            ? message(field.getMessageType(), random, 1)
            : valid.getField(field);
    return message.setField(field, changedValue(field, before, random)).build();
  }

  private static int size(Object value) {
    return switch (value) {
      case Message message -> message.getSerializedSize();
      case String text -> text.length();
      default -> Long.BYTES;
    };
  }

  private Object changedValue(FieldDescriptor field, Object before, RandomGenerator random) {
    return switch (field.getJavaType()) {
      case INT -> (int) extreme(random);
      case LONG -> extreme(random);
      case FLOAT -> (float) extremeFraction(random);
      case DOUBLE -> extremeFraction(random);
      case BOOLEAN -> random.nextBoolean();
      case STRING -> wellFormed(Changed.text((String) before, random));
      case BYTE_STRING ->
          ByteString.copyFrom(Changed.bytes(((ByteString) before).toByteArray(), random));
      case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(-2, 40));
      case MESSAGE -> changed((Message) before, random);
    };
  }

  /// Texts of messages are UTF-8; changed bytes are not always.
  private static String wellFormed(String text) {
    return ByteString.copyFromUtf8(text).toStringUtf8();
  }

  private static long extreme(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Integer.MAX_VALUE;
      case 3 -> Integer.MIN_VALUE;
      case 4 -> Long.MAX_VALUE;
      case 5 -> Long.MIN_VALUE;
      case 6 -> random.nextInt(100_000);
      default -> random.nextLong();
    };
  }

  private static double extremeFraction(RandomGenerator random) {
    return switch (random.nextInt(6)) {
      case 0 -> Double.NaN;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> -0.0;
      case 3 -> Double.MAX_VALUE;
      case 4 -> -random.nextDouble();
      default -> random.nextDouble() * 10;
    };
  }
}
