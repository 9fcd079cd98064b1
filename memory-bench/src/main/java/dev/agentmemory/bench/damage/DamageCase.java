package dev.agentmemory.bench.damage;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;

/// A file and its damage.
///
/// @param number of the case, the same for the same template and seed
record DamageCase(int number, StoredFile file, Damage damage) {

  /// Every damage of the files that are selected of each kind: the largest file of the first
  /// workspace, the largest one of the others, and random ones.
  ///
  /// @param files of a data directory
  /// @param kinds the kinds to damage
  /// @param ofEach most files of a kind
  static List<DamageCase> all(
      List<StoredFile> files, Set<StoredFile.Kind> kinds, int ofEach, long seed) {
    var cases = new ArrayList<DamageCase>();
    for (StoredFile.Kind kind : StoredFile.Kind.values()) {
      // Omitting a kind does not change the selection of the others.
      var random = new SplittableRandom(seed * 31 + kind.label().hashCode());
      for (StoredFile file : chosen(files, kind, ofEach, random)) {
        for (Damage damage : Damage.all(file.size(), random)) {
          cases.add(new DamageCase(cases.size(), file, damage));
        }
      }
    }
    return cases.stream().filter(one -> kinds.contains(one.file.kind())).toList();
  }

  /// A random selection that has as many cases as possible of every kind, in their order.
  static List<DamageCase> sample(List<DamageCase> cases, int atMost, long seed) {
    var shuffled = new ArrayList<>(cases);
    Collections.shuffle(shuffled, new Random(seed));
    var sample = new ArrayList<DamageCase>();
    while (sample.size() < Math.min(atMost, cases.size())) {
      for (StoredFile.Kind kind : StoredFile.Kind.values()) {
        Optional<DamageCase> next =
            shuffled.stream().filter(one -> one.file.kind() == kind).findFirst();
        if (next.isPresent() && sample.size() < atMost) {
          sample.add(next.get());
          shuffled.remove(next.get());
        }
      }
    }
    sample.sort(Comparator.comparingInt(DamageCase::number));
    return List.copyOf(sample);
  }

  private static List<StoredFile> chosen(
      List<StoredFile> files, StoredFile.Kind kind, int atMost, SplittableRandom random) {
    List<StoredFile> ofKind = files.stream().filter(file -> file.kind() == kind).toList();
    var chosen = new LinkedHashSet<StoredFile>();
    ofKind.stream()
        .filter(file -> file.workspace().equals(Optional.of(DamageTemplate.DEFAULT)))
        .max(Comparator.comparingLong(StoredFile::size))
        .ifPresent(chosen::add);
    ofKind.stream()
        .filter(file -> !file.workspace().equals(Optional.of(DamageTemplate.DEFAULT)))
        .max(Comparator.comparingLong(StoredFile::size))
        .ifPresent(chosen::add);
    var others = new ArrayList<>(ofKind);
    Collections.shuffle(others, new Random(random.nextLong()));
    chosen.addAll(others);
    return chosen.stream().limit(atMost).toList();
  }

  @Override
  public String toString() {
    return "case " + number + ": " + file.path() + " " + damage;
  }
}
