package dev.agentmemory.bench.data;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// Words with the frequencies of a language: the word of rank r has a frequency proportional to 1 /
/// (r + 2.7), after Mandelbrot's form of Zipf's law. The first ranks are English function words.
/// All others are generated stems with English endings, so that common and rare words, stop words
/// and inflection affect an index as real texts do.
public final class Vocabulary {

  /// Number of ranks. A million turns of 45 words use all of them, in four forms each.
  static final int SIZE = 60_000;

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

  /// Words of four letters. Two of them make a stem: it has the usual length of a word, differs for
  /// every pair, and has as many tokens for a model as a word of that length.
  private static final List<String> HALVES =
      List.of(
          ("able acid aged arch army aunt axis baby back bake ball band bank barn base bath"
                  + " bead beam bean bear beat bell belt bend bird bite blow blue boat body bolt bond"
                  + " bone book boot born boss bowl brow bulk bull burn bush cage cake call calm camp"
                  + " card care cart case cash cast cave cell chat chef chin chip city clay clip club"
                  + " coal coat code coin cold cook cool cope copy cord core corn cost crew crop cube"
                  + " cult curb cure dark data date dawn deal dear debt deck deep deer desk dial diet"
                  + " dirt dish disk dock dose dove drag draw drop drum duck dull dust duty earl ease"
                  + " east edge face fact fade fair fall farm fast fate fear feed feel fern file film"
                  + " fire firm fish flag flat flow foam fold folk food foot fork form fort frog fuel"
                  + " full fund fuse gain gate gaze gear gene gift girl give glow goal goat gold golf"
                  + " gray grid grip gulf hair half hall hand hang harp hawk head heap heat heel helm"
                  + " herb herd hero hill hint hole home hood hook hope horn host hour hull hunt hurt"
                  + " idea inch iron jazz joke jump jury keen kick king kite knee knot lace lady lake"
                  + " lamb lamp land lane lawn lead leaf lean lens life lift lime line link lion list"
                  + " load loan lock loft logo loop loud love luck lung mail main mall mark mask mass"
                  + " mate meal meat melt menu milk mill mine mint mist")
              .split(" "));

  private static final List<String> ENDINGS = List.of("", "", "", "", "s", "ed", "ing");

  /// Cumulative weight of each rank.
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

  /// A rank, with the frequency of its word.
  static int rank(RandomGenerator random) {
    int found = Arrays.binarySearch(UP_TO, random.nextDouble(UP_TO[SIZE - 1]));
    return Math.min(SIZE - 1, found < 0 ? -found - 1 : found);
  }

  /// A rank for a word about the subject of a talk, uniformly distributed over the orders of
  /// magnitude.
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

  /// Whether the word is not a function word.
  public static boolean tells(String word) {
    return !COMMON_ONES.contains(word);
  }

  /// A permutation of the ranks.
  private static String stem(int rank) {
    return HALVES.get(rank / HALVES.size()) + HALVES.get(rank % HALVES.size());
  }
}
