@org.jspecify.annotations.NullMarked
package dev.agentmemory.console;
