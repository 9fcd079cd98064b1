package dev.agentmemory.config;

import java.util.Map;
import java.util.Optional;

/// Where a record reads its settings from.
public interface SettingReader {

  /// Nothing is set.
  SettingReader DEFAULTS = of(Map.of());

  /// Values that are given by key, as text. A key that no setting has is ignored.
  static SettingReader of(Map<String, String> texts) {
    return new SettingReader() {
      @Override
      public <T> Optional<T> find(Setting<T> setting) {
        return Optional.ofNullable(texts.get(setting.key())).map(setting::parse);
      }
    };
  }

  /// The value that is set; empty if none is.
  <T> Optional<T> find(Setting<T> setting);

  /// The value that is set, or else the default.
  default <T> T read(Setting<T> setting) {
    return find(setting).orElseGet(() -> setting.parse(setting.defaultText()));
  }
}
