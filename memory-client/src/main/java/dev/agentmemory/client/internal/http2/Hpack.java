package dev.agentmemory.client.internal.http2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Headers in the format of HTTP/2 (RFC 7541), without the dynamic table: this side announces a
/// table of size 0 and writes every header in full.
final class Hpack {

  private static final int NEVER_INDEXED = 0x10;
  private static final int NAME_BITS = 4;
  private static final int LENGTH_BITS = 7;
  private static final int COMPRESSED = 0x80;
  private static final int MOST_SHIFT = 21;

  /// The static table: headers with a number, from 1 on, as `name` or `name value`.
  private static final List<String> NUMBERED =
      """
      :authority
      :method GET
      :method POST
      :path /
      :path /index.html
      :scheme http
      :scheme https
      :status 200
      :status 204
      :status 206
      :status 304
      :status 400
      :status 404
      :status 500
      accept-charset
      accept-encoding gzip, deflate
      accept-language
      accept-ranges
      accept
      access-control-allow-origin
      age
      allow
      authorization
      cache-control
      content-disposition
      content-encoding
      content-language
      content-length
      content-location
      content-range
      content-type
      cookie
      date
      etag
      expect
      expires
      from
      host
      if-match
      if-modified-since
      if-none-match
      if-range
      if-unmodified-since
      last-modified
      link
      location
      max-forwards
      proxy-authenticate
      proxy-authorization
      range
      referer
      refresh
      retry-after
      server
      set-cookie
      strict-transport-security
      transfer-encoding
      user-agent
      vary
      via
      www-authenticate
      """
          .lines()
          .toList();

  private final Huffman huffman = new Huffman();

  /// Headers are marked as never indexed, because one of them is the token.
  static byte[] encode(List<HeaderField> fields) {
    var out = new ByteArrayOutputStream();
    for (HeaderField field : fields) {
      out.write(NEVER_INDEXED);
      string(out, field.name());
      string(out, field.value());
    }
    return out.toByteArray();
  }

  private static void string(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    int most = (1 << LENGTH_BITS) - 1;
    if (bytes.length < most) {
      out.write(bytes.length);
    } else {
      out.write(most);
      int rest = bytes.length - most;
      for (; rest >= 0x80; rest >>>= 7) {
        out.write((rest & 0x7f) | 0x80);
      }
      out.write(rest);
    }
    out.writeBytes(bytes);
  }

  /// @throws IOException when the bytes are not valid headers
  List<HeaderField> decode(byte[] block) throws IOException {
    var reader = new Reader(block);
    var fields = new ArrayList<HeaderField>();
    while (reader.at < block.length) {
      int first = block[reader.at] & 0xff;
      if (first >= 0x80) {
        fields.add(numbered(reader.number(7)));
      } else if (first >= 0x40) {
        fields.add(reader.field(6));
      } else if (first >= 0x20) {
        // An update of the size of the dynamic table, which is not used here.
        var _ = reader.number(5);
      } else {
        fields.add(reader.field(NAME_BITS));
      }
    }
    return fields;
  }

  private static HeaderField numbered(int number) throws IOException {
    if (number < 1 || number > NUMBERED.size()) {
      throw new IOException("invalid header index " + number + " (not in the table)");
    }
    String field = NUMBERED.get(number - 1);
    int gap = field.indexOf(' ');
    return gap < 0
        ? new HeaderField(field, "")
        : new HeaderField(field.substring(0, gap), field.substring(gap + 1));
  }

  private final class Reader {

    private final byte[] block;
    private int at;

    Reader(byte[] block) {
      this.block = block;
    }

    HeaderField field(int bits) throws IOException {
      int number = number(bits);
      String name = number == 0 ? string() : numbered(number).name();
      return new HeaderField(name, string());
    }

    private String string() throws IOException {
      boolean compressed = at < block.length && (block[at] & COMPRESSED) != 0;
      int length = number(LENGTH_BITS);
      if (length > block.length - at) {
        throw new IOException("truncated header");
      }
      int from = at;
      at += length;
      return compressed
          ? huffman.decode(block, from, at)
          : new String(block, from, length, StandardCharsets.ISO_8859_1);
    }

    int number(int bits) throws IOException {
      int most = (1 << bits) - 1;
      int value = next() & most;
      if (value < most) {
        return value;
      }
      for (int shift = 0; shift <= MOST_SHIFT; shift += 7) {
        int part = next();
        value += (part & 0x7f) << shift;
        if (part < 0x80) {
          return value;
        }
      }
      throw new IOException("integer in a header is too large");
    }

    private int next() throws IOException {
      if (at == block.length) {
        throw new IOException("truncated header");
      }
      return block[at++] & 0xff;
    }
  }
}
