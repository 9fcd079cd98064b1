package dev.agentmemory.recall.masking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.conversation.SecretMasks;
import dev.agentmemory.recall.injection.InjectionRow;
import dev.agentmemory.recall.internal.record.ContentMask;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.MemoryKeys;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.text.masked.MaskTally;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Masks secrets in the rows of memories, of their former states and of the log of upkeep, of
/// conversations, channels and scratchpads. What stands in a row apart from its texts stays as it
/// is. A memory that changes gets a new checksum and loses its vector, which was computed of what
/// it said before.
public final class RecordMasking {

  private static final Logger LOG = LoggerFactory.getLogger(RecordMasking.class);

  private static final String MEMORY = "memory:";
  private static final String VECTOR = "vector:";
  private static final String PAD = "pad:";
  private static final String TEXT = "text";
  private static final String JSON = "json";
  private static final String CHECKSUM = "checksum";

  private final TextMask rules;
  private final TextMask rulesAndParts;
  private final Predicate<String> ofSecretEvent;
  private final MaskTally memories = new MaskTally();
  private final MaskTally others = new MaskTally();

  /// @param rules masks by the rules
  /// @param rulesAndParts masks parts of the secrets of events, too
  /// @param ofSecretEvent whether the event of an id has secrets
  public RecordMasking(TextMask rules, TextMask rulesAndParts, Predicate<String> ofSecretEvent) {
    this.rules = rules;
    this.rulesAndParts = rulesAndParts;
    this.ofSecretEvent = ofSecretEvent;
  }

  /// How many rows of memories were masked, or would be: memories, former states, and parts of the
  /// log of upkeep.
  public MaskTally memories() {
    return memories;
  }

  /// How many rows of conversations, channels, scratchpads and deletions.
  public MaskTally others() {
    return others;
  }

  /// Masks all rows of a store.
  ///
  /// @param lock of what is written of memories and conversations there
  /// @param commit commits changes; does nothing for a dry run
  public void run(MemoryStore store, Supplier<Mutex.Held> lock, Consumer<List<Change>> commit) {
    for (String prefix :
        List.of(
            MEMORY,
            "history:",
            "run_rows:",
            "conversation:",
            "channel:",
            InjectionRow.KIND,
            PAD,
            "tombstone:")) {
      run(store, lock, commit, prefix);
    }
  }

  private void run(
      MemoryStore store, Supplier<Mutex.Held> lock, Consumer<List<Change>> commit, String prefix) {
    int limit = MemoryKeys.page(prefix);
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      if (Thread.currentThread().isInterrupted()) {
        throw new MemoryException(
            ErrorCode.CLOSED, "the masking of memories was stopped; run it again");
      }
      try (var _ = lock.get()) {
        page = store.records().records(prefix, after, limit);
        List<Change> changes = new ArrayList<>();
        for (StoredRecord row : page) {
          changes.addAll(readable(prefix, row));
        }
        if (!changes.isEmpty()) {
          commit.accept(changes);
        }
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == limit);
  }

  /// A damaged row must not keep the others from being masked.
  private List<Change> readable(String prefix, StoredRecord row) {
    try {
      return masked(prefix, row);
    } catch (MemoryException e) {
      if (e.code() != ErrorCode.INVALID_FIELD) {
        e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      }
      LOG.error(
          "the row {} cannot be read, so its secrets are not masked: {}",
          row.key(),
          e.getMessage());
      return List.of();
    }
  }

  private List<Change> masked(String prefix, StoredRecord row) {
    ObjectNode object = RecordJson.parse(row.value());
    ObjectNode changed = object.deepCopy();
    String key = row.key();
    switch (prefix) {
      case MEMORY -> maskMemory(changed);
      case "history:" -> maskMemory(part(changed, "memory"));
      case "run_rows:" -> maskRun(changed);
      case "conversation:" -> maskConversation(changed);
      case "channel:" -> put(changed, "description", Channel.MAX_DESCRIPTION);
      case InjectionRow.KIND -> put(changed, TEXT, NewInjection.MOST_CHARS);
      case "tombstone:" -> put(changed, "reason", Integer.MAX_VALUE);
      case PAD -> {
        maskValue(changed);
        key = maskedKey(key);
      }
      default -> throw new AssertionError(prefix);
    }
    if (changed.equals(object) && key.equals(row.key())) {
      return List.of();
    }
    boolean ofMemory = Set.of(MEMORY, "history:", "run_rows:").contains(prefix);
    String value = RecordJson.write(changed);
    (ofMemory ? memories : others).add(row.key() + row.value(), key + value);
    List<Change> changes = new ArrayList<>();
    if (!key.equals(row.key())) {
      changes.add(new Change.DropRecord(row.key()));
    }
    changes.add(new Change.PutRecord(new StoredRecord(key, value)));
    if (prefix.equals(MEMORY)) {
      changes.add(new Change.DropRecord(VECTOR + key.substring(MEMORY.length())));
    }
    return changes;
  }

  private static ObjectNode part(ObjectNode object, String field) {
    if (RecordJson.required(object, field) instanceof ObjectNode part) {
      return part;
    }
    throw RecordJson.corrupt("field " + field + " is no object");
  }

  /// A memory whose checksum does not match is masked, and still has one that does not.
  private void maskMemory(ObjectNode memory) {
    boolean intact = memory.path(CHECKSUM).asText().equals(MemoryJson.checksum(memory));
    ObjectNode before = memory.deepCopy();
    boolean ofEvents = false;
    for (JsonNode event : memory.path("evidence_events")) {
      ofEvents |= ofSecretEvent.test(event.asText());
    }
    TextMask mask = ofEvents ? rulesAndParts : rules;
    String text = mask.apply(RecordJson.text(memory, TEXT));
    if (memory.get(JSON) instanceof ObjectNode structure) {
      memory.set(JSON, new ContentMask(mask).structure(structure));
    }
    memory.put(TEXT, fitting(text, Optional.ofNullable(memory.get(JSON)).map(RecordJson::write)));
    String source = mask.apply(RecordJson.text(memory, "source"));
    memory.put("source", source.substring(0, Math.min(source.length(), MemoryDraft.MAX_SOURCE)));
    Set<Tag> tags = new LinkedHashSet<>(RecordJson.list(memory, "tags", Tag::new));
    ArrayNode masked = memory.putArray("tags");
    new ContentMask(mask).tags(tags).stream().sorted().forEach(tag -> masked.add(tag.value()));
    if (intact && !memory.equals(before)) {
      memory.put(CHECKSUM, MemoryJson.checksum(memory));
    }
  }

  /// A mask can be longer than what it stands for, and a memory has a limit.
  private static String fitting(String text, Optional<String> structure) {
    String cut = text;
    while (cut.length() > 1) {
      try {
        return new MemoryContent(cut, structure).text();
      } catch (MemoryException e) {
        int half = cut.length() / 2;
        cut = cut.substring(0, Character.isHighSurrogate(cut.charAt(half - 1)) ? half - 1 : half);
      }
    }
    return cut;
  }

  private void maskRun(ObjectNode run) {
    for (JsonNode node : RecordJson.required(run, "memories")) {
      if (node instanceof ObjectNode logged) {
        boolean changed = maskRow(logged, "memory", /* nested= */ false);
        changed |= maskRow(logged, "after", /* nested= */ false);
        for (JsonNode row : logged.path("history")) {
          if (row instanceof ObjectNode state) {
            changed |= maskRow(state, "value", /* nested= */ true);
          }
        }
        if (changed) {
          logged.remove("vector");
        }
      }
    }
  }

  /// Masks the row of a memory that stands in a field as text.
  ///
  /// @param nested whether it is the row of a former state
  private boolean maskRow(ObjectNode object, String field, boolean nested) {
    if (!object.hasNonNull(field)) {
      return false;
    }
    ObjectNode row = RecordJson.parse(RecordJson.text(object, field));
    ObjectNode before = row.deepCopy();
    maskMemory(nested ? part(row, "memory") : row);
    if (row.equals(before)) {
      return false;
    }
    object.put(field, RecordJson.write(row));
    return true;
  }

  private void maskConversation(ObjectNode row) {
    put(row, "user", ConversationChange.MAX_USER);
    if (row.get("imported") instanceof ObjectNode imported) {
      put(imported, "agent", Integer.MAX_VALUE);
    }
    if (row.get("preferences") instanceof ObjectNode preferences) {
      put(preferences, "language", SessionPreferences.MAX_WORD);
      put(preferences, "verbosity", SessionPreferences.MAX_WORD);
      if (preferences.get("custom") instanceof ObjectNode custom) {
        ObjectNode masked = RecordJson.object();
        custom
            .properties()
            .forEach(entry ->
                masked.put(
                    masks().mask(entry.getKey(), SessionPreferences.MAX_KEY),
                    cut(
                        rules.apply(entry.getKey(), entry.getValue().asText()),
                        SessionPreferences.MAX_VALUE)));
        preferences.set("custom", masked);
      }
    }
  }

  private void maskValue(ObjectNode entry) {
    entry.put("value", masks().maskJson("value", RecordJson.text(entry, "value")));
  }

  /// The key of an entry of a scratchpad, whose name is looked up in its masked form.
  private String maskedKey(String key) {
    int name = key.indexOf('\0') + 1;
    return key.substring(0, name) + rules.apply(key.substring(name));
  }

  private void put(ObjectNode object, String field, int most) {
    RecordJson.optionalText(object, field)
        .ifPresent(text -> object.put(field, masks().mask(text, most)));
  }

  private static String cut(String text, int most) {
    return text.substring(0, Math.min(text.length(), most));
  }

  private SecretMasks masks() {
    return new SecretMasks(rules::apply, rules::apply);
  }
}
