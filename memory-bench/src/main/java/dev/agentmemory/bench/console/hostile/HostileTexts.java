package dev.agentmemory.bench.console.hostile;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// Texts that would run scripts, load something or confuse a page if they were taken for more than
/// text. The same seed gives the same texts.
final class HostileTexts {

  /// Every text has this word, so that a search finds it.
  static final String WORD = "zanzibar";

  /// How many characters of a long text are written without a space.
  private static final int LONG_WORD = 20_000;

  private static final int BIG = 1 << 20;
  private static final int BIG_ONES = 3;

  /// `@RUN@` is a script, `@TRAP@` an address of the server that must not be asked.
  private static final List<String> SHAPES =
      List.of(
          "<script>@RUN@</script>",
          "<script src=@TRAP@></script>",
          "<img src=x onerror=\"@RUN@\">",
          "<img src=@TRAP@>",
          "<svg onload=\"@RUN@\">",
          "<svg><script>@RUN@</script></svg>",
          "<svg><animate onbegin=@RUN@ attributeName=x dur=1s>",
          "<svg><use href=\"data:image/svg+xml,<svg id='x' onload='@RUN@'></svg>#x\"></use></svg>",
          "<svg><foreignObject><iframe src=@TRAP@></iframe></foreignObject></svg>",
          "<math><mtext><table><mglyph><style><img src=x onerror=@RUN@>",
          "<iframe src=\"javascript:parent.@RUN@\"></iframe>",
          "<iframe srcdoc=\"<script>parent.@RUN@</script>\"></iframe>",
          "<object data=\"data:text/html,<script>@RUN@</script>\"></object>",
          "<embed src=@TRAP@>",
          "<video><source onerror=\"@RUN@\"></video>",
          "<audio src=@TRAP@ autoplay onerror=@RUN@>",
          "<a href=\"javascript:@RUN@\">click</a>",
          "<a href=@TRAP@ ping=@TRAP@>click</a>",
          "[click](javascript:@RUN@)",
          "![picture](@TRAP@)",
          "<@TRAP@>",
          "javascript:@RUN@",
          "JaVaScRiPt:@RUN@",
          "java\tscript:@RUN@",
          "data:text/html,<script>@RUN@</script>",
          "data:text/html;base64,PHNjcmlwdD53aW5kb3cucHduZWQ9MTwvc2NyaXB0Pg==",
          "vbscript:@RUN@",
          "\"><script>@RUN@</script>",
          "' onmouseover='@RUN@",
          "\" autofocus onfocus=\"@RUN@\" x=\"",
          "` onfocus=`@RUN@`",
          "</title><script>@RUN@</script>",
          "</textarea><script>@RUN@</script>",
          "</style><script>@RUN@</script>",
          "</template><script>@RUN@</script>",
          "--><script>@RUN@</script>",
          "]]><script>@RUN@</script>",
          "<details open ontoggle=@RUN@>",
          "<body onload=@RUN@>",
          "<input autofocus onfocus=@RUN@>",
          "<marquee onstart=@RUN@>",
          "<form action=@TRAP@><button formaction=\"javascript:@RUN@\">send</button></form>",
          "<link rel=stylesheet href=@TRAP@>",
          "<link rel=preload as=image href=@TRAP@>",
          "<style>@import '@TRAP@'; * { background: url(@TRAP@) }</style>",
          "<div style=\"background:url(@TRAP@)\">x</div>",
          "<meta http-equiv=refresh content=\"0;url=@TRAP@\">",
          "<base href=@TRAP@>",
          "${@RUN@}",
          "{{@RUN@}}",
          "{{constructor.constructor('@RUN@')()}}",
          "#{@RUN@}",
          "<%= @RUN@ %>",
          "<!--?lit$123456789$--><?lit$123456789$>",
          "{{lit-123456789}}",
          "$lit$ .innerHTML=${'<img src=x onerror=@RUN@>'}",
          "__proto__",
          "constructor",
          "toString",
          "hasOwnProperty",
          "../../../../etc/passwd",
          "%2e%2e%2f%00",
          "~2F~00~25",
          "?workspace=other&step=confirm#x",
          "memory://toc/../../search?q=@TRAP@",
          "[grip:1700000000000:01KES0P0X0000000000000000Z]",
          "[mem:01KES0P0X1000000000000000Z] [evt:javascript:@RUN@]",
          "toc:day:<img src=x onerror=@RUN@>",
          "`memory forget --all`",
          "a\u0000b",
          "\u001b[31mred\u001b[0m\u001b]8;;@TRAP@\u0007link\u001b]8;;\u0007",
          "\u0085\u009b31m",
          "\u202egnirts a ni txet\u202c",
          "\u2066isolated\u2069 \u2067other\u2069",
          "\u200e\u200f\u061c",
          "z\u200be\u200cr\u200do\u2060w\ufeffidth",
          "\u2028line\u2029paragraph",
          "\udb40\udc41\udb40\udc42tags",
          "\u115f\u1160\u3164\uffa0",
          "Z\u0351\u036b\u0343\u036a\u0342\u036b\u033d\u034f\u0334\u0319\u0324\u031ea\u0349\u034el",
          "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
          "\ud800 alone",
          "alone \udfff",
          "\ufffe\uffff",
          "\"}],\"x\":[{\"y\":\"",
          "\\u003cscript\\u003e@RUN@\\u003c/script\\u003e",
          "&lt;script&gt;@RUN@&lt;/script&gt;&#60;img src=x onerror=@RUN@&#62;");

  private static final List<String> JOINTS = List.of(" ", "\n", "", "\t", ". ", "\r\n");

  private final String trap;
  private final RandomGenerator random;

  private HostileTexts(String trap, RandomGenerator random) {
    this.trap = trap;
    this.random = random;
  }

  /// @param trap where a server listens that must not be asked, such as `http://127.0.0.1:80`
  static List<String> of(int count, String trap, RandomGenerator random) {
    var texts = new HostileTexts(trap, random);
    var all = new ArrayList<String>(count);
    for (int i = 0; i < count; i++) {
      all.add(texts.text(i, count));
    }
    return all;
  }

  private String text(int number, int count) {
    var text = new StringBuilder();
    int shapes = 1 + random.nextInt(3);
    for (int i = 0; i < shapes; i++) {
      // Each shape comes first in some texts, where a short field has it.
      int shape = i == 0 ? number % SHAPES.size() : random.nextInt(SHAPES.size());
      text.append(cased(SHAPES.get(shape), number))
          .append(JOINTS.get(random.nextInt(JOINTS.size())));
    }
    text.append(' ').append(WORD).append(' ').append(number);
    if (number % 4 == 1) {
      text.insert(0, "We decided to keep " + WORD + " " + number + " bounded: ");
    }
    if (number % 50 == 7) {
      text.append(' ').append("W".repeat(LONG_WORD));
    }
    if (number % (count / BIG_ONES + 1) == 11) {
      String unit = text.toString();
      int length = unit.getBytes(StandardCharsets.UTF_8).length + 4;
      text.append(unit.repeat(Math.max(0, (BIG - 100) / length - 1)));
    }
    return text.toString();
  }

  private String cased(String shape, int number) {
    String filled =
        shape
            .replace("@RUN@", "window.pwned=" + (number + 1))
            .replace("@TRAP@", trap + "/trap/" + number);
    return random.nextInt(10) == 0 && !shape.contains("@")
        ? filled.toUpperCase(Locale.ROOT)
        : filled;
  }

  /// What a field for a name takes of a text: no control characters, and at most so many bytes.
  static String name(String text, int mostBytes) {
    var name = new StringBuilder();
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      i += Character.charCount(point);
      boolean alone = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      if (Character.isISOControl(point) || alone) {
        continue;
      }
      bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > mostBytes) {
        break;
      }
      name.appendCodePoint(point);
    }
    return name.toString().strip();
  }

  /// JSON without any character that is not ASCII: a half of a pair of units has no other form.
  static String ascii(String json) {
    var text = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char unit = json.charAt(i);
      if (unit < 0x80) {
        text.append(unit);
      } else {
        text.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
      }
    }
    return text.toString();
  }

  /// At most so many UTF-16 units of a text.
  static String cut(String text, int most) {
    return text.substring(0, Math.min(most, text.length()));
  }
}
