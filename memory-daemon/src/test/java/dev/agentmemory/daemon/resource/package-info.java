@org.jspecify.annotations.NullMarked
package dev.agentmemory.daemon.resource;
