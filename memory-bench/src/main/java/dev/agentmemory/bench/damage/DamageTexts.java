package dev.agentmemory.bench.damage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Distinguishes reports of damage from other texts.
final class DamageTexts {

  private static final ObjectMapper JSON = new ObjectMapper();

  /// Words that occur in reports of lost data.
  private static final Pattern WORDS =
      Pattern.compile(
          "damag|corrupt|checksum|unreadable|(cannot|could not|not) be read|missing|witness|lost|"
              + "cannot be opened",
          Pattern.CASE_INSENSITIVE);

  private DamageTexts() {}

  /// Whether a text names the damaged file or the store that it belongs to.
  static boolean names(String text, DamageCase damaged) {
    StoredFile file = damaged.file();
    return text.contains(file.path().getFileName().toString())
        || file.workspace().stream()
            .anyMatch(name ->
                text.contains("db/" + name)
                    || text.contains("workspace " + name)
                    || text.contains("witness/" + name));
  }

  /// Whether a message about the damaged workspace is about its damage. A bug or a lost daemon is
  /// not.
  static boolean tells(String text, DamageCase damaged) {
    return tells(text) || (!isDefect(text) && names(text, damaged));
  }

  /// Whether a message is about lost or unreadable data, whatever file is damaged.
  static boolean tells(String text) {
    return !isDefect(text) && WORDS.matcher(text).find();
  }

  private static boolean isDefect(String text) {
    return text.startsWith("answer: INTERNAL") || text.startsWith("answer: UNREACHABLE");
  }

  /// The report in the output of `memory doctor --json`, if there is one.
  ///
  /// @param tells whether a message is about the damage
  static Optional<String> ofDoctor(String printed, Predicate<String> tells) {
    JsonNode checkup;
    try {
      checkup = JSON.readTree(printed);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
    for (JsonNode check : checkup.path("checks")) {
      String text = check.path("found").asText() + " " + check.path("remedy").asText("");
      if (!check.path("ok").asBoolean() && tells.test(text)) {
        return Optional.of(text);
      }
    }
    JsonNode findings = checkup.path("findings");
    return findings.isEmpty() ? Optional.empty() : Optional.of(findings.get(0).toString());
  }
}
