package dev.agentmemory.client.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/// An answer of HTTP.
///
/// @param body empty if there is none
// Passed on as it is and never compared.
@SuppressWarnings("ArrayRecordComponent")
public record HttpAnswer(int status, byte[] body) {

  /// @param all what arrived until the other side closed the connection
  /// @throws ProtocolException when it is no answer of HTTP
  /// @throws IOException when it is not complete
  static HttpAnswer parse(byte[] all) throws IOException {
    int end = indexOf(all, "\r\n\r\n", 0);
    if (end < 0) {
      if (all.length > 0 && all[0] != 'H') {
        throw new ProtocolException("no answer of HTTP");
      }
      throw new IOException("the daemon closed the connection before it answered");
    }
    String[] lines = new String(all, 0, end, StandardCharsets.ISO_8859_1).split("\r\n", -1);
    byte[] rest = Arrays.copyOfRange(all, end + 4, all.length);
    boolean chunked = false;
    int length = -1;
    for (String line : lines) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      } else if (lower.startsWith("content-length:")) {
        length = number(lower.substring("content-length:".length()).strip(), 10);
      }
    }
    String[] status = lines[0].split(" ", 3);
    if (status.length < 2 || !status[0].startsWith("HTTP/1.")) {
      throw new ProtocolException("no answer of HTTP");
    }
    return new HttpAnswer(number(status[1], 10), body(rest, chunked, length));
  }

  private static byte[] body(byte[] rest, boolean chunked, int length) throws IOException {
    if (chunked) {
      return joined(rest);
    }
    if (length > rest.length) {
      throw incomplete();
    }
    return length < 0 ? rest : Arrays.copyOf(rest, length);
  }

  private static byte[] joined(byte[] chunks) throws IOException {
    var body = new ByteArrayOutputStream();
    int at = 0;
    while (true) {
      int end = indexOf(chunks, "\r\n", at);
      if (end < 0) {
        throw incomplete();
      }
      String size = new String(chunks, at, end - at, StandardCharsets.ISO_8859_1);
      int length = number(size.split(";", 2)[0].strip(), 16);
      int start = end + 2;
      if (length == 0) {
        return body.toByteArray();
      }
      if (length < 0 || length > chunks.length - start) {
        throw incomplete();
      }
      body.write(chunks, start, length);
      at = start + length + 2;
    }
  }

  private static IOException incomplete() {
    return new IOException("the daemon closed the connection within its answer");
  }

  private static int number(String text, int radix) throws ProtocolException {
    try {
      return Integer.parseInt(text, radix);
    } catch (NumberFormatException e) {
      throw new ProtocolException("no answer of HTTP: " + text);
    }
  }

  private static int indexOf(byte[] bytes, String wanted, int from) {
    byte[] pattern = wanted.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = from; i <= bytes.length - pattern.length; i++) {
      if (Arrays.equals(bytes, i, i + pattern.length, pattern, 0, pattern.length)) {
        return i;
      }
    }
    return -1;
  }
}
