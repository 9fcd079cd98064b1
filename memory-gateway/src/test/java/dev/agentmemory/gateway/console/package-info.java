@org.jspecify.annotations.NullMarked
package dev.agentmemory.gateway.console;
