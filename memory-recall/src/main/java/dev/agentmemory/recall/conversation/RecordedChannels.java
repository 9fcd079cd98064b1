package dev.agentmemory.recall.conversation;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.Channels;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.recall.conversation.ChannelRows.Place;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Channels in records, together with those that sessions or memories name.
///
/// Idea: sessions keep the name that their events have. [ChannelHistory] tells which channel that
/// is today, so neither a rename nor a new default changes anything of a session.
public final class RecordedChannels implements Channels {

  private static final int MOST = 1000;

  private final ConversationContext context;
  private final ConversationIndex index;
  private final ChannelUsers users;
  private final SecretMasks masks;
  private final ChannelRows rows;

  public RecordedChannels(
      ConversationContext context, ConversationIndex index, ConversationPorts ports) {
    this.context = context;
    this.index = index;
    this.users = ports.users();
    this.masks = ports.masks();
    this.rows = new ChannelRows(context);
  }

  @Override
  public List<Channel> list() {
    if (!context.owner().all()) {
      context.complete(this::resume);
      context.complete(this::recordDefault);
    }
    Map<Place, ChannelRows.Row> found = new TreeMap<>(rows.all());
    if (!context.owner().all()) {
      // It could not be recorded if the store cannot be written.
      found.putIfAbsent(
          new Place(rows.history().presentDefault(), context.owner().prefix()),
          new ChannelRows.Row("", context.now()));
    }
    unrecorded()
        .forEach((place, created) -> {
          if (found.size() < MOST) {
            found.putIfAbsent(place, new ChannelRows.Row("", created));
          }
        });
    return found.entrySet().stream()
        .limit(MOST)
        .map(entry -> channel(entry.getKey(), entry.getValue()))
        .toList();
  }

  /// The channels of some names that are there, by name. Sessions and memories are looked through
  /// only for names that are not recorded.
  public List<Channel> list(Set<ChannelName> names) {
    List<Channel> recorded =
        names.stream()
            .sorted()
            .flatMap(name -> rows.row(name).map(row -> channel(name, row)).stream())
            .toList();
    return recorded.size() == names.size()
        ? recorded
        : list().stream().filter(channel -> names.contains(channel.name())).toList();
  }

  /// Channels that sessions or memories name, recorded or not.
  private Map<Place, Instant> unrecorded() {
    Map<Place, Instant> named = new TreeMap<>(index.channelsInUse());
    ChannelHistory history = rows.history();
    users
        .channels()
        .forEach((name, created) ->
            named.merge(
                new Place(history.resolve(name, context.now()), context.owner().prefix()),
                created,
                (one, other) -> one.isBefore(other) ? one : other));
    return named;
  }

  /// Whether there is a channel, recorded or not.
  public boolean exists(ChannelName name) {
    return find(name).isPresent();
  }

  private Optional<ChannelRows.Row> find(ChannelName name) {
    return rows.row(name)
        .or(() ->
            Optional.ofNullable(unrecorded().get(new Place(name, context.owner().prefix())))
                .map(created -> new ChannelRows.Row("", created)))
        .or(() ->
            rows.history().presentDefault().equals(name)
                ? Optional.of(new ChannelRows.Row("", context.now()))
                : Optional.empty());
  }

  @Override
  public Channel create(ChannelName name, String description) {
    context.owner().checkWritable();
    Instant now = context.now();
    var row = new ChannelRows.Row(masked(new Channel(name, description, false, now)), now);
    try (var _ = context.mutex().hold()) {
      resume();
      recordDefault();
      if (rows.row(name).isPresent()) {
        throw taken(name);
      }
      record(name, row);
      return channel(name, row);
    }
  }

  /// Records a channel of an export, unless it is recorded. It becomes the default one if it was,
  /// and none was chosen here.
  ///
  /// @return whether something changed
  /// @throws MemoryException like [#create]; `CONFLICT` when it was renamed here
  public boolean restore(Channel exported) {
    context.owner().checkWritable();
    var row = new ChannelRows.Row(masked(exported), exported.created());
    try (var _ = context.mutex().hold()) {
      boolean isNew = rows.row(exported.name()).isEmpty() && !isInUse(exported);
      if (isNew) {
        checkRenamed(exported.name());
        record(exported.name(), row);
      }
      ChannelHistory history = rows.history();
      boolean chosen =
          exported.isDefault()
              && history.equals(ChannelHistory.START)
              && !history.presentDefault().equals(exported.name());
      if (chosen) {
        context.commit(List.of(rows.put(history.withDefault(exported.name(), context.now()))));
      }
      return isNew || chosen;
    }
  }

  /// How many records of channels cannot be read.
  public long unreadable() {
    return rows.count() - rows.all().size();
  }

  private void checkRenamed(ChannelName name) {
    ChannelName present = rows.history().resolve(name, context.now());
    if (!present.equals(name)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "channel %s was renamed to %s here; create it first if it is another one"
              .formatted(name, present));
    }
  }

  /// Whether a channel is recorded with the description of an export.
  public boolean isKnown(Channel exported) {
    String description = masked(exported);
    return rows.row(exported.name())
            .filter(row -> row.description().equals(description))
            .isPresent()
        || isInUse(exported);
  }

  /// Whether an export has a channel as it follows from sessions and memories here, so that it need
  /// not be recorded.
  private boolean isInUse(Channel exported) {
    var place = new Place(exported.name(), context.owner().prefix());
    return exported.description().isEmpty() && exported.created().equals(unrecorded().get(place));
  }

  private void record(ChannelName name, ChannelRows.Row row) {
    if (rows.count() >= MOST) {
      throw new MemoryException(
          ErrorCode.QUOTA_EXCEEDED,
          "there are %d channels, which is the limit; use one of them".formatted(MOST));
    }
    context.commit(
        List.of(rows.put(name, row), rows.put(rows.history().withTaken(name, context.now()))));
  }

  @Override
  public Channel change(ChannelName name, ChannelChange change) {
    context.owner().checkWritable();
    try (var _ = context.mutex().hold()) {
      resume();
      ChannelRows.Row before = find(name).orElseThrow(() -> missing(name));
      var row =
          new ChannelRows.Row(
              change
                  .description()
                  .map(text -> masked(new Channel(name, text, false, before.created())))
                  .orElse(before.description()),
              before.created());
      Optional<ChannelName> other = change.newName().filter(one -> !one.equals(name));
      if (other.isPresent()) {
        rename(name, other.get(), row);
      } else {
        context.commit(List.of(rows.put(name, row)));
      }
      return channel(other.orElse(name), row);
    }
  }

  /// The rename holds from the first commit on. Memories follow in as many commits as they need.
  private void rename(ChannelName from, ChannelName to, ChannelRows.Row row) {
    if (exists(to)) {
      throw taken(to);
    }
    ChannelHistory history = rows.history();
    if (history.renames().size() >= ChannelHistory.MOST) {
      throw new MemoryException(
          ErrorCode.QUOTA_EXCEEDED,
          "channels were renamed %d times, which is the limit; create a channel instead"
              .formatted(ChannelHistory.MOST));
    }
    context.commit(
        List.of(
            rows.drop(from),
            rows.put(to, row),
            rows.put(history.withRename(from, to, context.now()))));
    resume();
  }

  /// Moves the memories of channels that were renamed, if the process ended before that was done.
  /// All other methods begin with it; memories are to be read after it, too.
  public void resume() {
    context.owner().checkWritable();
    if (pending().isEmpty()) {
      return;
    }
    try (var _ = context.mutex().hold()) {
      List<ChannelHistory.Rename> pending = pending();
      pending.forEach(rename -> users.rename(rename.from(), rename.to()));
      if (!pending.isEmpty()) {
        context.commit(List.of(rows.put(rows.history().withoutPending())));
      }
    }
  }

  private List<ChannelHistory.Rename> pending() {
    return rows.history().renames().stream().filter(ChannelHistory.Rename::pending).toList();
  }

  @Override
  public Channel makeDefault(ChannelName name) {
    context.owner().checkWritable();
    try (var _ = context.mutex().hold()) {
      resume();
      recordDefault();
      ChannelRows.Row row = find(name).orElseThrow(() -> missing(name));
      context.commit(
          List.of(rows.put(name, row), rows.put(rows.history().withDefault(name, context.now()))));
      return channel(name, row);
    }
  }

  /// Records the default channel when it is used for the first time.
  private void recordDefault() {
    if (rows.row(rows.history().presentDefault()).isPresent()) {
      return;
    }
    try (var _ = context.mutex().hold()) {
      ChannelName name = rows.history().presentDefault();
      context.commit(List.of(rows.put(name, find(name).orElseThrow())));
    }
  }

  private Channel channel(ChannelName name, ChannelRows.Row row) {
    return channel(new Place(name, context.owner().prefix()), row);
  }

  private Channel channel(Place place, ChannelRows.Row row) {
    return new Channel(
        place.name(),
        row.description(),
        rows.history(place.prefix()).presentDefault().equals(place.name()),
        row.created(),
        context.owner().all() ? RecordOwner.workspace(place.prefix()) : Optional.empty());
  }

  private String masked(Channel channel) {
    return masks.mask(channel.description(), Channel.MAX_DESCRIPTION);
  }

  private static MemoryException taken(ChannelName name) {
    return new MemoryException(
        ErrorCode.CONFLICT, "there is a channel %s already; choose another name".formatted(name));
  }

  private MemoryException missing(ChannelName name) {
    ChannelName present = rows.history().resolve(name, context.now());
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        present.equals(name)
            ? "there is no channel " + name
            : "there is no channel %s any more; it was renamed to %s".formatted(name, present));
  }
}
