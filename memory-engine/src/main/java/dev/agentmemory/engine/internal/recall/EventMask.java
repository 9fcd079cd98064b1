package dev.agentmemory.engine.internal.recall;

import dev.agentmemory.recall.TextMask;
import dev.agentmemory.text.secret.SecretMask;

/// Masks secrets by the rules that apply to events.
record EventMask(SecretMask mask) implements TextMask {

  @Override
  public String apply(String text) {
    return mask.apply(text);
  }

  @Override
  public String apply(String name, String value) {
    return mask.apply(name, value);
  }
}
