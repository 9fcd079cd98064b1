package dev.agentmemory.search.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.search.Bench;
import dev.agentmemory.search.IndexFileCheck;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryWordsTest {

  private static final int ALL = 1000;

  @TempDir private Path home;

  private MemoryWords open() {
    return MemoryWords.open(home);
  }

  private static MemoryId id(int number) {
    return new MemoryId(TestEvents.id(TestEvents.START, number));
  }

  private static MemoryWords.Doc doc(int number, String text, String... tags) {
    return new MemoryWords.Doc(
        id(number), text, Arrays.stream(tags).map(Tag::new).collect(Collectors.toSet()));
  }

  private static MemoryWords put(MemoryWords words, String... texts) {
    words.put(IntStream.range(0, texts.length).mapToObj(i -> doc(i, texts[i])).toList());
    return words;
  }

  private static List<MemoryId> match(MemoryWords words, String query) {
    return words.match(query, id -> true, ALL);
  }

  private static List<MemoryId> ids(Integer... numbers) {
    return Stream.of(numbers).map(MemoryWordsTest::id).toList();
  }

  @Test
  void purge_leavesNoMemoryThatWasRemovedOrReplaced_andKeepsTheRevision() throws IOException {
    try (MemoryWords words =
        put(open(), "lunch is at noon", "dinner is at eight", "tea is at five")) {
      words.commit(1);
      words.remove(ids(1));
      put(words, "lunch is at one");

      assertThat(words.purge()).isTrue();

      try (var files = FSDirectory.open(home.resolve(MemoryWords.FOLDER));
          DirectoryReader reader = DirectoryReader.open(files)) {
        assertThat(reader.maxDoc()).isEqualTo(2);
      }
      assertThat(match(words, "lunch")).isEqualTo(ids(0));
      assertThat(match(words, "dinner")).isEmpty();
      assertThat(words.revision()).isOne();
    }
  }

  @Test
  void match_wordsOfTheText_findsTheBestFirst() {
    try (MemoryWords words =
        put(
            open(),
            "we moved the billing database",
            "the billing database runs on Postgres",
            "lunch is at noon")) {
      assertThat(match(words, "which databases run on postgres?")).isEqualTo(ids(1, 0));
      assertThat(match(words, "kafka")).isEmpty();
      assertThat(match(words, "which one is it?")).isEmpty();
      assertThat(words.match("databases", id -> true, 1)).hasSize(1);
    }
  }

  @Test
  void match_equalTexts_findsTheNewestFirst() {
    try (MemoryWords words = open()) {
      words.put(List.of(doc(2, "use Postgres"), doc(3, "use Postgres")));
      words.put(List.of(doc(1, "use Postgres")));
      assertThat(match(words, "postgres")).isEqualTo(ids(3, 2, 1));
    }
  }

  @Test
  void match_notAllowed_isLeftOutBeforeTheLimit() {
    try (MemoryWords words = put(open(), "a plan", "a plan", "a plan", "a plan")) {
      assertThat(words.match("plan", id -> !id.equals(id(3)), 2)).isEqualTo(ids(2, 1));
      assertThat(words.match("plan", id -> false, 2)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "auth* | 0",
        "*cation | 0",
        "AUTH*tion | 0",
        "a?thentication | 0",
        "authen* -passkey | ",
        "authentication? | 0",
        "authent?cation?! | 0",
        "(auth*), | 0",
        "get*Name | 1",
        "get*Age | ",
        "m?mory-*.jar | 1",
        "src/*/Main.java | 1",
        "c?fe | 2",
        "cafe? | 2",
        "caf? | ",
        "CAF* | 2",
        "数据* | 3",
        "数?库 | 3",
        "库* | 3",
        "*林 | 3",
        "林*京 | ",
        "数据仓* | ",
        "x* | ",
        "?????????????????????????????????????????x | 1 0",
        "*a?????????????????????????e | 1 0",
        "what is **authentication** | 0",
        "* | 3 2 1 0",
        "what * | ",
        "\"users sign in\" | 0",
        "\"sign users in\" | ",
        "café \"users sign in\" | 0 2 1",
        "café +\"users sign in\" | 0",
        "+\"users sign in\" +\"the café\" | ",
      })
  void match_pattern_findsWordsAsTheyWereWritten(String query, String expected) {
    try (MemoryWords words =
        put(
            open(),
            "Authentication since May: users sign in with a passkey",
            "getUserName of src/main/Main.java is in memory-core.jar",
            "meet at the Café",
            "数据库在柏林")) {
      Integer[] found =
          expected == null
              ? new Integer[0]
              : Stream.of(expected.split(" ", -1)).map(Integer::valueOf).toArray(Integer[]::new);
      assertThat(match(words, query)).isEqualTo(ids(found));
    }
  }

  @Test
  void match_patternOfAPath_readsBackslashesAsTheyAre() {
    try (MemoryWords words = put(open(), "see C:\\temp\\notes.txt", "see C:\\temp\\other\\*")) {
      assertThat(match(words, "C:\\temp\\n*")).isEqualTo(ids(0, 1));
      assertThat(match(words, "C:\\temp\\o*")).isEqualTo(ids(1, 0));
    }
  }

  @Test
  void match_tag_findsItAndTagsBelow() {
    try (MemoryWords words = open()) {
      words.put(
          List.of(
              doc(0, "rotate keys", "security.authentication.keys"),
              doc(1, "rotate logs", "security-audit", "ops"),
              doc(2, "rotate crops", "security", "ops")));
      assertThat(match(words, "tag:security")).isEqualTo(ids(2, 0));
      assertThat(match(words, "tag:Security.Authentication")).isEqualTo(ids(0));
      assertThat(match(words, "tag:security tag:ops")).isEqualTo(ids(2));
      assertThat(match(words, "rotate tag:ops")).isEqualTo(ids(2, 1));
      assertThat(match(words, "tag:security -crops")).isEqualTo(ids(0));
      assertThat(match(words, "tag:secur")).isEmpty();
      assertThat(match(words, "kafka tag:ops")).isEmpty();
      assertThat(match(words, "authentication")).as("levels are words").isEqualTo(ids(0));
    }
  }

  @Test
  void match_afterAnyChange_seesIt() {
    try (MemoryWords words = put(open(), "first plan", "second plan")) {
      assertThat(match(words, "plan")).hasSize(2);
      words.put(List.of(doc(0, "changed idea", "new")));
      assertThat(match(words, "plan")).isEqualTo(ids(1));
      assertThat(match(words, "idea tag:new")).isEqualTo(ids(0));
      words.remove(ids(1, 7));
      assertThat(match(words, "plan")).isEmpty();
      words.clear();
      assertThat(match(words, "*")).isEmpty();
      words.put(List.of(doc(5, "a plan")));
      assertThat(match(words, "plan")).isEqualTo(ids(5));
    }
  }

  @Test
  void match_longText_findsItsBeginning() {
    String text = "zebra " + "word ".repeat(10_000) + "giraffe";
    try (MemoryWords words = put(open(), text)) {
      assertThat(match(words, "zebra")).hasSize(1);
      assertThat(match(words, "giraffe")).isEmpty();
    }
  }

  /// The index of one history of changes is that of a rebuild.
  @Seeds(20)
  @org.junit.jupiter.api.Tag("slow")
  void match_anyHistory_ordersAsAfterARebuild(RandomGenerator random) {
    Map<Integer, MemoryWords.Doc> there = new HashMap<>();
    try (MemoryWords words = open()) {
      for (int step = 0; step < 60; step++) {
        int number = random.nextInt(25);
        if (random.nextInt(4) == 0) {
          words.remove(List.of(id(number)));
          there.remove(number);
        } else {
          MemoryWords.Doc doc = doc(number, text(random), random.nextBoolean() ? "a.b" : "a");
          words.put(List.of(doc));
          there.put(number, doc);
        }
        if (random.nextInt(6) == 0) {
          assertThat(match(words, "*")).hasSize(there.size());
        }
      }
      List<String> queries = List.of("alpha", "beta gamma", "tag:a.b delta", "al* epsilon", "*");
      List<List<MemoryId>> before = queries.stream().map(one -> match(words, one)).toList();
      words.clear();
      words.put(List.copyOf(there.values()));
      assertThat(queries.stream().map(one -> match(words, one)).toList()).isEqualTo(before);
    }
  }

  private static String text(RandomGenerator random) {
    List<String> terms = List.of("alpha", "beta", "gamma", "delta", "epsilon", "zeta");
    return IntStream.rangeClosed(0, random.nextInt(9))
        .mapToObj(i -> terms.get(random.nextInt(terms.size())))
        .collect(Collectors.joining(" "));
  }

  @Test
  void commit_keepsTheIndexAndItsRevision() {
    try (MemoryWords words = put(open(), "a plan")) {
      assertThat(words.revision()).isEqualTo(MemoryWords.NONE);
      words.commit(7);
      assertThat(words.revision()).isEqualTo(7);
    }
    try (MemoryWords words = open()) {
      assertThat(words.revision()).isEqualTo(7);
      assertThat(match(words, "plan")).hasSize(1);
      words.put(List.of(doc(1, "another plan")));
    }
    try (MemoryWords words = open()) {
      assertThat(words.revision()).as("of what was committed").isEqualTo(7);
      assertThat(match(words, "plan")).isEqualTo(ids(0));
      words.clear();
      assertThat(words.revision()).isEqualTo(MemoryWords.NONE);
      words.commit(8);
    }
    try (MemoryWords words = open()) {
      assertThat(words.revision()).isEqualTo(8);
      assertThat(match(words, "*")).isEmpty();
    }
  }

  @Test
  void open_damagedFile_startsAnew() throws IOException {
    try (MemoryWords words = open()) {
      words.put(
          IntStream.range(0, 500).mapToObj(i -> doc(i, "plan " + i + " of " + i * i)).toList());
      words.commit(7);
    }
    Map<Path, byte[]> files = files();
    assertThat(files).hasSizeGreaterThan(2);
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      for (int part = 0; part < 5; part++) {
        byte[] bytes = file.getValue().clone();
        bytes[bytes.length * part / 5] ^= 1;
        restore(files);
        Files.write(file.getKey(), bytes);
        startsAnew(file.getKey());
      }
      restore(files);
      Files.delete(file.getKey());
      startsAnew(file.getKey());
    }
  }

  private void startsAnew(Path damaged) {
    try (MemoryWords words = open()) {
      assertThat(words.revision()).as(damaged.toString()).isEqualTo(MemoryWords.NONE);
      assertThat(match(words, "plan")).isEmpty();
      put(words, "new plan").commit(9);
    }
    try (MemoryWords words = open()) {
      assertThat(words.revision()).isEqualTo(9);
      assertThat(match(words, "plan")).isEqualTo(ids(0));
    }
  }

  private Map<Path, byte[]> files() throws IOException {
    Map<Path, byte[]> found = new HashMap<>();
    try (Stream<Path> all = Files.list(home.resolve(MemoryWords.FOLDER))) {
      for (Path file : all.filter(file -> !file.endsWith("write.lock")).toList()) {
        found.put(file, Files.readAllBytes(file));
      }
    }
    return found;
  }

  private void restore(Map<Path, byte[]> files) throws IOException {
    for (Path file : files().keySet()) {
      Files.delete(file);
    }
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      Files.write(file.getKey(), file.getValue());
    }
  }

  @Test
  void open_foreignFiles_startsAnew() throws IOException {
    Path folder = Files.createDirectories(home.resolve(MemoryWords.FOLDER));
    Files.writeString(folder.resolve("segments_zz"), "of a newer version");
    try (MemoryWords words = open()) {
      assertThat(words.revision()).isEqualTo(MemoryWords.NONE);
      assertThat(match(put(words, "a plan"), "plan")).hasSize(1);
    }
  }

  @Test
  void open_folderInUse_isAConflict() {
    try (MemoryWords words = put(open(), "a plan")) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(this::open)
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
      assertThat(match(words, "plan")).hasSize(1);
    }
  }

  @Test
  void open_folderThatIsAFile_saysSo() throws IOException {
    Files.writeString(home.resolve(MemoryWords.FOLDER), "in the way");
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(this::open)
        .withMessageContaining(MemoryWords.FOLDER)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
  }

  /// What is written without its files would look complete.
  @Test
  void write_failed_isToldUntilTheIndexIsWrittenAgain() throws IOException {
    try (MemoryWords words = put(open(), "a plan")) {
      words.commit(7);
      Path folder = home.resolve(MemoryWords.FOLDER);
      Path away = Files.move(folder, home.resolve("away"));
      Files.writeString(folder, "in the way");
      failed(() -> words.put(List.of(doc(1, "lost plan"))));
      failed(() -> words.commit(8));
      assertThat(words.revision()).isEqualTo(MemoryWords.NONE);
      failed(() -> match(words, "plan"));
      failed(() -> words.put(List.of(doc(2, "late plan"))));
      Files.delete(folder);
      Files.move(away, folder);
      words.put(List.of(doc(2, "late plan")));
      words.commit(9);
      assertThat(words.revision()).as("changes were lost").isEqualTo(MemoryWords.NONE);
      failed(() -> match(words, "plan"));
      words.clear();
      put(words, "whole plan").commit(10);
      assertThat(words.revision()).isEqualTo(10);
      assertThat(match(words, "plan")).isEqualTo(ids(0));
    }
  }

  @Test
  void put_stoppedHalfWay_isToldUntilTheIndexIsWrittenAgain() {
    var stopped = new AtomicBoolean();
    Consumer<List<Runnable>> half =
        pieces -> {
          pieces.getFirst().run();
          if (stopped.get()) {
            throw new IllegalStateException("stopped");
          }
          pieces.subList(1, pieces.size()).forEach(Runnable::run);
        };
    List<MemoryWords.Doc> docs =
        IntStream.range(0, 500).mapToObj(i -> doc(i, "plan " + i)).toList();
    try (MemoryWords words = MemoryWords.open(home, half)) {
      words.put(docs);
      words.commit(7);
      assertThat(match(words, "plan")).hasSize(500);
      stopped.set(true);
      assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> words.put(docs));
      words.commit(8);
      assertThat(words.revision()).isEqualTo(MemoryWords.NONE);
      failed(() -> match(words, "plan"));
      stopped.set(false);
      words.clear();
      words.put(docs);
      words.commit(9);
      assertThat(words.revision()).isEqualTo(9);
      assertThat(match(words, "plan")).hasSize(500);
    }
  }

  private static void failed(Runnable call) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(call::run)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
  }

  @Test
  void close_twice_refusesWhatComesLater() {
    MemoryWords words = put(open(), "a plan");
    words.close();
    words.close();
    for (Runnable call :
        List.<Runnable>of(
            () -> match(words, "plan"),
            () -> words.put(List.of()),
            () -> words.remove(List.of()),
            words::clear,
            () -> words.commit(1))) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(call::run)
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
    open().close();
  }

  @Seeds(200)
  @org.junit.jupiter.api.Tag("slow")
  void match_anyText_isSafe(RandomGenerator random) {
    List<String> pieces =
        List.of(
            "*", "?", "**", "\\", "\"", "-", "+\"", "tag:", "kind:", "a", "b1", "数", "é", " ", "\t",
            "\n", "(", ")", "[", "]", "{", "~", "^", ":", "/", "&&", "||", "!", "\u0000", "\u0001",
            "\ud83d", "😀", "AND", "plan");
    String query =
        IntStream.range(0, random.nextInt(60))
            .mapToObj(i -> pieces.get(random.nextInt(pieces.size())))
            .collect(Collectors.joining());
    try (MemoryWords words = put(open(), "a plan", query, "數據 b1 *?\\ [a-z]+")) {
      assertThat(match(words, query)).doesNotHaveDuplicates();
    }
  }

  /// Thousands of operators, patterns and terms.
  @Test
  void match_longQueries_areSafe() {
    try (MemoryWords words = put(open(), "a plan", "b plan")) {
      for (String piece :
          List.of("*a*b?c ", "数*据?库*", "a?b*", "\"a plan\" ", "-x ", "tag:a ", "w.x/y ", "plan ")) {
        String query = piece.repeat(4096 / piece.length());
        assertThat(match(words, query).size()).as(piece).isLessThanOrEqualTo(2);
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; mixed.length() < 4000; i++) {
          mixed.append(piece.strip()).append(i).append(' ');
        }
        assertThat(match(words, mixed.toString()).size()).isLessThanOrEqualTo(2);
      }
    }
  }

  @Test
  @org.junit.jupiter.api.Tag("slow")
  void match_tenThousandMemories_findsThoseThatAreAllowed() {
    var random = new SplittableRandom(1);
    List<String> vocabulary = IntStream.range(0, 20_000).mapToObj(i -> "word" + i).toList();
    var docs = new ArrayList<MemoryWords.Doc>();
    for (int i = 0; i < 10_000; i++) {
      String text =
          IntStream.range(0, 30)
              .mapToObj(j -> vocabulary.get(random.nextInt(1 + random.nextInt(vocabulary.size()))))
              .collect(Collectors.joining(" "));
      docs.add(doc(i, text + " memory", "area.a" + i % 7));
    }
    try (MemoryWords words = open()) {
      words.put(docs);
      assertThat(match(words, "memory")).hasSize(ALL);
      long matched = 0;
      for (int i = 0; i < 50; i++) {
        matched += match(words, "memory word" + i + " *99 tag:area.a3").size();
      }
      assertThat(matched).isEqualTo(50L * ALL);
      assertThat(words.match("memory", id -> id.equals(id(4711)), 10)).isEqualTo(ids(4711));
    }
  }

  @Test
  void folder_isNeitherAGenerationNorLostWithThem() throws IOException {
    try (MemoryWords words = put(open(), "a plan")) {
      words.commit(7);
    }
    try (var bench = new Bench(home)) {
      bench.say(TestEvents.messages("a", 3).toArray(Event[]::new)).follow();
      bench.index.rebuild(() -> {});
    }
    try (MemoryWords words = open()) {
      assertThat(words.revision()).isEqualTo(7);
      assertThat(match(words, "plan")).hasSize(1);
    }
    assertThat(IndexFileCheck.run(home)).isEmpty();
    Path file =
        files().keySet().stream()
            .filter(one -> !one.toString().contains("segments"))
            .findFirst()
            .orElseThrow();
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
    assertThat(IndexFileCheck.run(home)).hasSize(1);
  }
}
