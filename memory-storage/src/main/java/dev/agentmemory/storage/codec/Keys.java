package dev.agentmemory.storage.codec;

import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/// Keys as bytes. The order of the bytes is the order of the keys' values, so every range read is
/// one seek and a scan. Numbers are decimal with leading zeros, so a dump is readable.
///
/// ```
/// events         evt:{ts:013}:{ulid}                      44 bytes
/// sessions       ses:{session}\0{place}                   the events of a session in order
/// event_ids      {ulid}                                   only where the ULID's time is not ts
/// conversations  {session}
/// toc_nodes      {node_id}:v{n:06}
/// toc_latest     latest:{node_id}
/// toc_dirty      {node_id}
/// toc_upgrades   {node_id}
/// segments       seg:{ulid}                               the segment
///                idx:{session}\0{place}                   its start, no value
///                open:{ts:013}:{ulid}                     its last event's time; while it is open
/// grips          grip:{ts:013}:{ulid}                     the grip
///                node:{node_id}:{grip_id}                 no value
/// outbox         outbox:{seq:020}
/// dead_letters   dead:{consumer}\0{seq:020}
/// checkpoints    checkpoint:{name}
/// usage          call:{ts:013}:{ulid}
/// records        {key}                                    as the module that owns it chose it
///                erased:{digest}                          of an erased event
/// meta           store, counters
///
/// place          {ts:013}~{position:010}:{ulid}           of an event with a position
///                {ts:013}:{ulid}                          of one without: `:` sorts before `~`
/// ```
///
/// A session id contains no control characters, so the \0 after it sorts before every longer id. In
/// a store that several workspaces share a ULID is followed by `@` and the workspace's name, at
/// most 65 bytes. The order stays that of time and ULID.
public final class Keys {

  public static final byte[] STORE = ascii("store");
  public static final byte[] COUNTERS = ascii("counters");

  private static final int MILLIS_DIGITS = 13;

  /// How many digits a position has.
  static final int POSITION_DIGITS = 10;

  /// The length of `{ts:013}:{ulid}`; a key may be longer.
  private static final int PLACE_LENGTH = MILLIS_DIGITS + 1 + EventId.LENGTH;

  /// Separates timestamp and position. The `:` between timestamp and ULID sorts before it, so
  /// events without a position come first, as position 0 does.
  private static final byte POSITION_MARK = '~';

  /// The length of `2026-01-30`.
  private static final int DATE_LENGTH = 10;

  public static final int LAST_VERSION = 999_999;

  private static final byte[] EVENT = ascii("evt:");
  private static final byte[] SESSION = ascii("ses:");
  private static final byte[] SEGMENT_INDEX = ascii("idx:");
  private static final byte[] OPEN = ascii("open:");
  private static final byte[] CALL = ascii("call:");
  private static final byte[] OUTBOX = ascii("outbox:");

  private Keys() {}

  public static byte[] event(EventKey key) {
    return event(key.timestamp().toEpochMilli(), key.id());
  }

  public static byte[] event(long millis, EventId id) {
    return ofTime(EVENT, millis, id);
  }

  /// Whether the time in the id can be the timestamp of an event. If not, the key of the event does
  /// not follow from its id.
  public static boolean hasNaturalKey(EventId id) {
    return id.embeddedTime().toEpochMilli() <= EventKey.LAST_MILLIS;
  }

  public static boolean isNatural(EventKey key) {
    return key.timestamp().toEpochMilli() == key.id().embeddedTime().toEpochMilli();
  }

  public static byte[] eventsFrom(Instant time) {
    return concat(EVENT, millis(clamped(time)));
  }

  /// The exclusive end of the events before a time.
  public static byte[] eventsTo(Instant time) {
    boolean beyond = time.isAfter(Instant.ofEpochMilli(EventKey.LAST_MILLIS));
    return beyond ? after(EVENT) : eventsFrom(time);
  }

  /// The event key from a key of `events`, which does not contain the position.
  public static EventKey toEvent(byte[] key) {
    return toPlace(key, EVENT.length);
  }

  public static byte[] sessionPrefix(SessionId session) {
    return concat(SESSION, utf8(session.value()), new byte[1]);
  }

  public static byte[] sessionEvent(Event event) {
    return sessionEvent(event.session(), event.key());
  }

  public static byte[] sessionEvent(SessionId session, EventKey key) {
    return ofSession(SESSION, session, key);
  }

  /// Replaces the position in the key of an event in `sessions`.
  ///
  /// @param key with a position
  static void writePosition(long position, byte[] key, EventId id) {
    int fromEnd = POSITION_DIGITS + 1 + id.value().length();
    writeDigits(position, key, key.length - fromEnd, POSITION_DIGITS);
  }

  /// The event key at the end of a key of `sessions` or of a segment's index row.
  public static EventKey toPlaceAtEnd(byte[] key) {
    return toPlace(key, key.length - lengthOfPlaceAtEnd(key));
  }

  /// Without a workspace the length of the event key is fixed. With one the event key begins after
  /// the \0 of its session or, when there is none, after the colon of `open:`.
  private static int lengthOfPlaceAtEnd(byte[] key) {
    int start = key.length - PLACE_LENGTH;
    while (start > 0 && key[start - 1] != 0) {
      start--;
    }
    return key.length - (start > 0 ? start : startsWith(key, OPEN) ? OPEN.length : 0);
  }

  /// The session inside a key of `sessions`, `idx:` rows included.
  public static SessionId toSession(byte[] key) {
    int length = key.length - lengthOfPlaceAtEnd(key) - 1 - SESSION.length;
    return new SessionId(new String(key, SESSION.length, length, StandardCharsets.UTF_8));
  }

  public static byte[] eventId(EventId id) {
    return ascii(id.value());
  }

  public static byte[] conversation(SessionId session) {
    return utf8(session.value());
  }

  public static byte[] node(NodeId id, int version) {
    return concat(nodePrefix(id), digits(version, 6));
  }

  public static byte[] nodePrefix(NodeId id) {
    return ascii(id.value() + ":v");
  }

  /// The prefix of the versions of segments that start on a day.
  public static byte[] segmentsOf(NodeId day) {
    int date = "toc:day:".length();
    return ascii("toc:segment:" + day.value().substring(date, date + DATE_LENGTH) + ":");
  }

  public static NodeId toNodeOfVersion(byte[] key) {
    String text = text(key);
    return toNode(text.substring(0, text.length() - ":v000000".length()));
  }

  public static int toVersion(byte[] key) {
    return (int) number(key, key.length - 6, 6);
  }

  public static byte[] latest(NodeId id) {
    return ascii("latest:" + id.value());
  }

  public static byte[] latestPrefix(TocLevel level) {
    return ascii("latest:" + level(level));
  }

  public static NodeId toLatest(byte[] key) {
    return toNode(text(key).substring("latest:".length()));
  }

  /// The key of a mark on a node, in `toc_dirty` and in `toc_upgrades`.
  public static byte[] mark(NodeId id) {
    return ascii(id.value());
  }

  public static byte[] markPrefix(TocLevel level) {
    return ascii(level(level));
  }

  public static NodeId toMarked(byte[] key) {
    return toNode(text(key));
  }

  public static byte[] segment(SegmentId id) {
    return ascii(id.value());
  }

  public static byte[] segmentPrefix() {
    return ascii("seg:");
  }

  public static byte[] segmentIndexPrefix() {
    return SEGMENT_INDEX.clone();
  }

  public static byte[] segmentIndexPrefix(SessionId session) {
    return concat(SEGMENT_INDEX, utf8(session.value()), new byte[1]);
  }

  public static byte[] segmentIndex(SessionId session, EventKey start) {
    return ofSession(SEGMENT_INDEX, session, start);
  }

  public static byte[] openPrefix() {
    return OPEN.clone();
  }

  /// The exclusive end of the open segments whose last event is at or before a time.
  public static byte[] openBehind(Instant time) {
    long millis = clamped(time);
    return millis == EventKey.LAST_MILLIS ? after(OPEN) : concat(OPEN, millis(millis + 1));
  }

  public static byte[] open(Segment segment) {
    return open(segment.end().toEpochMilli(), segment.id());
  }

  public static byte[] open(long lastMillis, SegmentId id) {
    return ofTime(OPEN, lastMillis, id.firstEvent());
  }

  public static byte[] grip(GripId id) {
    return ascii(id.value());
  }

  public static byte[] gripPrefix() {
    return ascii("grip:");
  }

  public static byte[] nodeGripPrefix(NodeId node) {
    return ascii("node:" + node.value() + ":");
  }

  public static byte[] nodeGrip(NodeId node, GripId grip) {
    return ascii("node:" + node.value() + ":" + grip.value());
  }

  public static byte[] nodeGripsPrefix() {
    return ascii("node:");
  }

  public static NodeId toNodeOfGrip(byte[] key) {
    String text = text(key);
    return toNode(text.substring("node:".length(), text.indexOf(":grip:")));
  }

  public static GripId toGripOfNode(byte[] key) {
    String text = text(key);
    return new GripId(text.substring(text.indexOf(":grip:") + 1));
  }

  public static byte[] outbox(long sequence) {
    return concat(OUTBOX, digits(sequence, 20));
  }

  public static long toSequence(byte[] key) {
    return number(key, key.length - 20, 20);
  }

  public static byte[] deadLetter(String consumer, long sequence) {
    return concat(ascii("dead:"), utf8(consumer), new byte[1], digits(sequence, 20));
  }

  /// @throws MemoryException `INVALID_FIELD` for a text that cannot be the key of a record
  public static byte[] record(String key) {
    StoredRecord.checkKey("key", key);
    return utf8(key);
  }

  public static byte[] recordPrefix(String prefix) {
    return utf8(prefix);
  }

  /// The prefix of the rows of `records` with digests of erased events.
  public static byte[] erasedPrefix() {
    return ascii(ErasedContent.ROWS);
  }

  public static byte[] erased(String digest) {
    return ascii(ErasedContent.ROWS + digest);
  }

  /// The digest in such a key.
  public static String toErased(byte[] key) {
    return text(key).substring(ErasedContent.ROWS.length());
  }

  public static byte[] checkpoint(String name) {
    return utf8("checkpoint:" + name);
  }

  public static byte[] call(ModelCall call) {
    return concat(CALL, millis(call.time().toEpochMilli()), ascii(":" + call.id()));
  }

  public static byte[] callsFrom(Instant time) {
    return concat(CALL, millis(clamped(time)));
  }

  /// The exclusive end of the calls before a time.
  public static byte[] callsTo(Instant time) {
    boolean beyond = time.isAfter(Instant.ofEpochMilli(EventKey.LAST_MILLIS));
    return beyond ? after(CALL) : callsFrom(time);
  }

  /// The smallest key after all keys with this prefix. The prefix does not end in `0xFF`, which no
  /// UTF-8 contains. After the empty prefix it is a key that is greater than every text.
  public static byte[] after(byte[] prefix) {
    if (prefix.length == 0) {
      return new byte[] {(byte) 0xFF};
    }
    byte[] next = prefix.clone();
    next[next.length - 1]++;
    return next;
  }

  /// The smallest key after this one.
  public static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  public static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  public static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /// `{prefix}{session}\0{place}`. Written for every event, so it fills one array directly.
  private static byte[] ofSession(byte[] prefix, SessionId session, EventKey key) {
    byte[] name = utf8(session.value());
    byte[] id = ascii(key.id().value());
    boolean placed = key.position() > 0;
    int millisAt = prefix.length + name.length + 1;
    int idAt = millisAt + MILLIS_DIGITS + 1 + (placed ? POSITION_DIGITS + 1 : 0);
    byte[] all = Arrays.copyOf(prefix, idAt + id.length);
    System.arraycopy(name, 0, all, prefix.length, name.length);
    writeMillis(key.timestamp().toEpochMilli(), all, millisAt);
    if (placed) {
      all[millisAt + MILLIS_DIGITS] = POSITION_MARK;
      writeDigits(key.position(), all, millisAt + MILLIS_DIGITS + 1, POSITION_DIGITS);
    }
    all[idAt - 1] = ':';
    System.arraycopy(id, 0, all, idAt, id.length);
    return all;
  }

  /// `{prefix}{ts:013}:{ulid}`.
  private static byte[] ofTime(byte[] prefix, long millis, EventId id) {
    byte[] text = ascii(id.value());
    int idAt = prefix.length + MILLIS_DIGITS + 1;
    byte[] all = Arrays.copyOf(prefix, idAt + text.length);
    writeMillis(millis, all, prefix.length);
    all[idAt - 1] = ':';
    System.arraycopy(text, 0, all, idAt, text.length);
    return all;
  }

  private static EventKey toPlace(byte[] key, int offset) {
    if (offset < 0 || key.length < offset + PLACE_LENGTH) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, "no key of an event: " + text(key));
    }
    long millis = number(key, offset, MILLIS_DIGITS);
    int next = offset + MILLIS_DIGITS + 1;
    boolean placed = key[next - 1] == POSITION_MARK;
    long position = placed ? number(key, next, POSITION_DIGITS) : 0;
    int start = placed ? next + POSITION_DIGITS + 1 : next;
    var id = new String(key, start, key.length - start, StandardCharsets.ISO_8859_1);
    try {
      return new EventKey(Instant.ofEpochMilli(millis), position, new EventId(id));
    } catch (IllegalArgumentException e) {
      throw new MemoryException(ErrorCode.CORRUPT_RECORD, "no key of an event: " + text(key), e);
    }
  }

  private static byte[] millis(long millis) {
    byte[] digits = new byte[MILLIS_DIGITS];
    writeMillis(millis, digits, 0);
    return digits;
  }

  private static void writeMillis(long millis, byte[] into, int at) {
    if (millis > EventKey.LAST_MILLIS) {
      throw MemoryException.invalid("event.timestamp", "is after the year 2286");
    }
    writeDigits(millis, into, at, MILLIS_DIGITS);
  }

  private static long clamped(Instant time) {
    if (time.isBefore(Instant.EPOCH)) {
      return 0;
    }
    Instant last = Instant.ofEpochMilli(EventKey.LAST_MILLIS);
    return time.isAfter(last) ? EventKey.LAST_MILLIS : time.toEpochMilli();
  }

  private static byte[] digits(long number, int width) {
    byte[] digits = new byte[width];
    writeDigits(number, digits, 0, width);
    return digits;
  }

  /// Writes a number with leading zeros.
  static void writeDigits(long number, byte[] into, int at, int width) {
    long rest = number;
    for (int i = at + width - 1; i >= at; i--) {
      into[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  private static long number(byte[] key, int offset, int width) {
    long number = 0;
    for (int i = offset; i < offset + width; i++) {
      number = number * 10 + (key[i] - '0');
    }
    return number;
  }

  private static NodeId toNode(String text) {
    return NodeId.parse(text)
        .orElseThrow(
            () -> new MemoryException(ErrorCode.CORRUPT_RECORD, "no id of a node: " + text));
  }

  private static String level(TocLevel level) {
    return "toc:" + level.name().toLowerCase(Locale.ROOT) + ":";
  }

  private static byte[] concat(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
