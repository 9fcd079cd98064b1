package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Lexicon;
import dev.agentmemory.text.Terms;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Understands what somebody asks for: `Hey, can you please add a retry policy? It should …` asks
/// to `Add a retry policy`.
final class Requests {

  private static final Lexicon WORDS = Lexicon.beside(Requests.class, "requests.txt");
  private static final Set<String> LEADS = WORDS.words("lead");
  private static final Set<String> WEAK_LEADS = WORDS.words("weak lead");
  private static final Set<String> VERBS = WORDS.words("verb");
  private static final Set<String> VERBS_OF_WORK = WORDS.words("verb of work");
  private static final List<String> NO_TASKS = WORDS.phrases("no task");
  private static final List<String> REFERENCES = WORDS.phrases("reference");
  private static final Set<String> PRONOUNS = WORDS.words("pronoun");
  private static final List<String> CJK_LEADS = List.of("请", "能不能", "帮我", "麻烦", "可以帮我");
  private static final String ASKING =
      "(?:(?:can|could|would|will) (?:you|we|u) (?:please |maybe |also |just |now |quickly )*"
          + "|(?:i|we) (?:want|need|would like) (?:you )?to "
          + "|(?:i|we)'d like (?:you )?to "
          + "|(?:i |we )?(?:want|need|would like) (?=an? |the |some )"
          + "|(?:let's|lets) (?:please |now |also |first |just )*"
          + "|help me (?:to |with )?"
          + "|(?:please|pls|kindly),? (?:also |now |just |could you |can you )*"
          + "|we (?:should|need to|have to|must) (?:also |now )*"
          + "|(?:next|now|then|also|first),? |"
          + WORDS.alternation("asking")
          + " |请你?(?:帮我|帮忙)?|帮我|麻烦你?|能不能|可以帮我)";
  private static final Pattern LEAD =
      Pattern.compile(ASKING, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  private static final Pattern ASKED_BEHIND =
      Pattern.compile("(?:ください|下さい|お願いします|してほしい|해 ?주세요)[。！？!?.]*$");
  private static final Pattern ASIDE =
      Pattern.compile(
          "(?:check|look|see),? (?=i think)|do you think (?:that )?|i (?:think|guess|believe) (?:that )?|it (?:seems|looks like) ",
          Pattern.CASE_INSENSITIVE);

  private Requests() {}

  /// Whether a sentence asks somebody to do something.
  static boolean isRequest(String text, int start, int end) {
    String opening = firstWord(text, start, end);
    if (mayLead(opening)) {
      Matcher lead = LEAD.matcher(text).region(start, end);
      if (lead.lookingAt()) {
        String verb = firstWord(text, lead.end(), end);
        return VERBS.contains(verb) || !isWeak(text, start);
      }
    }
    if (Terms.isCjk(text.charAt(start)) || text.charAt(start) >= 0x80) {
      return ASKED_BEHIND.matcher(text).region(start, end).find();
    }
    return VERBS.contains(opening);
  }

  // No stream, and no pattern before: this is asked of every sentence.
  private static boolean mayLead(String opening) {
    for (String lead : CJK_LEADS) {
      if (opening.startsWith(lead)) {
        return true;
      }
    }
    return LEADS.contains(opening);
  }

  /// Whether a sentence that a person writes to an agent asks for something, also with a verb that
  /// begins a statement in other talk.
  static boolean isWish(String text, int start, int end) {
    return isRequest(text, start, end) || VERBS_OF_WORK.contains(firstWord(text, start, end));
  }

  /// Whether a heading names work: neither what should not be done nor something to look at.
  static boolean isTask(String heading) {
    String lower = heading.toLowerCase(Locale.ROOT).replace('’', '\'');
    return NO_TASKS.stream().noneMatch(opening -> lower.startsWith(opening + " "));
  }

  /// Whether a heading needs what was said before it, as `Fix it, but keep the old rows` or `Look
  /// for the same mistake`.
  static boolean refersBack(String heading) {
    String lower = heading.toLowerCase(Locale.ROOT);
    if (REFERENCES.stream().anyMatch(reference -> lower.contains(" " + reference + " "))) {
      return true;
    }
    int verb = heading.indexOf(' ');
    return verb > 0 && PRONOUNS.contains(firstWord(heading, verb + 1, heading.length()));
  }

  /// `We need to …` also opens statements; it asks only when a verb of work follows.
  private static boolean isWeak(String text, int start) {
    String word = firstWord(text, start, Math.min(text.length(), start + 12));
    return WEAK_LEADS.contains(word);
  }

  /// A sentence as a heading; of a request only what is asked for.
  static String heading(String sentence, int maxChars) {
    String rest = sentence;
    boolean asked = false;
    for (int round = 0; round < 4; round++) {
      Matcher lead = LEAD.matcher(rest);
      Matcher aside = ASIDE.matcher(rest);
      if (lead.lookingAt() && lead.end() < rest.length()) {
        rest = rest.substring(lead.end()).stripLeading();
        asked = true;
      } else if (aside.lookingAt() && aside.end() < rest.length()) {
        rest = rest.substring(aside.end());
      } else {
        break;
      }
    }
    boolean mark = asked && (rest.endsWith("?") || rest.endsWith("？"));
    return Headings.of(mark ? rest.substring(0, rest.length() - 1) : rest, maxChars);
  }

  static String firstWord(String text, int start, int end) {
    int stop = start;
    while (stop < end && (Character.isLetter(text.charAt(stop)) || text.charAt(stop) == '\'')) {
      stop++;
    }
    return text.substring(start, stop).toLowerCase(Locale.ROOT);
  }
}
