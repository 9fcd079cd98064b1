package dev.agentmemory.daemon.config;

/// What holds for one setting, and why.
///
/// @param key such as `toc.zone`
/// @param value as it was written, secrets hidden
/// @param source where it was written: `default`, `FILE:LINE`, the variable or the flag
public record SettingValue(String key, String value, String source) {

  static final String DEFAULT = "default";

  /// Whether it is not set, so the default applies.
  public boolean isDefault() {
    return source.equals(DEFAULT);
  }
}
