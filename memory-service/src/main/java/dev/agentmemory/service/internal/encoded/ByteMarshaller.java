package dev.agentmemory.service.internal.encoded;

import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// Messages that are encoded already.
enum ByteMarshaller implements MethodDescriptor.Marshaller<byte[]> {
  ONE;

  @Override
  public InputStream stream(byte[] message) {
    return new ByteArrayInputStream(message);
  }

  @Override
  public byte[] parse(InputStream stream) {
    try {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a message of this process", e);
    }
  }
}
