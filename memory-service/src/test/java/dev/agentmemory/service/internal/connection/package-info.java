@org.jspecify.annotations.NullMarked
package dev.agentmemory.service.internal.connection;
