package dev.agentmemory.search.internal.rank;

import dev.agentmemory.search.internal.text.Traits;
import dev.agentmemory.types.EventId;
import org.apache.lucene.util.BytesRef;

/// An event that is read for one search: a candidate or a neighbour of one.
public final class CandidateTurn {

  private static final int FEATURES = Feature.values().length;
  private static final double[] NONE = {};

  /// Its number in the whole reader.
  public final int doc;

  /// Epoch ms.
  public final long time;

  /// Its position among the turns of its session that were read, by time.
  int place;

  /// How often each term of the query occurs in it.
  final float[] counts;

  /// Terms it has, as far as the index remembers.
  float length;

  /// Identifiers of the query that it has, as they are written.
  int identifiers;

  /// Cosine with the query; NaN without a vector.
  public double cosine = Double.NaN;

  Traits traits = Traits.NONE;
  String speaker = "";

  /// Fingerprint of its text without case and spaces; 0 without text.
  long text;

  public BytesRef uid = new BytesRef();

  /// 1 and up among the hits by words; 0 when it is not among them.
  public int lexicalRank;

  /// 1 and up among the hits by meaning; 0 when it is not among them.
  public int semanticRank;

  /// Whether it can be a hit.
  boolean candidate;

  /// By place of the feature; most turns that are read are no candidates and have none.
  private double[] features = NONE;

  /// What each feature adds to the score, in units of it.
  private double[] parts = NONE;

  public double score;

  /// How likely it answers the question, 0 to 1.
  public double relevance;

  /// How often its speaker said the same, as far as was looked; it is the newest of them.
  public int times = 1;

  /// When that was first, in epoch ms.
  public long since;

  /// What part of the weight of the question's words is in it, 0 to 1.
  double cover;

  /// Share of the phrases that the query prefers which it holds, 0 to 1.
  double phrases;

  public CandidateTurn(int doc, long time, int terms) {
    this.doc = doc;
    this.time = time;
    this.since = time;
    this.counts = new float[terms];
  }

  /// Its event's id in the index.
  EventId id() {
    return new EventId(uid.utf8ToString());
  }

  /// Whether words or meaning have found it, and not only a neighbour.
  boolean isHit() {
    return lexicalRank + semanticRank > 0;
  }

  public double get(Feature feature) {
    return value(features, feature);
  }

  /// What a feature adds to the score.
  double part(Feature feature) {
    return value(parts, feature);
  }

  /// Gives it at least the score and relevance of another one, in whose place it stands.
  void raise(CandidateTurn other) {
    double more = other.score - score;
    if (more > 0) {
      setPart(Feature.FRESHNESS, part(Feature.FRESHNESS) + more);
      score = other.score;
    }
    relevance = Math.max(relevance, other.relevance);
  }

  void set(Feature feature, double value) {
    if (features.length == 0) {
      features = new double[FEATURES];
    }
    features[place(feature)] = value;
  }

  void setPart(Feature feature, double value) {
    if (parts.length == 0) {
      parts = new double[FEATURES];
    }
    parts[place(feature)] = value;
  }

  // A map of numbers would make an object of each of them, for a thousand candidates of a search.
  @SuppressWarnings("EnumOrdinal")
  private static int place(Feature feature) {
    return feature.ordinal();
  }

  private static double value(double[] all, Feature feature) {
    return all.length == 0 ? 0 : all[place(feature)];
  }
}
