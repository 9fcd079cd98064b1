package dev.agentmemory.testkit.bytes;

/// Receives what is decoded of a file.
interface Decoded {

  /// Bytes as they were before they were written to the file.
  ///
  /// @param kind what they are, such as `row`
  /// @param place where they are in the file
  void bytes(String kind, String place, byte[] bytes);

  /// A part that could not be decoded.
  void unread(String why);
}
