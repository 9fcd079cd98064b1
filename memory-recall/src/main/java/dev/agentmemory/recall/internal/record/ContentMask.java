package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.types.MemoryException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Brings what a caller sends into the form in which it is stored: without secrets, as valid
/// Unicode, and structures with sorted names.
public final class ContentMask {

  /// Stands for a tag that contains a secret. A mask itself is no tag.
  private static final Tag MASKED = new Tag("masked");

  /// Levels of a structure. A row and its history wrap it, and have to be readable again.
  private static final int MAX_LEVELS = 100;

  private final TextMask mask;

  public ContentMask(TextMask mask) {
    this.mask = mask;
  }

  /// @param path of the fields, such as `memories[2].`; empty for the request itself
  /// @throws MemoryException `INVALID_FIELD`
  public MemoryContent content(String path, MemoryContent content) {
    String text = text(path + "content", content.text());
    Optional<String> json = content.json().map(structure -> json(path, structure));
    try {
      return new MemoryContent(text, json);
    } catch (MemoryException e) {
      // A mask can be longer than what it stands for.
      throw MemoryException.invalid(path + "content", "is too large when its secrets are masked");
    }
  }

  /// @throws MemoryException `INVALID_FIELD`
  public String text(String field, String text) {
    if (Utf8.isBroken(text)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    return mask.apply(text);
  }

  public Set<Tag> tags(Set<Tag> tags) {
    return tags.stream()
        .map(tag -> isSecret(tag) ? MASKED : tag)
        .collect(Collectors.toUnmodifiableSet());
  }

  /// Capitals of a tag were made small, and some secrets consist of capitals.
  private boolean isSecret(Tag tag) {
    String capitals = tag.value().toUpperCase(Locale.ROOT);
    return !mask.apply(tag.value()).equals(tag.value()) || !mask.apply(capitals).equals(capitals);
  }

  private String json(String path, String structure) {
    String field = path + "content_json";
    ObjectNode object =
        RecordJson.find(structure)
            .orElseThrow(() ->
                MemoryException.invalid(
                    field, "is not a JSON object; send one, without repeated names"));
    if (levels(object) > MAX_LEVELS) {
      throw MemoryException.invalid(
          field, "has more than %d levels; send it as text".formatted(MAX_LEVELS));
    }
    String masked = RecordJson.write(masked("", object));
    if (Utf8.isBroken(masked)) {
      throw MemoryException.invalid(field, "holds half a surrogate pair; send valid Unicode");
    }
    try {
      var _ = CanonicalJson.of(object);
    } catch (IllegalArgumentException e) {
      throw MemoryException.invalid(field, e.getMessage() + "; send it as text");
    }
    return masked;
  }

  private static int levels(JsonNode value) {
    int below = 0;
    for (JsonNode element : value) {
      below = Math.max(below, levels(element));
    }
    return value.isContainerNode() ? below + 1 : 0;
  }

  /// A structure that was stored, without secrets.
  public ObjectNode structure(ObjectNode stored) {
    ObjectNode masked = maskedObject(stored);
    return masked.equals(stored) ? stored : masked;
  }

  /// @param name of the value; an element of an array has that of the array
  private JsonNode masked(String name, JsonNode value) {
    if (value.isTextual()) {
      return TextNode.valueOf(mask.apply(name, value.textValue()));
    }
    if (value.isNumber()) {
      String written = value.asText();
      String changed = mask.apply(name, written);
      return changed.equals(written) ? value : TextNode.valueOf(changed);
    }
    if (value.isArray()) {
      ArrayNode elements = RecordJson.object().putArray(name);
      value.forEach(element -> elements.add(masked(name, element)));
      return elements;
    }
    return value.isObject() ? maskedObject(value) : value;
  }

  private ObjectNode maskedObject(JsonNode value) {
    Map<String, JsonNode> sorted = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      sorted.put(mask.apply(field.getKey()), masked(field.getKey(), field.getValue()));
    }
    return RecordJson.object().setAll(sorted);
  }

  /// What a word index needs of a memory: its text, and the texts of its structure.
  public static String words(MemoryContent content) {
    StringBuilder words = new StringBuilder(content.text());
    content.json().flatMap(RecordJson::find).ifPresent(object -> addTexts(object, words));
    return words.toString();
  }

  private static void addTexts(JsonNode value, StringBuilder words) {
    if (value.isTextual()) {
      words.append('\n').append(value.textValue());
    }
    value.forEach(element -> addTexts(element, words));
  }
}
