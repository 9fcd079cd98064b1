package dev.agentmemory.cli;

import dev.agentmemory.cli.terminal.ExitCodes;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Prints the completion script of a shell.
@Command(
    name = CompletionCommand.NAME,
    description = "Prints a shell completion script for commands and options.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "bash, in ~/.bashrc:   source <(memory completion bash)",
      "zsh, in ~/.zshrc:     source <(memory completion zsh)",
      "fish, once:",
      "  memory completion fish > ~/.config/fish/completions/memory.fish"
    })
final class CompletionCommand implements Callable<Integer> {

  static final String NAME = "completion";

  private final MemoryCommand memory;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "Shell to complete for: bash, zsh or fish.")
  private Shell shell = Shell.BASH;

  CompletionCommand(MemoryCommand memory) {
    this.memory = memory;
    this.spec = CommandSpec.create();
  }

  private enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    String script =
        switch (shell) {
          // One script supports both shells.
          case BASH, ZSH -> AutoComplete.bash(root.name(), root.commandLine());
          case FISH -> FishCompletion.of(root);
        };
    memory.screen().line(script.stripTrailing());
    return ExitCodes.OK;
  }
}
