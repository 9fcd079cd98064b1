package dev.agentmemory.toc.internal.check;

import java.util.List;

/// A model's answer, read but not believed.
///
/// @param title empty when there is none
/// @param prose empty when there is none
/// @param odd how many bullets had not even the form of one
public record Answer(
    String title, String prose, List<Claim> claims, List<String> keywords, int odd) {

  public Answer {
    claims = List.copyOf(claims);
    keywords = List.copyOf(keywords);
  }
}
