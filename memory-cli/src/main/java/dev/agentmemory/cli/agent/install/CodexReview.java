package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.cli.agent.install.HookEvents.HookEvent;
import dev.agentmemory.cli.agent.install.JsonTree.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Which of our hooks were reviewed in Codex, which runs no others. Its configuration has a hash of
/// each reviewed hook, under the hook's place `FILE:EVENT:GROUP:HANDLER`. Only Codex can tell
/// whether the hook has been changed since.
final class CodexReview {

  private static final List<String> STATE = List.of("hooks", "state");
  private static final String HASH = "trusted_hash";

  private CodexReview() {}

  /// In a few words.
  ///
  /// @param hooks the file with our hooks
  /// @param config the file in which Codex keeps reviews
  static String sentence(Path hooks, Path config) {
    SettingsFile file = SettingsFile.read(hooks);
    Set<String> reviewed = reviewed(SettingsFile.read(config).text());
    List<String> places = places(file.text());
    long found =
        places.stream()
            .filter(place ->
                Stream.of(file.file(), file.target()).anyMatch(at -> reviewed.contains(at + place)))
            .count();
    if (found == 0) {
      return "no review of hooks found: without one in /hooks Codex skips them";
    }
    return found == places.size()
        ? "hooks reviewed"
        : "%d of %d hooks reviewed: without a review in /hooks Codex skips the others"
            .formatted(found, places.size());
  }

  private static Set<String> reviewed(String config) {
    return TomlKeys.of(config).stream()
        .map(TomlKeys.TomlKey::path)
        .filter(path -> path.size() == STATE.size() + 2 && path.subList(0, 2).equals(STATE))
        .filter(path -> path.getLast().equals(HASH))
        .map(path -> path.get(STATE.size()))
        .collect(Collectors.toSet());
  }

  /// The places of our hooks, without the file.
  private static List<String> places(String hooks) {
    JsonTree all;
    try {
      all = JsonTree.read(hooks);
    } catch (IOException e) {
      // Codex cannot read it either.
      return List.of();
    }
    Pattern ours = AgentEdits.command(Agent.CODEX);
    List<String> places = new ArrayList<>();
    for (HookEvent event : HookEvents.of(Agent.CODEX)) {
      String name = event.name().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
      List<Entry> groups =
          all.at(List.of("hooks", event.name())).map(JsonTree::entries).orElse(List.of());
      for (int group = 0; group < groups.size(); group++) {
        List<Entry> handlers =
            groups.get(group).value().at(List.of("hooks")).map(JsonTree::entries).orElse(List.of());
        for (int handler = 0; handler < handlers.size(); handler++) {
          if (ours.matcher(handlers.get(handler).value().in(hooks)).find()) {
            places.add(":%s:%d:%d".formatted(name, group, handler));
          }
        }
      }
    }
    return places;
  }
}
