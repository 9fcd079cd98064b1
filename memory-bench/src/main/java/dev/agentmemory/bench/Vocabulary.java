package dev.agentmemory.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Words as often as in a language: the one at rank r has a frequency that goes with 1 / (r + 2.7),
/// after Mandelbrot's form of Zipf's law. The first ranks are English words that say little by
/// themselves, all others made-up stems with English endings, so that common and rare words, stop
/// words and inflection weigh in an index as they do in real texts.
final class Vocabulary {

  /// Stems altogether. A million turns of 60 words use most of them.
  static final int SIZE = 200_000;

  private static final double SHIFT = 2.7;

  private static final List<String> COMMON =
      List.of(
          ("the of to and a in is it that for was on are with as be this have from or by one had"
                  + " not but what all were when we there can an your which their if do will each"
                  + " how them then so these some her would make like him into has two more no way"
                  + " could my than first been who its now people over down only little long about"
                  + " after back also around came come did does even every good here just know last"
                  + " made many most much must never new off old other our out part place put right"
                  + " said same see should still such take tell thing think through time too under"
                  + " up us use used very want well went where while why work year you")
              .split(" "));

  private static final Set<String> COMMON_ONES = Set.copyOf(COMMON);

  private static final List<String> SYLLABLES =
      List.of(
          ("ba be bi bo bu da de di do du fa fe fi fo ga go gu ha ho hu ka ke ki ko la le li lo lu"
                  + " ma me mi mo mu na ne ni no nu pa pe po ra re ri ro ru sa se si so ta te ti to"
                  + " tu va ve vi vo wa wi")
              .split(" "));

  private static final List<String> ENDINGS = List.of("", "", "", "", "s", "ed", "ing");

  /// Cumulated weight of each rank.
  private static final double[] UP_TO = cumulated();

  private Vocabulary() {}

  private static double[] cumulated() {
    double[] upTo = new double[SIZE];
    double sum = 0;
    for (int rank = 0; rank < SIZE; rank++) {
      sum += 1 / (rank + 1 + SHIFT);
      upTo[rank] = sum;
    }
    return upTo;
  }

  /// A rank as often as its word occurs.
  static int rank(RandomGenerator random) {
    int found = Arrays.binarySearch(UP_TO, random.nextDouble(UP_TO[SIZE - 1]));
    return Math.min(SIZE - 1, found < 0 ? -found - 1 : found);
  }

  /// A rank whose word says what a talk is about: of any order of magnitude alike.
  static int topic(RandomGenerator random) {
    double from = Math.log(COMMON.size());
    return (int) Math.exp(random.nextDouble(from, Math.log(SIZE)));
  }

  /// The word of a rank, in one of its forms.
  static String word(int rank, RandomGenerator random) {
    return rank < COMMON.size()
        ? COMMON.get(rank)
        : stem(rank) + ENDINGS.get(random.nextInt(ENDINGS.size()));
  }

  /// Whether the word says something by itself.
  static boolean tells(String word) {
    return !COMMON_ONES.contains(word);
  }

  /// Different for every rank, the shorter the commoner. Ends with a consonant, as stems do.
  private static String stem(int rank) {
    var stem = new StringBuilder();
    int left = rank;
    do {
      stem.append(SYLLABLES.get(left % SYLLABLES.size()));
      left /= SYLLABLES.size();
    } while (left > 0);
    return stem.append("kt").toString();
  }
}
