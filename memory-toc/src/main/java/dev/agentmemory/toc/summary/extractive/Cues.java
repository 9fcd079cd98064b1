package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.Term;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Reads off words what a sentence is for.
final class Cues {

  private static final Map<String, String> SECTIONS =
      Lexicon.beside(Cues.class, "cues.txt")
          .sections(
              "self",
              "other",
              "decision",
              "cause",
              "fix",
              "result",
              "preference",
              "plan",
              "time",
              "tool");
  private static final Lexicon PHRASES = Lexicon.beside(Cues.class, "phrases.txt");
  private static final List<String> OFFERS = PHRASES.phrases("offer");
  private static final List<String> DISCLAIMERS = PHRASES.phrases("disclaimer");

  private static final Set<String> INTENTS = PHRASES.words("intent");

  private static final int DISCLAIMER_WITHIN = 100;
  private static final Pattern INTENT =
      Pattern.compile("(now |next,? |first,? |finally,? )?(i|i'll|let|let's|we)\\b");

  private static final Set<String> OFFER_STARTS =
      OFFERS.stream()
          .map(offer -> Requests.firstWord(offer, 0, offer.length()))
          .collect(Collectors.toUnmodifiableSet());

  private Cues() {}

  static String lower(String text, int start, int end) {
    return text.substring(start, end).toLowerCase(Locale.ROOT);
  }

  static String section(Term term) {
    return SECTIONS.getOrDefault(term.key(), "");
  }

  /// Whether a sentence is about the talk itself: an offer, a courtesy, or an agent that says what
  /// it will do next.
  static boolean isChatter(String text, int start, int end, List<Term> terms, boolean agent) {
    boolean offer = OFFER_STARTS.contains(Requests.firstWord(text, start, end));
    if (agent && isDisclaimer(text, start, end)) {
      return true;
    }
    if (!offer && !agent) {
      return false;
    }
    String head = lower(text, start, Math.min(end, start + 32)).replace('’', '\'');
    return (offer && isOffer(head)) || (agent && isNextStep(head, terms));
  }

  /// `As an AI language model, I cannot …`
  private static boolean isDisclaimer(String text, int start, int end) {
    int border = Math.min(end, start + DISCLAIMER_WITHIN);
    boolean may =
        text.indexOf("language model", start, border) >= 0
            || text.indexOf(" AI", start, border) >= 0;
    String head = may ? lower(text, start, border).replace('’', '\'') : "";
    return may && DISCLAIMERS.stream().anyMatch(head::contains);
  }

  private static boolean isOffer(String head) {
    for (String offer : OFFERS) {
      boolean whole =
          head.length() <= offer.length() || !Character.isLetter(head.charAt(offer.length()));
      if (whole && head.startsWith(offer)) {
        return true;
      }
    }
    return false;
  }

  /// `I'll now run the tests`, `Now update the caller`, `I need to check the imports`.
  private static boolean isNextStep(String head, List<Term> terms) {
    boolean announced =
        head.startsWith("now ")
            || head.startsWith("next")
            || head.startsWith("first")
            || head.startsWith("finally");
    boolean self = false;
    int words = Math.min(terms.size(), 7);
    for (int i = 0; i < words; i++) {
      String key = terms.get(i).key();
      self |= INTENTS.contains(key) && INTENT.matcher(head).lookingAt();
      if ((self || (announced && i < 3)) && i > 0 && section(terms.get(i)).equals("tool")) {
        return true;
      }
    }
    return head.startsWith("checking ")
        || head.startsWith("running ")
        || head.startsWith("searching ")
        || head.startsWith("reading ");
  }
}
