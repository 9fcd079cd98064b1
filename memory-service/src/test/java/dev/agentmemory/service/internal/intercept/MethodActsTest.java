package dev.agentmemory.service.internal.intercept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.Role;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MethodActsTest {

  private final MethodRoles roles = new MethodRoles();

  /// A new method is one for admins, so it cannot be forgotten here.
  @Test
  void everyMethodForAdmins_isAnActOrSaysWhyNot() {
    Set<String> forAdmins =
        MethodRolesTest.methods()
            .filter(method -> roles.of(method) == Role.ADMIN)
            .collect(Collectors.toSet());
    assertThat(forAdmins)
        .allSatisfy(method ->
            assertThat(MethodActs.of(method).isPresent())
                .as("%s is an act, or has a reason why it is none", method)
                .isNotEqualTo(MethodActs.NO_ACTS.containsKey(method)));
    assertThat(forAdmins).containsAll(MethodActs.NO_ACTS.keySet());
    assertThat(MethodActs.NO_ACTS.values()).noneMatch(String::isBlank);
  }

  @Test
  void actsOfOthers_areExportsOnly() {
    assertThat(
            MethodRolesTest.methods()
                .filter(method -> roles.of(method) != Role.ADMIN)
                .filter(method -> MethodActs.of(method).isPresent()))
        .containsExactly("memory.RecallService/ExportMemories");
  }
}
