package dev.agentmemory.daemon;

/// The program.
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.exit(args.length);
  }
}
