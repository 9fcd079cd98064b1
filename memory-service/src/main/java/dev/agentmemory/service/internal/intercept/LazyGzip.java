package dev.agentmemory.service.internal.intercept;

import io.grpc.Decompressor;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/// gzip that is looked at when the message is parsed, where [StrictRequests] refuses what cannot be
/// read. gRPC's own one reads the header before, outside of what an interceptor sees, and the call
/// ends with an internal error.
public final class LazyGzip implements Decompressor {

  @Override
  public String getMessageEncoding() {
    return "gzip";
  }

  @Override
  public InputStream decompress(InputStream compressed) {
    return new Opening(compressed);
  }

  private static final class Opening extends InputStream {

    private final InputStream compressed;
    private @Nullable InputStream opened;

    Opening(InputStream compressed) {
      this.compressed = compressed;
    }

    private InputStream opened() throws IOException {
      InputStream stream = opened == null ? new GZIPInputStream(compressed) : opened;
      opened = stream;
      return stream;
    }

    @Override
    public int read() throws IOException {
      return opened().read();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return opened().read(into, offset, length);
    }

    @Override
    public void close() throws IOException {
      compressed.close();
    }
  }
}
