package dev.agentmemory.types;

/// What went wrong, as a caller can act on it. The [Kind] decides the gRPC status and the exit
/// code; the code itself travels as a detail.
public enum ErrorCode {
  /// A field of the request has no usable value; the exception names the field.
  INVALID_FIELD(Kind.CALLER),
  /// The paging token was not made by this daemon, or belongs to another request.
  INVALID_TOKEN(Kind.CALLER),
  /// The request carries no token, or a wrong one.
  UNAUTHENTICATED(Kind.CALLER),
  /// The token of the request does not allow it.
  FORBIDDEN(Kind.CALLER),
  /// The named thing does not exist.
  NOT_FOUND(Kind.MISSING),
  /// The event id is known with other content.
  EVENT_CONFLICT(Kind.CONFLICT),
  /// Another process uses the directory, or the stored state does not allow the request.
  CONFLICT(Kind.CONFLICT),
  /// The state of the thing does not allow the transition that the request names.
  ILLEGAL_TRANSITION(Kind.CONFLICT),
  /// What is to be written exceeds a quota or a cap; the message has the figures.
  QUOTA_EXCEEDED(Kind.BUSY),
  /// A bounded queue is full; the same request can succeed later.
  QUEUE_FULL(Kind.BUSY),
  /// The disk has too little free space; the same request succeeds once there is enough.
  DISK_FULL(Kind.BUSY),
  /// The store is closed or closing.
  CLOSED(Kind.UNAVAILABLE),
  /// The disk or the engine refused; nothing of the request was acknowledged.
  STORAGE_FAILED(Kind.UNAVAILABLE),
  /// Another daemon has taken the workspace over; the same request can succeed there.
  NOT_OWNER(Kind.UNAVAILABLE),
  /// The workspace of the call cannot be opened; others can be used.
  WORKSPACE_UNUSABLE(Kind.UNAVAILABLE),
  /// The language model cannot be asked now, or must not be.
  MODEL_UNAVAILABLE(Kind.UNAVAILABLE),
  /// The daemon did not answer.
  UNREACHABLE(Kind.UNAVAILABLE),
  /// A stored record cannot be read.
  CORRUPT_RECORD(Kind.CORRUPT),
  /// Files of the store are missing, damaged or shorter than they were; it stays closed, and
  /// unchanged, until it is restored or recovered.
  STORE_DAMAGED(Kind.CORRUPT),
  /// The directory was written by a newer version of the program, or by another program.
  UNSUPPORTED_FORMAT(Kind.CONFLICT),
  /// A defect of the program.
  INTERNAL(Kind.BUG);

  /// Who can do what about an error.
  public enum Kind {
    /// The caller must change the request.
    CALLER,
    /// What was asked for does not exist.
    MISSING,
    /// The request contradicts what is stored.
    CONFLICT,
    /// Try again later; the daemon is healthy.
    BUSY,
    /// The daemon cannot serve now.
    UNAVAILABLE,
    /// Stored data is damaged.
    CORRUPT,
    /// A defect of the program.
    BUG
  }

  private final Kind kind;

  ErrorCode(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
