package dev.agentmemory.bench.retrieval;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/// Wording of facts in a language. In a template `%s` is the subject and `%v` the value.
// The lists and maps of the constants are unmodifiable.
@SuppressWarnings("ImmutableEnumChecker")
enum FactLanguage {
  ENGLISH(
      "the %b for %a",
      List.of(
          "invoices",
          "mails",
          "searches",
          "reports",
          "payments",
          "photos",
          "maps",
          "orders",
          "customers",
          "stocks",
          "salaries",
          "contracts"),
      List.of("service", "server", "import", "scheduler", "cache", "portal"),
      List.of(
          "January",
          "February",
          "March",
          "April",
          "May",
          "June",
          "July",
          "August",
          "September",
          "October",
          "November",
          "December"),
      "%d %m",
      Map.of(
          Kind.NUMBER,
          new Wording(
              "%s allows %v connections at once.",
              "We changed it: %s now allows %v connections at once.",
              "How many connections does %s allow at once?"),
          Kind.DATE,
          new Wording(
              "The deadline for %s is %v.",
              "The deadline for %s has been moved to %v.", "What is the deadline for %s?"),
          Kind.VERSION,
          new Wording(
              "%s runs on PostgreSQL %v.",
              "Since the upgrade %s runs on PostgreSQL %v.",
              "Which version of PostgreSQL does %s run on?"),
          Kind.NAME,
          new Wording(
              "%v is responsible for %s.",
              "From now on %v is responsible for %s.", "Who is responsible for %s?"),
          Kind.NEGATION,
          new Wording(
              "%s %v its data at night.",
              "As of this week %s %v its data at night.", "Is the data of %s saved at night?"))),
  GERMAN(
      "der %b für %a",
      List.of(
          "Rechnungen",
          "Mails",
          "Suchen",
          "Berichte",
          "Zahlungen",
          "Fotos",
          "Karten",
          "Bestellungen",
          "Kunden",
          "Bestände",
          "Gehälter",
          "Verträge"),
      List.of("Dienst", "Server", "Import", "Planer", "Speicher", "Zugang"),
      List.of(
          "Januar",
          "Februar",
          "März",
          "April",
          "Mai",
          "Juni",
          "Juli",
          "August",
          "September",
          "Oktober",
          "November",
          "Dezember"),
      "%d. %m",
      Map.of(
          Kind.NUMBER,
          new Wording(
              "%s erlaubt %v Verbindungen gleichzeitig.",
              "Neu: %s erlaubt jetzt %v Verbindungen gleichzeitig.",
              "Wie viele Verbindungen erlaubt %s gleichzeitig?"),
          Kind.DATE,
          new Wording(
              "Fertig sein muss %s am %v.",
              "Verschoben: Fertig sein muss %s erst am %v.", "Wann muss %s fertig sein?"),
          Kind.VERSION,
          new Wording(
              "%s läuft mit PostgreSQL %v.",
              "Seit dem Update läuft %s mit PostgreSQL %v.",
              "Mit welcher Version von PostgreSQL läuft %s?"),
          Kind.NAME,
          new Wording(
              "Betreut wird %s von %v.",
              "Ab sofort wird %s von %v betreut.", "Von wem wird %s betreut?"),
          Kind.NEGATION,
          new Wording(
              "%s sichert nachts seine Daten%v.",
              "Ab dieser Woche sichert %s nachts seine Daten%v.",
              "Sichert %s nachts seine Daten?"))),
  FRENCH(
      "le %b des %a",
      List.of(
          "factures",
          "courriels",
          "recherches",
          "rapports",
          "paiements",
          "photos",
          "cartes",
          "commandes",
          "clients",
          "stocks",
          "salaires",
          "contrats"),
      List.of("service", "serveur", "module", "planificateur", "cache", "portail"),
      List.of(
          "janvier",
          "février",
          "mars",
          "avril",
          "mai",
          "juin",
          "juillet",
          "août",
          "septembre",
          "octobre",
          "novembre",
          "décembre"),
      "%d %m",
      Map.of(
          Kind.NUMBER,
          new Wording(
              "%s accepte %v connexions à la fois.",
              "Changement : %s accepte maintenant %v connexions à la fois.",
              "Combien de connexions %s accepte-t-il à la fois ?"),
          Kind.DATE,
          new Wording(
              "La date limite pour %s est le %v.",
              "La date limite pour %s est repoussée au %v.", "Quelle est la date limite pour %s ?"),
          Kind.VERSION,
          new Wording(
              "%s tourne avec PostgreSQL %v.",
              "Depuis la mise à jour, %s tourne avec PostgreSQL %v.",
              "Avec quelle version de PostgreSQL tourne %s ?"),
          Kind.NAME,
          new Wording(
              "%v est responsable pour %s.",
              "Désormais, %v est responsable pour %s.", "Qui est responsable pour %s ?"),
          Kind.NEGATION,
          new Wording(
              "%s %v ses données la nuit.",
              "À partir de cette semaine, %s %v ses données la nuit.",
              "Est-ce que %s sauvegarde ses données la nuit ?"))),
  SPANISH(
      "el %b de %a",
      List.of(
          "facturas",
          "correos",
          "búsquedas",
          "informes",
          "pagos",
          "fotos",
          "mapas",
          "pedidos",
          "clientes",
          "almacenes",
          "nóminas",
          "contratos"),
      List.of("servicio", "servidor", "importador", "planificador", "caché", "portal"),
      List.of(
          "enero",
          "febrero",
          "marzo",
          "abril",
          "mayo",
          "junio",
          "julio",
          "agosto",
          "septiembre",
          "octubre",
          "noviembre",
          "diciembre"),
      "%d de %m",
      Map.of(
          Kind.NUMBER,
          new Wording(
              "%s admite %v conexiones a la vez.",
              "Cambio: ahora %s admite %v conexiones a la vez.",
              "¿Cuántas conexiones admite %s a la vez?"),
          Kind.DATE,
          new Wording(
              "La fecha límite para %s es el %v.",
              "La fecha límite para %s se ha movido al %v.", "¿Cuál es la fecha límite para %s?"),
          Kind.VERSION,
          new Wording(
              "%s funciona con PostgreSQL %v.",
              "Desde la actualización %s funciona con PostgreSQL %v.",
              "¿Con qué versión de PostgreSQL funciona %s?"),
          Kind.NAME,
          new Wording(
              "%v es responsable para %s.",
              "A partir de ahora %v es responsable para %s.", "¿Quién es responsable para %s?"),
          Kind.NEGATION,
          new Wording(
              "%s %v sus datos por la noche.",
              "Desde esta semana %s %v sus datos por la noche.",
              "¿Guarda %s sus datos por la noche?"))),
  CHINESE(
      "%a%b",
      List.of("账单", "邮件", "搜索", "报表", "支付", "照片", "地图", "订单", "客户", "库存", "工资", "合同"),
      List.of("服务", "服务器", "导入器", "调度器", "缓存", "门户"),
      List.of("1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"),
      "%m%d日",
      Map.of(
          Kind.NUMBER,
          new Wording("%s同时允许%v个连接。", "已更改：%s现在同时允许%v个连接。", "%s同时允许多少个连接？"),
          Kind.DATE,
          new Wording("%s的截止日期是%v。", "%s的截止日期已推迟到%v。", "%s的截止日期是什么时候？"),
          Kind.VERSION,
          new Wording("%s运行在PostgreSQL %v上。", "升级之后%s运行在PostgreSQL %v上。", "%s运行在哪个版本的PostgreSQL上？"),
          Kind.NAME,
          new Wording("%s由%v负责。", "从现在起%s由%v负责。", "%s由谁负责？"),
          Kind.NEGATION,
          new Wording("%s在夜间%v数据。", "从本周起%s在夜间%v数据。", "%s在夜间备份数据吗？")));

  /// A kind of fact that changes.
  enum Kind {
    NUMBER,
    DATE,
    VERSION,
    NAME,
    NEGATION
  }

  /// Sentences of one kind.
  ///
  /// @param states wording of the first statement, and sometimes of a change
  /// @param corrects other wording of a change
  private record Wording(String states, String corrects, String asks) {}

  /// The earlier and the later value.
  record Values(String older, String newer) {

    Values reversed() {
      return new Values(/* older= */ newer, /* newer= */ older);
    }
  }

  private static final List<String> NAMES =
      List.of(
          "Alice", "Bruno", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Irene", "Jonas",
          "Karin", "Lukas", "Marta", "Nadia", "Oskar", "Paula");
  private static final List<String> CHINESE_NAMES =
      List.of("王伟", "李娜", "张敏", "刘洋", "陈静", "杨帆", "赵磊", "黄丽", "周杰", "吴霞");

  private final String subject;
  private final List<String> of;
  private final List<String> what;
  private final List<String> months;
  private final String date;
  private final Map<Kind, Wording> wordings;

  FactLanguage(
      String subject,
      List<String> of,
      List<String> what,
      List<String> months,
      String date,
      Map<Kind, Wording> wordings) {
    this.subject = subject;
    this.of = of;
    this.what = what;
    this.months = months;
    this.date = date;
    this.wordings = wordings;
  }

  /// All subjects of facts.
  List<String> subjects() {
    List<String> subjects = new ArrayList<>();
    for (String one : of) {
      for (String other : what) {
        subjects.add(subject.replace("%a", one).replace("%b", other));
      }
    }
    return subjects;
  }

  Values values(Kind kind, Random random) {
    return switch (kind) {
      case NUMBER -> {
        int older = 10 + random.nextInt(90);
        yield new Values("" + older, "" + (older + 1 + random.nextInt(40)));
      }
      case DATE -> {
        int month = random.nextInt(11);
        yield new Values(date(month, random), date(month + 1, random));
      }
      case VERSION -> {
        int older = 12 + random.nextInt(4);
        int minor = random.nextInt(9);
        yield random.nextBoolean()
            ? new Values("" + older, "" + (older + 1))
            : new Values(older + "." + minor, older + "." + (minor + 1));
      }
      case NAME -> {
        List<String> names = this == CHINESE ? CHINESE_NAMES : NAMES;
        int older = random.nextInt(names.size());
        int newer = (older + 1 + random.nextInt(names.size() - 1)) % names.size();
        yield new Values(names.get(older), names.get(newer));
      }
      case NEGATION -> random.nextBoolean() ? saves() : saves().reversed();
    };
  }

  /// The positive and the negative form.
  private Values saves() {
    return switch (this) {
      case ENGLISH -> new Values("saves", "does not save");
      case GERMAN -> new Values("", " nicht");
      case FRENCH -> new Values("sauvegarde", "ne sauvegarde pas");
      case SPANISH -> new Values("guarda", "no guarda");
      case CHINESE -> new Values("备份", "不备份");
    };
  }

  private String date(int month, Random random) {
    return date.replace("%d", "" + (1 + random.nextInt(28))).replace("%m", months.get(month));
  }

  /// @param change whether it may be worded as a change
  String statement(Kind kind, String subject, String value, boolean change, Random random) {
    Wording wording = wording(kind);
    String template = change && random.nextBoolean() ? wording.corrects() : wording.states();
    return sentence(template.replace("%s", subject).replace("%v", value));
  }

  String question(Kind kind, String subject) {
    return sentence(wording(kind).asks().replace("%s", subject));
  }

  private Wording wording(Kind kind) {
    return Objects.requireNonNull(wordings.get(kind), "no wording");
  }

  private static String sentence(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
