package dev.agentmemory.agents.transcript;

import dev.agentmemory.agents.UnrecordedTimes;
import java.nio.file.Path;
import java.time.Instant;

/// A transcript and the place in it up to which it was read.
///
/// @param file a regular file; `TranscriptRoots` decides which may be read
/// @param offset bytes that were read before; 0 reads from the beginning
/// @param state what [TranscriptPart#state] said at that place; empty at the beginning
/// @param mostBytes how many bytes are read at most in one call; the part says whether there are
///   more. A line that is longer is read whole all the same, up to the limit of the format
/// @param read the reader's time: a line without a time gets that of the line before it, or else
///   this one
/// @param unrecorded when nothing was recorded that is not wanted now: what was said then is not
///   kept in the state, and what a tool was called with then not in its event. The part has the
///   events of these times
/// @param paused when nothing was recorded, wanted or not: calls of tools of these times have ids
///   of their own, which do not follow from what the tools were called with
public record TranscriptSource(
    Path file,
    long offset,
    String state,
    long mostBytes,
    Instant read,
    UnrecordedTimes unrecorded,
    UnrecordedTimes paused) {

  /// Bytes of a call that keep memory small and calls few.
  public static final long DEFAULT_BYTES = 4 << 20;

  public TranscriptSource {
    if (offset < 0 || mostBytes < 1) {
      throw new IllegalArgumentException("offset or mostBytes: " + offset + ", " + mostBytes);
    }
  }

  /// The same where nothing is wanted that was not recorded.
  public TranscriptSource(
      Path file,
      long offset,
      String state,
      long mostBytes,
      Instant read,
      UnrecordedTimes unrecorded) {
    this(file, offset, state, mostBytes, read, unrecorded, unrecorded);
  }

  /// The same where everything was recorded.
  public TranscriptSource(Path file, long offset, String state, long mostBytes, Instant read) {
    this(file, offset, state, mostBytes, read, UnrecordedTimes.NONE);
  }

  /// The beginning of a transcript.
  public static TranscriptSource start(Path file, Instant read) {
    return new TranscriptSource(file, 0, "", DEFAULT_BYTES, read);
  }

  /// The place behind a part.
  public TranscriptSource after(TranscriptPart part) {
    return new TranscriptSource(
        file, part.offset(), part.state(), mostBytes, read, unrecorded, paused);
  }
}
