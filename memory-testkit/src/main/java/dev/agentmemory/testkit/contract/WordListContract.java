package dev.agentmemory.testkit.contract;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What holds for the word lists of a module, which are the text files among its resources. A
/// module that has some subclasses this once. The rules within a file are those of the loader.
public abstract class WordListContract {

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final Path RESOURCES = Path.of("src", "main", "resources");
  private static final Pattern READ =
      Pattern.compile("Lexicon\\.beside\\(\\s*(\\w+)\\.class,\\s*\"([^\"]+)\"\\)");
  private static final Pattern SECTION = Pattern.compile("(?m)^\\[(.+)]$");

  /// A place where a class reads a word list.
  ///
  /// @param owner the class
  /// @param list relative to the resources
  private record Use(Path source, String owner, Path list) {}

  @Test
  void lists_areEachReadByAClassBesideThem() {
    Stream<Path> lists = files(RESOURCES, ".txt").map(RESOURCES::relativize);
    assertThat(uses().stream().map(Use::list).collect(toSet()))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(lists.toList());
  }

  @Test
  void lists_keepTheRulesOfTheLoader() {
    for (Use use : uses()) {
      assertThatCode(() -> Class.forName(use.owner())).doesNotThrowAnyException();
    }
  }

  @Test
  void sections_areEachNamedByAClassThatReadsTheList() {
    uses().stream()
        .collect(groupingBy(Use::list))
        .forEach((list, uses) -> {
          String readers = uses.stream().map(use -> text(use.source())).collect(joining());
          Stream<MatchResult> sections = SECTION.matcher(text(RESOURCES.resolve(list))).results();
          assertThat(sections.map(found -> found.group(1)))
              .as(list.toString())
              .isNotEmpty()
              .allMatch(section -> readers.contains('"' + section + '"'));
        });
  }

  private static List<Use> uses() {
    return files(SOURCES, ".java").flatMap(WordListContract::uses).toList();
  }

  private static Stream<Use> uses(Path source) {
    Path file = SOURCES.relativize(source);
    return READ.matcher(text(source))
        .results()
        .map(read ->
            new Use(
                source,
                file.resolveSibling(read.group(1)).toString().replaceAll("[/\\\\]", "."),
                file.resolveSibling(read.group(2))));
  }

  private static Stream<Path> files(Path folder, String ending) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
