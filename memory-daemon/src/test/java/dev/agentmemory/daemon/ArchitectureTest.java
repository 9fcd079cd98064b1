package dev.agentmemory.daemon;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The rules of the code's structure, checked on the compiled classes. docs/architecture.md gives
/// the reason of each.
class ArchitectureTest {

  private static final String ROOT = "dev.agentmemory";
  private static final String BASE = ROOT + ".";
  private static final String INTERNAL = "..internal..";
  private static final int MOST_CLASSES_OF_A_PACKAGE = 25;
  private static final int MOST_LINES_OF_A_FILE = 750;
  private static final String PACKAGE_INFO = "package-info.java";

  /// Words that mean nothing to a reader who knows the field but not this project. Each was used in
  /// a name before.
  private static final Pattern METAPHORS =
      Pattern.compile(
          "Room|House|Door|Wall|Desk|Crew|Seat|Ears|Tips?|Forge|Scene|Voice|Twins|Sight|Ink|Pen"
              + "|Detour|Headroom|Census|Caretaker|Patience|LastWords|Complaint|Heard|Lane|Hands"
              + "|Poke|Rush|Rest|Mend|Stretch|Stay|Visit|Intake|Lender|Floor|Asked|Recut");

  private static final JavaClasses CLASSES = imported();

  private static JavaClasses imported() {
    // Types of libraries are only compared by name; looking them up would take ten times as long.
    ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
    return new ClassFileImporter()
        .withImportOption(location -> !location.contains("/test-classes/"))
        .withImportOption(location -> !location.contains("memory-testkit"))
        .importPackages("dev.agentmemory");
  }

  @BeforeAll
  static void everyModule_isImported() {
    assertThat(CLASSES.stream().map(ArchitectureTest::module))
        .contains(
            "types",
            "store",
            "config",
            "spi",
            "api",
            "text",
            "model",
            "storage",
            "rocksdb",
            "postgres",
            "toc",
            "search",
            "recall",
            "agents",
            "pipeline",
            "console",
            "wire",
            "engine",
            "service",
            "gateway",
            "client",
            "cli",
            "daemon");
  }

  @Test
  void dependencies_pointDownwards() {
    check(
        layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
            .layer("types")
            .definedBy(BASE + "types..", BASE + "store..", BASE + "config..", BASE + "spi..")
            .layer("api")
            .definedBy(BASE + "api..")
            .layer("text")
            .definedBy(BASE + "text..")
            .layer("model")
            .definedBy(BASE + "model..")
            .layer("proto")
            .definedBy(BASE + "wire..", BASE + "proto..")
            .layer("storage")
            .definedBy(BASE + "storage..")
            .layer("rocksdb")
            .definedBy(BASE + "rocksdb..")
            .layer("postgres")
            .definedBy(BASE + "postgres..")
            .layer("toc")
            .definedBy(BASE + "toc..")
            .layer("search")
            .definedBy(BASE + "search..")
            .layer("recall")
            .definedBy(BASE + "recall..")
            .layer("agents")
            .definedBy(BASE + "agents..")
            .layer("pipeline")
            .definedBy(BASE + "pipeline..")
            .layer("console")
            .definedBy(BASE + "console..")
            .layer("client")
            .definedBy(BASE + "client..")
            .layer("engine")
            .definedBy(BASE + "engine..")
            .layer("service")
            .definedBy(BASE + "service..")
            .layer("gateway")
            .definedBy(BASE + "gateway..")
            .layer("cli")
            .definedBy(BASE + "cli..")
            .layer("daemon")
            .definedBy(BASE + "daemon..")
            .whereLayer("types")
            .mayNotAccessAnyLayer()
            .whereLayer("api")
            .mayOnlyAccessLayers("types")
            .whereLayer("text")
            .mayOnlyAccessLayers("types")
            .whereLayer("model")
            .mayOnlyAccessLayers("types")
            .whereLayer("proto")
            .mayOnlyAccessLayers("api", "types")
            .whereLayer("storage")
            .mayOnlyAccessLayers("types")
            .whereLayer("rocksdb")
            .mayOnlyAccessLayers("storage", "types")
            .whereLayer("postgres")
            .mayOnlyAccessLayers("storage", "types")
            .whereLayer("toc")
            .mayOnlyAccessLayers("api", "text", "model", "types")
            .whereLayer("search")
            .mayOnlyAccessLayers("api", "text", "model", "types")
            .whereLayer("recall")
            .mayOnlyAccessLayers("api", "text", "types")
            .whereLayer("agents")
            .mayOnlyAccessLayers("api", "text", "types")
            .whereLayer("pipeline")
            .mayOnlyAccessLayers("api", "text", "types")
            .whereLayer("console")
            .mayNotAccessAnyLayer()
            .whereLayer("client")
            .mayOnlyAccessLayers("proto", "api", "types")
            .whereLayer("engine")
            .mayOnlyAccessLayers(
                "rocksdb",
                "postgres",
                "storage",
                "toc",
                "search",
                "recall",
                "pipeline",
                "api",
                "text",
                "model",
                "types")
            .whereLayer("service")
            .mayOnlyAccessLayers("proto", "api", "types")
            .whereLayer("gateway")
            .mayOnlyAccessLayers("console", "agents", "api", "text", "types")
            .whereLayer("cli")
            .mayOnlyAccessLayers("client", "agents", "api", "text", "types")
            .whereLayer("daemon")
            .mayNotBeAccessedByAnyLayer());
  }

  @Test
  void eachLibrary_isUsedInOneModule() {
    check(only("org.rocksdb..", BASE + "rocksdb.."));
    check(only("org.postgresql..", BASE + "postgres.."));
    check(only("com.zaxxer..", BASE + "postgres.."));
    check(only("java.sql..", BASE + "postgres.."));
    check(only("com.knuddels..", BASE + "toc.."));
    check(only("java.net.http..", BASE + "model.."));
    check(only("org.apache.lucene..", BASE + "search.."));
    check(only("org.eclipse.jetty..", BASE + "gateway.internal.server.."));
    check(only("ai.onnxruntime..", BASE + "search.."));
    check(only("ai.djl..", BASE + "search.."));
    check(only("com.cronutils..", BASE + "pipeline.."));
    check(only("io.micrometer..", BASE + "gateway.internal.metrics.."));
    check(only("io.prometheus..", BASE + "gateway.internal.metrics.."));
    check(only("picocli..", BASE + "cli..", BASE + "daemon.command.."));
    check(only("org.tomlj..", BASE + "daemon.config.."));
    check(only("ch.qos.logback..", BASE + "daemon.log.."));
    check(
        only(
            "io.grpc..",
            BASE + "service..",
            BASE + "client..",
            BASE + "daemon..",
            BASE + "wire..",
            BASE + "proto.."));
  }

  @Test
  void generatedMessages_stayOnTheWire() {
    check(
        only(
            BASE + "proto..",
            BASE + "proto..",
            BASE + "wire..",
            BASE + "service..",
            BASE + "client.."));
  }

  @Test
  void internalPackages_areUsedByTheirModuleOnly() {
    check(
        classes()
            .that()
            .resideInAPackage(INTERNAL)
            .should(
                condition(
                    "be used by their own module only",
                    (type, events) ->
                        type.getDirectDependenciesToSelf().stream()
                            .filter(use -> !module(use.getOriginClass()).equals(module(type)))
                            .forEach(use ->
                                events.add(
                                    SimpleConditionEvent.violated(type, use.getDescription()))))));
  }

  @Test
  void names_areUnique() throws IOException {
    Map<String, List<Path>> byName =
        sources("src/(main|test)")
            .collect(Collectors.groupingBy(file -> String.valueOf(file.getFileName())));
    byName.remove(PACKAGE_INFO);
    byName.values().removeIf(files -> files.size() == 1);
    assertThat(byName).isEmpty();
  }

  /// A nested type of such a name hides the type that a reader expects.
  @Test
  void namesOfNestedTypes_areNotThoseOfTheApi() {
    Set<String> shared = Set.of("types", "store", "config", "spi", "api");
    Set<String> names =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && shared.contains(module(type)))
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.equals("package-info"))
            .collect(Collectors.toSet());
    assertThat(names).hasSizeGreaterThan(100);
    assertThat(CLASSES.stream())
        .filteredOn(type -> !type.isTopLevelClass() && !module(type).equals("proto"))
        .filteredOn(type -> names.contains(type.getSimpleName()))
        .isEmpty();
  }

  @Test
  void names_areNoMetaphors() {
    assertThat(CLASSES.stream().map(JavaClass::getSimpleName))
        .noneMatch(name ->
            Stream.of(name.split("(?<=[a-z])(?=[A-Z])", -1))
                .anyMatch(word -> METAPHORS.matcher(word).matches()));
  }

  @Test
  void packages_haveFewClasses() throws IOException {
    Map<String, Long> sizes =
        sources("src/main")
            .filter(file -> !file.endsWith(PACKAGE_INFO))
            .collect(
                Collectors.groupingBy(
                    file -> String.valueOf(file.getParent()), Collectors.counting()));
    sizes.values().removeIf(size -> size <= MOST_CLASSES_OF_A_PACKAGE);
    assertThat(sizes).isEmpty();
  }

  @Test
  void files_areShort() throws IOException {
    assertThat(sources("src/main")).noneMatch(file -> lines(file) > MOST_LINES_OF_A_FILE);
  }

  /// The files of all modules, also of those that are not shipped.
  ///
  /// @param folder a pattern of the folder of a module
  private static Stream<Path> sources(String folder) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      List<Path> found =
          files
              .filter(file ->
                  file.toString().matches(".*/(memory-[a-z-]+|proto)/" + folder + "/.*[.]java"))
              .toList();
      assertThat(found).hasSizeGreaterThan(500);
      return found.stream();
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void publicSignatures_useOwnAndJdkTypesOnly() {
    check(
        classes()
            .that()
            .arePublic()
            .and()
            .resideOutsideOfPackage(INTERNAL)
            .and()
            .resideInAnyPackage(
                BASE + "types..",
                BASE + "store..",
                BASE + "config..",
                BASE + "spi..",
                BASE + "api..",
                BASE + "text..",
                BASE + "model..",
                BASE + "storage..",
                BASE + "rocksdb..",
                BASE + "postgres..",
                BASE + "toc..",
                BASE + "search..",
                BASE + "recall..",
                BASE + "agents..",
                BASE + "pipeline..",
                BASE + "console..",
                BASE + "engine..",
                BASE + "service..",
                BASE + "gateway..",
                BASE + "client..")
            .should(haveOwnSignaturesOnly()));
  }

  @Test
  void timeAndRandomness_areInjected() {
    Set<String> users =
        Set.of(
            // The main classes, and what provides the time that they pass on.
            "daemon.Main",
            "daemon.Daemon",
            "daemon.DaemonRun",
            "cli.OnlineMain",
            "spi.SystemServices",
            // They wait for another process, which no clock of a test can control.
            "engine.data.DirectoryLock",
            "cli.process.Polling",
            // Secrets, nonces, and the id of a store: no test needs to know them in advance.
            "engine.data.Token",
            "cli.export.ExportRedaction",
            "wire.TokenHandshake",
            "rocksdb.backup.BackupKey",
            "storage.codec.StoreHeader");
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(BASE + "proto..")
            .and(notListed(users))
            .should()
            .accessTargetWhere(isTimeOrRandomness())
            .because("a test can replace what is injected"));
  }

  /// A thread that is made elsewhere has a stop, an interrupt and a name of its own to get wrong.
  @Test
  void threads_areMadeByTheClassesListed() {
    Set<String> makers =
        Set.of(
            "storage.internal.commit.CommitThread",
            "spi.BackgroundLoop",
            "pipeline.job.JobThreads",
            "search.embed.OnnxEmbedder",
            "engine.WorkerPool",
            "engine.UnifiedWorkspaces",
            "engine.WorkspaceRegistry",
            "service.CallPool",
            "gateway.hook.ContextThreads",
            "cli.demo.DemoDaemon",
            "daemon.SignalHandlers");
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(BASE + "proto..")
            .and(notListed(makers))
            .should()
            .accessTargetWhere(isThreadMade()));
  }

  private static DescribedPredicate<JavaAccess<?>> isThreadMade() {
    Set<String> factories = Set.of("java.lang.Thread", "java.util.concurrent.Executors");
    Set<String> constructed =
        Set.of(
            "java.lang.Thread",
            "java.util.Timer",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.ScheduledThreadPoolExecutor",
            "java.util.concurrent.ThreadPoolExecutor");
    return DescribedPredicate.describe(
        "a thread or an executor is made",
        access -> {
          String owner = access.getTargetOwner().getName();
          String target = access.getTarget().getName();
          return owner.startsWith("java.lang.Thread$Builder")
              || (factories.contains(owner) && target.matches("new.*|of.*|start.*"))
              || (constructed.contains(owner) && target.equals("<init>"));
        });
  }

  /// The rest of the code does not know whether workspaces share a store.
  @Test
  void idsOfAWorkspace_areMadeAndReadByTheClassesListed() {
    Set<String> scoping =
        Set.of(
            "toc.shared.WorkspaceView",
            "toc.shared.JointToc",
            "engine.SharedIngest",
            "engine.OwnArchive",
            "engine.internal.erase.EventSelection",
            "engine.internal.erase.FileErasure",
            "engine.internal.erase.StoreErasure",
            "engine.internal.local.ModelStatementRefiner",
            "engine.internal.recall.ExtractionJob",
            "engine.internal.recall.JointRecall",
            "engine.internal.recall.JointCollections",
            "recall.memory.MemoryLists",
            "search.Searcher",
            "search.internal.query.Question",
            "search.internal.query.Queries");
    // An id that follows from another one belongs to the same workspace.
    Set<String> deriving =
        Set.of(
            "toc.GripResolver",
            "toc.summary.Fingerprint",
            "toc.internal.segment.TocCalendar",
            "search.HitLocator",
            "search.SummaryFeed",
            "storage.verify.Parents",
            "pipeline.ingest.Ingestor",
            // Memories name their events without the workspace.
            "pipeline.ingest.StoredSecrets",
            "recall.derive.MemoryExtraction",
            "engine.internal.erase.ErasurePreview",
            "engine.internal.recall.StoreRecall",
            "recall.masking.RecordErasure",
            "toc.ContentsErasure");
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(BASE + "types..")
            .and(notListed(scoping))
            .and(notListed(deriving))
            .should()
            .accessTargetWhere(
                DescribedPredicate.describe(
                    "a workspace is added to an id or taken off",
                    access ->
                        access.getTargetOwner().getPackageName().equals(BASE + "types")
                            && Set.of("in", "plain").contains(access.getTarget().getName()))));
  }

  private static DescribedPredicate<JavaClass> notListed(Set<String> names) {
    return DescribedPredicate.describe(
        "are not listed here",
        type -> !names.contains(type.getName().replaceFirst("\\$.*", "").substring(BASE.length())));
  }

  @Test
  void exceptions_areOneAndWhatEndsAModelsCall() {
    assertThat(CLASSES.stream().filter(ArchitectureTest::isThrowable).map(JavaClass::getSimpleName))
        // What a job throws to its scheduler never leaves it.
        .containsExactlyInAnyOrder("JobRefused", "MemoryException", "ModelException");
  }

  @Test
  void types_areValues() {
    check(
        classes()
            .that()
            .resideInAnyPackage(BASE + "types..", BASE + "api..")
            .and()
            // It reads what the build has written down, and is never made.
            .doNotHaveFullyQualifiedName(BASE + "api.Version")
            .and()
            // A rule that modules of every layer apply to texts.
            .doNotHaveFullyQualifiedName(BASE + "types.UnicodeText")
            .and()
            .areTopLevelClasses()
            .and()
            .arePublic()
            .and()
            .haveSimpleNameNotEndingWith("package-info")
            .should(
                condition(
                    "be records, enums, sealed interfaces or exceptions",
                    (type, events) -> {
                      boolean value =
                          type.isRecord()
                              || type.isEnum()
                              || type.isInterface()
                              || isThrowable(type);
                      events.add(new SimpleConditionEvent(type, value, type.getName()));
                    })));
  }

  @Test
  void methodsOfTheApi_takeNoOptional() {
    assertThat(
            CLASSES.stream()
                .filter(type -> type.getPackageName().startsWith(BASE + "api"))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(method ->
                    method.getRawParameterTypes().stream()
                        .anyMatch(type -> type.isEquivalentTo(Optional.class)))
                .map(method -> method.getOwner().getSimpleName() + "." + method.getName()))
        // What a header named.
        .containsExactlyInAnyOrder(
            "WorkspaceSource.lease",
            "WorkspaceSource.workspaces",
            "WorkspaceSource.troubled",
            "Caller.require",
            "ChangeFeed.follow");
  }

  @Test
  void packages_areNullMarked_andHaveNoCycles() {
    Set<String> marked =
        CLASSES.stream()
            .filter(type -> type.getSimpleName().equals("package-info"))
            .filter(type -> type.isAnnotatedWith(NullMarked.class))
            .map(JavaClass::getPackageName)
            .collect(Collectors.toSet());
    Set<String> packages =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> !name.startsWith(BASE + "proto"))
            .collect(Collectors.toSet());
    assertThat(marked).containsAll(packages);
    check(slices().matching(BASE + "(**)").should().beFreeOfCycles());
  }

  @Test
  void store_isOpenedByEngineAndDaemonOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                BASE + "daemon..",
                BASE + "engine..",
                BASE + "storage..",
                BASE + "rocksdb..",
                BASE + "postgres..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(BASE + "storage..", BASE + "rocksdb..", BASE + "postgres..")));
  }

  /// What a store means belongs to all engines; how rows are encoded and checked concerns nobody
  /// else.
  @Test
  void rowsOfAStore_areKnownToItsEnginesOnly() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(BASE + "storage..", BASE + "rocksdb..", BASE + "postgres..")
            .should()
            .dependOnClassesThat(
                resideInAnyPackage(
                    BASE + "storage.rows..",
                    BASE + "storage.codec..",
                    BASE + "storage.read..",
                    BASE + "storage.upkeep..",
                    BASE + "storage.verify..")));
  }

  @Test
  void standardOutput_belongsToTheCommandLine() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(BASE + "cli..")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err"));
  }

  /// Types of the JDK are not looked up, so this goes by the name of what is extended.
  private static boolean isThrowable(JavaClass type) {
    return type.getRawSuperclass()
        .map(JavaClass::getSimpleName)
        .filter(name -> name.endsWith("Exception") || name.endsWith("Error"))
        .isPresent();
  }

  /// The name of a module, as packages have it.
  private static String module(JavaClass type) {
    String path = type.getPackageName().substring(BASE.length());
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  private static void check(ArchRule rule) {
    rule.check(CLASSES);
  }

  private static ArchRule only(String library, String... packages) {
    return noClasses()
        .that()
        .resideInAPackage(ROOT + "..")
        .and(DescribedPredicate.not(resideInAnyPackage(packages)))
        .should()
        .dependOnClassesThat(resideInAPackage(library));
  }

  private static ArchCondition<JavaClass> haveOwnSignaturesOnly() {
    return condition(
        "have public signatures of own and JDK types",
        (type, events) -> {
          for (JavaCodeUnit unit : type.getCodeUnits()) {
            if (unit.getModifiers().contains(JavaModifier.PUBLIC)) {
              Stream.concat(
                      unit.getRawParameterTypes().stream(), Stream.of(unit.getRawReturnType()))
                  .map(JavaClass::getBaseComponentType)
                  .filter(foreign -> !isOwn(foreign))
                  .forEach(foreign ->
                      events.add(
                          SimpleConditionEvent.violated(
                              unit, unit.getFullName() + " shows " + foreign.getName())));
            }
          }
        });
  }

  private static ArchCondition<JavaClass> condition(
      String description, BiConsumer<JavaClass, ConditionEvents> check) {
    return new ArchCondition<>(description) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        check.accept(type, events);
      }
    };
  }

  private static boolean isOwn(JavaClass type) {
    return type.isPrimitive()
        || type.getName().startsWith("java.")
        || (type.getName().startsWith(BASE) && !type.getName().startsWith(BASE + "proto"));
  }

  private static DescribedPredicate<JavaAccess<?>> isTimeOrRandomness() {
    Set<String> banned =
        Set.of(
            "java.time.Instant.now",
            "java.time.InstantSource.system",
            "java.time.Clock.system",
            "java.time.Clock.systemDefaultZone",
            "java.time.Clock.systemUTC",
            "java.time.LocalDate.now",
            "java.time.LocalDateTime.now",
            "java.time.OffsetDateTime.now",
            "java.time.ZonedDateTime.now",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.time.ZoneId.systemDefault",
            "java.lang.Thread.sleep",
            "java.lang.Math.random",
            "java.security.SecureRandom.<init>",
            "java.util.Random.<init>",
            "java.util.SplittableRandom.<init>",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ThreadLocalRandom.current",
            "java.util.random.RandomGenerator.getDefault",
            "java.util.random.RandomGenerator.of",
            "com.github.f4b6a3.ulid.UlidCreator.getUlid",
            "com.github.f4b6a3.ulid.UlidCreator.getMonotonicUlid",
            BASE + "spi.SystemServices.of",
            BASE + "spi.SystemServices.ofMachine");
    return DescribedPredicate.describe(
        "time or randomness",
        access ->
            banned.contains(
                access.getTargetOwner().getName() + "." + access.getTarget().getName()));
  }
}
